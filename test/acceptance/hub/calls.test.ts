// The hub sends calls that change to the consoles that subscribed and may see them.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { getCalls } from '../../../src/operations/calls/views/open-calls.ts';
import { type HubClient, hubClient } from '../../harness/hub/hub-client.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { failRead } from '../../harness/site/store-faults.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

async function listener(t: TestContext, site: Site, token: string, filter: object): Promise<HubClient> {
  const client = await hubClient(t, site.app.url, token);
  await client.connection.invoke('subscribe', filter);
  return client;
}

/** Resolves with the newest push of a call when it matches. */
const newestCall = ({ calls }: HubClient, matches: (call: Row) => boolean) =>
  until(
    () => calls.at(-1),
    (call) => call !== undefined && matches(call),
  );

const firstPerson = ({ people }: Row) => (people as readonly Row[])[0];

testOnStores('onCall shows each step of a call as GET /calls does, and its end', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 2 })] });
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
  const scopes = ['alarms:read', 'calls:read'];
  const console = await listener(t, site, site.token, { calls: true });
  const own = await listener(t, site, await site.keyFor(scopes, [1]), { calls: true });
  const others = [
    await listener(t, site, await site.keyFor(scopes, [north]), { calls: true }),
    await listener(t, site, await site.keyFor(['alarms:read']), { calls: true }),
    await listener(t, site, site.token, { changes: true }),
  ];
  const alarmId = await site.alarms.raise(pumps);
  await ana.isCalled();
  await newestCall(console, (call) => firstPerson(call)?.attempt === '1/2');
  // The push of the last step may come after the response to a request.
  await until(
    async () => [console.calls.at(-1), (await site.list('/calls')).items[0]],
    ([pushed, listed]) => isDeepStrictEqual(pushed, listed),
  );
  await site.advance('31s');
  await newestCall(console, (call) => firstPerson(call)?.step === 'retrying');
  await site.alarms.acknowledge(alarmId);
  await newestCall(console, ({ phase }) => phase === 'ended');
  await newestCall(own, ({ phase, name }) => phase === 'ended' && name === 'Pumps');
  await site.alarms.send({ path: 'last', stationId: north });
  await until(
    () => others.map(({ alarms }) => alarms.map(({ path }) => path)),
    (told) => told.every((paths) => paths.includes('last')),
  );
  for (const { calls } of others) assert.deepEqual(calls, []);
});

testOnAnyStore('the end of a call is pushed also when the first read of it failed', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const pumps = await site.group('Pumps', [await site.team('Night', [ana])]);
  const console = await listener(t, site, site.token, { calls: true });
  const alarmId = await site.alarms.raise(pumps);
  await ana.isCalled();
  // Otherwise the read for an earlier step might fail in place of that for the last one.
  await until(
    async () => [console.calls.at(-1), (await site.list('/calls')).items[0]],
    ([pushed, listed]) => isDeepStrictEqual(pushed, listed),
  );
  const { isLost } = failRead(site.app.store, getCalls);
  await site.alarms.acknowledge(alarmId);
  await newestCall(console, ({ phase }) => phase === 'ended');
  assert.equal(isLost(), true);
});
