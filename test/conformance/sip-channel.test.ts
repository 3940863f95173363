// The channel conformance suite on SIP trunks, with an exchange that speaks SIP over UDP as its peer.

import assert from 'node:assert/strict';
import { missing } from '../../packages/sip/test/harness/programs.ts';
import { sipProviders } from '../../src/domain/channels/kinds/sip.ts';
import { type SipAnswer, SipPeer } from '../harness/telephone/sip-peer.ts';
import { until } from '../harness/until.ts';
import { type Behaviour, type ChannelDriver, testChannel } from './channel.ts';

const secret = 'pass-word-4711';
const ring: SipAnswer = { kind: 'ring' };

const answers: Readonly<Record<Behaviour, SipAnswer>> = {
  take: ring,
  hold: ring,
  refuse: { kind: 'respond', status: 404, phrase: 'Not Found', isChallenged: true },
  later: { kind: 'respond', status: 486, phrase: 'Busy Here' },
  silent: { kind: 'silence' },
  dead: { kind: 'respond', status: 503, phrase: 'Service Unavailable' },
};

const driver: ChannelDriver = {
  name: 'SIP',
  kind: sipProviders,
  channel: 'voice',
  skip: missing('espeak-ng', 'espeak-ng'),
  async start(t, behaviours) {
    const exchanges: SipPeer[] = [];
    for (const behaviour of behaviours) exchanges.push(await SipPeer.start(t, answers[behaviour]));
    const last = exchanges.at(-1) as SipPeer;
    return {
      providers: exchanges.map(({ port }) => ({
        channel: 'voice',
        kind: 'sip',
        settings: { host: '127.0.0.1', port, user: 'tocsin' },
        secrets: { password: secret },
      })),
      address: (person) => `+3310000000${person}`,
      deliveries: () => last.calls,
      mostAtOnce: () => last.mostAtOnce,
      letGo: () => last.rejectAll(),
      async assertStopped() {
        const reasons = await until(
          () => last.cancelReasons,
          ({ length }) => length > 0,
        );
        assert.match(reasons[0] ?? '', /SIP;cause=200/, 'taken elsewhere: no missed call');
      },
      async takeAlarm(_caller, _person, copies) {
        last.pickUp();
        await until(
          () => last.received,
          (texts) => texts.some((text) => text.startsWith('ACK ')),
        );
        await last.pressUntilOver('1', copies);
      },
      received: () => exchanges.flatMap((exchange) => exchange.received).join('\n'),
    };
  },
  blames: 'provider',
  afterCrash: 'again',
  secret,
};

testChannel(driver, true);
