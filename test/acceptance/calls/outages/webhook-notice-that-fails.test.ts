// A webhook notice that fails, or is never answered, keeps no later one from being sent.

import assert from 'node:assert/strict';
import { WebhookReceiver } from '../../../harness/channels/webhook-receiver.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

/** A person with a telephone, and a webhook that gets notices. */
async function hooked(site: Site, receiver: WebhookReceiver): Promise<number> {
  await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'simulator' });
  await site.create('/providers', { name: 'Hooks', ...receiver.provider() });
  const hook = { channel: 'webhook', address: receiver.url('ana'), final: false, countTry: 1, timeToRetry: 60 };
  const call = { channel: 'voice', address: '+33100000001', countTry: 1 };
  const ana = await site.person('ana', { numbers: [call, hook] });
  return site.group('Pumps', [await site.team('Night', [ana])]);
}

const about = ({ messages }: WebhookReceiver, alarm: number) =>
  messages.filter(({ body }) => body.items.some(({ alarmId }) => alarmId === alarm));

/** Lets the server's clock go on until a message about the alarm has come; returns how long it took. */
async function secondsUntilTold(site: Site, receiver: WebhookReceiver, alarm: number): Promise<number> {
  const beganAt = site.app.clock.now();
  await until(
    async () => {
      site.app.clock.advance(1_000);
      await site.app.poll();
      return about(receiver, alarm).length;
    },
    (count) => count > 0,
  );
  return (site.app.clock.now() - beganAt) / 1_000;
}

// A receiver that fails keeps its number for a minute between two notices, one that is never answered for five at most; some more pass
// while a message is on its way.
for (const [name, answer, withinSeconds] of [
  ['fails', 503, 180],
  ['is never answered', 'hold', 420],
] as const)
  testOnAnyStore(
    `a webhook notice that ${name} in one round does not hold up those of later alarms`,
    async (t, kind) => {
      const receiver = await WebhookReceiver.start(t, answer);
      const site = await startSite(t, kind);
      const group = await hooked(site, receiver);
      const first = await site.alarms.raise(group, { path: 'First', priority: 1 });
      await secondsUntilTold(site, receiver, first);
      // Far beyond the round in which it began.
      for (let minute = 0; minute < 15; minute++) {
        site.app.clock.advance(60_000);
        await site.app.poll();
      }
      receiver.answer = 200;
      for (const path of ['Second', 'Third']) {
        const alarm = await site.alarms.raise(group, { path, priority: 3 });
        const seconds = await secondsUntilTold(site, receiver, alarm);
        assert.ok(seconds <= withinSeconds, `the notice of the alarm ${path} came after ${seconds} s`);
      }
      receiver.letGo();
      await site.expectWhatRings();
    },
  );
