// The channel conformance suite on webhooks, with an HTTP server as their receiver.

import assert from 'node:assert/strict';
import { webhookProviders } from '../../src/domain/channels/kinds/webhook.ts';
import {
  type HookAnswer,
  removeSecrets,
  sendReport,
  WebhookReceiver,
  webhookSecret,
} from '../harness/channels/webhook-receiver.ts';
import type { Caller } from '../harness/site/site-caller.ts';
import { until } from '../harness/until.ts';
import { type Behaviour, type ChannelDriver, testChannel } from './channel.ts';

const answers: Readonly<Record<Behaviour, HookAnswer>> = {
  take: 200,
  hold: 'hold',
  refuse: 403,
  later: 503,
  silent: 'hold',
  // One that cannot sign sends nothing.
  dead: 200,
};

/** The id of the provider that has signed, which is the last that was made. */
async function providerIn(caller: Caller): Promise<number> {
  const { items } = await caller.list('/providers?limit=100');
  return Math.max(...items.map(({ id }) => Number(id)));
}

const driver: ChannelDriver = {
  name: 'webhooks',
  kind: webhookProviders,
  channel: 'webhook',
  skip: false,
  async start(t, behaviours) {
    const receiver = await WebhookReceiver.start(t, answers[behaviours.at(-1) ?? 'take']);
    return {
      providers: behaviours.map(() => receiver.provider()),
      async made(app, index, id) {
        if (behaviours[index] === 'dead') await removeSecrets(app, id);
      },
      address: (person) => receiver.url(`person-${person}`),
      deliveries: () => receiver.messages.length,
      mostAtOnce: () => receiver.mostAtOnce,
      letGo: () => receiver.letGo(),
      async assertStopped() {
        await until(
          () => receiver.messages.map(({ isCut }) => isCut),
          ([isCut]) => isCut === true,
        );
      },
      async takeAlarm(caller, _person, copies) {
        const { attempt, replyCode: code } = receiver.messages[0]?.body ?? {};
        const report = { id: 'answer-1', attempt, event: 'answer', answer: 'take', code };
        const provider = await providerIn(caller);
        for (let copy = 0; copy < copies; copy++) {
          const { status, text } = await sendReport(caller, provider, report);
          assert.equal(status, 200, text);
        }
      },
      async sendReceipt(node) {
        const { attempt } = receiver.messages[0]?.body ?? {};
        const { status, text } = await sendReport(node, await providerIn(node), {
          id: 'receipt-1',
          attempt,
          event: 'delivered',
        });
        assert.equal(status, 200, text);
      },
      received: () => receiver.raw.join('\n'),
    };
  },
  blames: 'receiver',
  afterCrash: 'again',
  secret: webhookSecret,
};

testChannel(driver, false);
