// The channel conformance suite on the simulated phones: as a telephone that rings, and as one that shows texts.

import assert from 'node:assert/strict';
import { simulatorProviders } from '../../src/domain/channels/kinds/simulator.ts';
import type { Caller } from '../harness/site/site-caller.ts';
import { type Behaviour, type ChannelDriver, type Peers, testChannel } from './channel.ts';

type Message = { readonly state: string; readonly direction: string; readonly outcome: string; readonly text: string };

const faults: Readonly<Record<Behaviour, string>> = {
  take: 'none',
  hold: 'none',
  refuse: 'bad-number',
  later: 'busy',
  silent: 'silent',
  dead: 'dead',
};

async function messagesTo(caller: Caller, { id }: { readonly id: number }): Promise<readonly Message[]> {
  return (await caller.ask<readonly Message[]>('GET', `/simulator/phones/${id}`)).filter(
    ({ direction }) => direction === 'to',
  );
}

function phones(channel: 'voice' | 'sms', behaviours: readonly Behaviour[]): Peers {
  let most = 0;
  const fault = (behaviour: Behaviour) =>
    channel === 'sms' && behaviour === 'take' ? 'late-receipt' : faults[behaviour];
  return {
    providers: behaviours.map((one) => ({ channel, kind: 'simulator', settings: { fault: fault(one) } })),
    address: (person) => `+3310000000${person}`,
    async deliveries(caller, people) {
      const all = (await Promise.all(people.map((person) => messagesTo(caller, person)))).flat();
      most = Math.max(most, all.filter(({ state }) => state === 'ringing').length);
      return all.length;
    },
    mostAtOnce: () => most,
    async letGo(caller, people) {
      for (const { id } of people) await caller.request('POST', `/simulator/phones/${id}/hangup`);
    },
    async assertStopped(caller, person) {
      assert.deepEqual(
        (await messagesTo(caller, person)).map(({ state, outcome }) => [state, outcome]),
        [['ended', 'cancelled']],
      );
    },
    async takeAlarm(caller, person, copies) {
      const path = `/simulator/phones/${person.id}`;
      const times = Array.from({ length: copies });
      if (channel === 'sms') {
        const code = /Reply (\d+)/.exec((await messagesTo(caller, person))[0]?.text ?? '')?.[1];
        for (const _ of times) await caller.ask('POST', `${path}/texts`, { text: `1 ${code}` });
        return;
      }
      await caller.ask('POST', `${path}/answer`);
      await caller.ask('POST', `${path}/keys`, { keys: '1' });
      for (const _ of times) await caller.request('POST', `${path}/keys`, { keys: '1' });
    },
    // The receipt of the simulator follows the server's clock.
    sendReceipt: () => {},
  };
}

const driver = (channel: 'voice' | 'sms'): ChannelDriver => ({
  name: `the simulator, channel ${channel}`,
  kind: simulatorProviders,
  channel,
  skip: false,
  start: async (_t, behaviours) => phones(channel, behaviours),
  blames: 'provider',
  afterCrash: 'goes on',
  secret: '',
  cannot:
    channel === 'voice'
      ? {
          'receipt late': 'a telephone that was answered has no receipt; the texts of the simulator have',
          'receipt to another node': 'a telephone that was answered has no receipt',
        }
      : {
          'receipt to another node': 'the simulated provider is inside the node that delivers',
          'refused for now': 'a simulated text is shown at once; its telephone can be busy',
          'abort with its reason': 'a simulated text is shown at once: nothing is under way',
          capacity: 'a simulated text is shown at once: nothing is under way',
          'ask after a crash': 'a simulated text is shown at once: nothing is under way',
        },
});

testChannel(driver('voice'), true);
testChannel(driver('sms'), false);
