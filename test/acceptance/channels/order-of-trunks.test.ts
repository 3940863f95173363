// Several trunks for one number: what the call comes to does not depend on their order.

import assert from 'node:assert/strict';
import { startSite } from '../../harness/site/site.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { type SipAnswer, SipPeer } from '../../harness/telephone/sip-peer.ts';
import { until } from '../../harness/until.ts';

const outOfService: SipAnswer = { kind: 'respond', status: 503, phrase: 'Service Unavailable' };
const refusing: SipAnswer = { kind: 'respond', status: 403, phrase: 'Forbidden' };

for (const [name, answers] of [
  ['first', [refusing, outOfService]],
  ['last', [outOfService, refusing]],
] as const)
  testOnAnyStore(
    `a trunk that refuses the account, asked ${name}, uses up no try while another is out of service`,
    async (t, kind) => {
      const site = await startSite(t, kind);
      for (const [order, answer] of answers.entries()) {
        const { port } = await SipPeer.start(t, answer);
        const settings = { host: '127.0.0.1', port, user: 'tocsin' };
        await site.create('/providers', { name: `PBX ${order}`, order, channel: 'voice', kind: 'sip', settings });
      }
      const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
      const group = await site.group('Pumps', [await site.team('Night', [ana])]);
      const alarm = await site.alarms.raise(group, { priority: 3 });
      const [row] = await until(
        async () => (await site.list(`/call/histories?limit=10&alarmId=${alarm}`)).items,
        ([one]) => one?.endTime !== undefined,
      );
      assert.equal(row?.outcome, 'providerDown');
      for (let minute = 0; minute < 5; minute++) {
        site.app.clock.advance(61_000);
        await site.app.poll();
      }
      const told = (await site.alarms.histories('?search=channel')).items;
      assert.equal(told.length, 1, 'one occurrence for as long as it lasts');
      await site.expectWhatRings();
    },
  );
