// Cuts TCP connections at random while alarms are sent: clients that resume miss nothing and get nothing twice; nothing
// is replayed to the others. `npm run bench:hub cuts` does the same with 50 clients and 1,000 cuts.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { randomFrom } from '../../../bench/seed/year.ts';
import { AlarmFlow } from '../../harness/hub/cut-client.ts';
import { startCutClients } from '../../harness/hub/cut-clients.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';

const cutsEach = 6;
const clientsOfKind = {
  ...{ feed: 3, stateful: 3, 'by position': 2, plain: 2 },
  ...{ classic: 2, 'classic by events': 1, 'classic by polls': 1 },
} as const;

testOnStores(
  'after random cuts a resuming client gets each alarm, change and removal exactly once, and others get no replay',
  async (t, kind) => {
    const seed = Number(process.env.SEED ?? randomInt(1_000_000));
    t.diagnostic(`SEED=${seed}`);
    const random = randomFrom(seed);
    const site = await startSite(t, kind);
    const flow = new AlarmFlow(async (path) => {
      const id = await site.alarms.send({ path });
      await site.request('POST', `/alarms/${id}/acknowledge`, { comment: 'seen' });
      await site.request('DELETE', `/alarms/${id}`);
    }, true);
    const clients = await startCutClients(clientsOfKind, site.app.url, site.token, flow);
    t.after(() => Promise.all([flow.end(), ...clients.map((client) => client.stop())]));
    // After all clients are connected, so that each should receive every alarm.
    flow.begin();
    await Promise.all(clients.map((client) => client.suffer(cutsEach, random)));
    await Promise.all(clients.map((client) => client.settle()));
    await flow.untilNext();
    const last = await flow.end();
    for (const client of clients) await client.untilHeard(last);
    for (const client of clients) assert.deepEqual(client.faults(last), [], client.kind);
    const unplaced = clients.reduce((sum, client) => sum + client.heardUnplaced, 0);
    t.diagnostic(`${last} alarms; ${unplaced} heard by clients that were cut before they had said where to go on`);
  },
);
