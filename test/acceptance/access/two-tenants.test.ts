// Two stations that share one installation: whatever a caller bound to station A requests, by every operation of the
// OpenAPI document and with every id, nothing of station B appears, and nothing of it changes.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import { roles, type Scope } from '../../../src/domain/access/access.ts';
import type { OpenApiDocument } from '../../../src/http/openapi/document.ts';
import { chanceOf } from '../../harness/chance.ts';
import { hubClient } from '../../harness/hub/hub-client.ts';
import { testSeed } from '../../harness/seed.ts';
import { startTestApp } from '../../harness/site/app.ts';
import { type Site, siteOn } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { soak } from '../../harness/soak.ts';
import type { StoreName } from '../../harness/stores/stores.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { type BoundCaller, boundCallers, boundRoles } from '../../harness/tenants/bound-callers.ts';
import { TenantProbe } from '../../harness/tenants/tenant-probe.ts';
import { makeTwoTenants, marker, type TwoTenants } from '../../harness/tenants/two-tenants.ts';

const firstSeed = testSeed ?? randomInt(1_000_000);

/** The lists that show everything that belongs to station B to an administrator. */
const listsOfB = (stationId: number) => [
  `/alarms?view=full&stationId=${stationId}&limit=1000`,
  `/alarms?view=full&alarmState=0&stationId=${stationId}&limit=1000`,
  `/alarms/histories?stationId=${stationId}&limit=1000`,
  `/alarms/statistics?stationId=${stationId}&limit=1000`,
  `/dataservers?stationId=${stationId}`,
  `/taggroups?stationId=${stationId}`,
  `/callgroups?stationId=${stationId}`,
  `/callgroupgroupings?stationId=${stationId}`,
  `/scenarios?stationId=${stationId}`,
  '/oncall',
];

/** Everything of station B, and what both stations use, as the administrator reads it. */
async function readB(site: Site, { stationA, stationB, seen, hidden, sharedSchedule }: TwoTenants): Promise<Row> {
  const found: Record<string, unknown> = {};
  for (const path of listsOfB(stationB)) {
    const list = await site.list(path);
    // Calls go on by themselves, and the server raises alarms of its own.
    const withoutCalls = ({ calls: _, ...item }: Row) => item;
    const isOfB = ({ stationId, path: tag = '', tagName = tag }: Row): boolean =>
      stationId !== stationA && !String(tagName).startsWith('system/');
    found[path] = list.items.filter(isOfB).map(withoutCalls);
  }
  const kinds = {
    user: 'users',
    team: 'teams',
    schedule: 'schedules',
    scenario: 'scenarios',
    station: 'stations',
  } as const;
  for (const [kind, path] of Object.entries(kinds) as [keyof typeof kinds, string][]) {
    const shared = { user: seen.user, team: seen.team, schedule: [sharedSchedule], scenario: [], station: [] }[kind];
    for (const id of [...hidden[kind], ...shared]) found[`/${path}/${id}`] = await site.ask('GET', `/${path}/${id}`);
  }
  return found;
}

async function probeTenants(t: TestContext, kind: StoreName, seed: number, isFirst: boolean): Promise<void> {
  t.diagnostic(`seed ${seed}`);
  const site = await siteOn(t, await startTestApp(t, kind));
  const keyOfA = async (stationId: number) => {
    const hub = await hubClient(t, site.app.url, await site.keyFor(['alarms:read', 'calls:read'], [stationId]));
    await hub.connection.invoke('subscribe', { changes: true, sounds: true, phones: true, calls: true });
    return hub;
  };
  const hub = await (isFirst ? keyOfA(1) : undefined);
  const tenants = await makeTwoTenants(site, seed, isFirst);
  const pushes = hub ?? (await keyOfA(tenants.stationA));
  const callers: BoundCaller[] = [];
  for (const role of boundRoles) callers.push(...(await boundCallers(site, role, tenants.stationA)));
  const { body: document } = await site.app.request('GET', '/api/v1/openapi.json');
  const probe = new TenantProbe(site, document as OpenApiDocument, tenants, chanceOf(seed));
  const before = await readB(site, tenants);
  const share = (index: number): number => (index === 0 ? 100 : soak(50));
  for (const [index, caller] of callers.entries()) {
    await probe.readAll(caller, share(index));
    await probe.compareIds(caller, share(index));
  }
  for (const [index, caller] of callers.entries()) await probe.changeAll(caller, share(index), 'parts');
  for (const [index, caller] of callers.entries()) await probe.changeAll(caller, share(index), 'others');
  for (const [index, caller] of callers.entries()) await probe.readAll(caller, share(index) / 4);
  for (const [index, caller] of callers.entries()) await probe.changeAll(caller, share(index), 'removals');
  t.diagnostic(`${probe.count} requests to ${probe.operations.length} operations`);
  assert.deepEqual(probe.breaches, []);
  const after = await readB(site, tenants);
  for (const [what, value] of Object.entries(before))
    assert.deepEqual(after[what], value, `${what} of station B has changed`);
  const { alarms, changes, sounds, phones, calls } = pushes;
  assert.ok(alarms.length > 0, 'the hub sends alarms of station A');
  assert.ok(calls.length > 0, 'the hub sends calls of station A');
  assert.doesNotMatch(
    JSON.stringify([alarms, changes, sounds, phones, calls]),
    marker,
    'the hub sends nothing of station B',
  );
  const reachable = new Set<string>([...(roles.supervisor as readonly Scope[]), 'signed-in', 'public']);
  // Codes are for one's own numbers alone; people/own-entry.test.ts has the rest. Reports are signed by a receiver. Only who
  // has rung in presses keys: channels/ring-in.test.ts.
  const special = [
    'POST /api/v1/auth/login',
    'POST /api/v1/providers/{id}/reports',
    'POST /api/v1/simulator/ring-in/{callId}/keys',
    'POST /api/v1/simulator/ring-in/{callId}/hangup',
    'POST /api/v1/users/{id}/numbers/{numberId}/verify',
  ];
  assert.deepEqual(
    probe.unreached(reachable).filter((one) => !special.includes(one)),
    [],
    'operations that the test cannot request yet',
  );
  await pushes.connection.stop();
  await site.app.stop();
}

testOnStores('callers bound to station A see and change nothing of station B', async (t, kind) => {
  for (let n = 0; n < soak(10); n++) await probeTenants(t, kind, firstSeed + n, (n % 2 === 0) === (kind === 'sqlite'));
});
