// A call that the end of the thread of telephone calls has cut off says nothing of its trunk, which stays as it was known.

import assert from 'node:assert/strict';
import { missing } from '../../../../packages/sip/test/harness/programs.ts';
import { noteCheck } from '../../../../src/operations/providers/health.ts';
import { faultyVoiceThread } from '../../../harness/server/built-server.ts';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { SipPeer } from '../../../harness/telephone/sip-peer.ts';
import { endingNumber } from '../../../harness/telephone/telephone-faults.ts';
import { until } from '../../../harness/until.ts';

const skip = missing('espeak-ng', 'espeak-ng');

testOnAnyStore(
  'a trunk that is down is not up again because the thread of telephone calls ended during its call',
  async (t, kind) => {
    const peer = await SipPeer.start(t, { kind: 'ring' });
    const site = await startSite(t, kind, { startVoiceWorker: faultyVoiceThread, expectErrors: true });
    const settings = { host: '127.0.0.1', port: peer.port, user: 'tocsin' };
    const id = await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
    const ana = await site.person('ana', { numbers: [voice(endingNumber, { countTry: 1 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.app.store.write(noteCheck, { providerId: id, isUp: false, reason: 'gone' });
    const alarm = await site.alarms.raise(group, { priority: 1 });
    const { items } = await until(
      () => site.list(`/call/histories?alarmId=${alarm}`),
      (found) => found.items.some(({ user, endTime }) => user === 'ana' && endTime !== undefined),
    );
    assert.equal(items.find(({ user }) => user === 'ana')?.outcome, 'failed');
    const provider = await site.ask<{ readonly health: { readonly state: string } }>('GET', `/providers/${id}`);
    assert.equal(provider.health.state, 'down');
    await site.alarms.acknowledge(alarm);
  },
  { skip },
);
