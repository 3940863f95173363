// The channel conformance suite on mails, with a mail server under the control of the test; people answer by the link.

import assert from 'node:assert/strict';
import { smtpProviders } from '../../src/domain/channels/kinds/smtp.ts';
import { linkIn, mailAccount, mailTo, type Refusals, startMailCatcher } from '../harness/mail/mail-catcher.ts';
import { until } from '../harness/until.ts';
import { type Behaviour, type ChannelDriver, testChannel } from './channel.ts';

const publicUrl = 'https://alarms.example';

const refusals: Readonly<Partial<Record<Behaviour, Refusals>>> = {
  refuse: { rcpt: '550 5.1.1 no such user' },
  later: { rcpt: '450 4.2.2 mailbox full' },
};

const driver: ChannelDriver = {
  name: 'mails',
  kind: smtpProviders,
  channel: 'email',
  skip: false,
  environment: { TOCSIN_PUBLIC_URL: publicUrl },
  async start(t, behaviours) {
    const last = behaviours.at(-1) ?? 'take';
    // Held before the mail is handed over: what was handed over cannot be taken back, and is not cut.
    const behaviour = last === 'hold' ? 'hold-recipient' : last === 'silent' ? last : 'take';
    const catcher = await startMailCatcher(t, { behaviour, isOpen: true });
    Object.assign(catcher.refusals, refusals[last]);
    const provider = (one: Behaviour) => ({
      channel: 'email',
      kind: 'smtp',
      // Nothing listens on port 1.
      settings: { ...catcher.settings, user: mailAccount.user, ...(one === 'dead' ? { port: 1 } : {}) },
      secrets: { password: mailAccount.password },
    });
    return {
      providers: behaviours.map(provider),
      address: (person) => `p${person}@plant.example`,
      deliveries: () => catcher.recipients.length,
      mostAtOnce: () => catcher.mostHeld(),
      letGo: () => catcher.letGo(),
      async assertStopped() {
        await until(
          () => catcher.isCut(),
          (isCut) => isCut,
        );
      },
      async takeAlarm(caller, _person, copies) {
        const link = linkIn(await mailTo(catcher)).slice(publicUrl.length);
        for (let copy = 0; copy < copies; copy++) {
          const { status, text } = await caller.sendForm(`${link}/take`);
          assert.equal(status, 200, text);
        }
      },
      received: () => catcher.mails.map(({ source }) => source).join('\n'),
    };
  },
  blames: 'provider',
  afterCrash: 'again',
  secret: mailAccount.password,
};

testChannel(driver, false);
