// Requests every route with a key that has all scopes but those of an effect: the effect does not happen. With them it does.

import assert from 'node:assert/strict';
import { type Scope, scopes } from '../../../src/domain/access/access.ts';
import { type Effect, effectScopes } from '../../../src/domain/access/effects.ts';
import type { OpenApiDocument } from '../../../src/http/openapi/document.ts';
import {
  type ApiOperation,
  buildRequest,
  type ObjectKind,
  operationsOf,
  type Slot,
} from '../../harness/openapi/openapi-requests.ts';
import { type Answer, startTestApp } from '../../harness/site/app.ts';
import { type Site, siteOn } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { scriptFolder } from '../../harness/site/site-scripts.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const address = '+33612345987';
const scriptId = 7;
const script = { type: 'ExecuteCommand', scriptId, parameter: '' };

/** Of others: these open connections, remove the key itself, or answer at a phone, which is an effect with a scope of its own. */
const leftOut = /^\/api\/v1\/(providers|auth\/|demo|simulator)/;

type Ids = Readonly<Partial<Record<ObjectKind, number>>>;

/** An alarm that rings, a person with a telephone, their duty, and a scenario that runs a script. */
async function makePlant(site: Site): Promise<Ids> {
  const ana = await site.person('ana', { numbers: [voice(address)] });
  const user = ana.id;
  const team = await site.create('/teams', { name: 'Night', members: [{ userId: user }] });
  const weekly = [
    { teamId: team, days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '00:00', to: '24:00' },
  ];
  const schedule = await site.create('/schedules', { name: 'Nights', timeZone: 'UTC', weekly });
  const override = await site.create(`/schedules/${schedule}/overrides`, {
    userId: user,
    from: '2026-11-20T08:00',
    to: '2026-11-21T08:00',
  });
  const callGroup = await site.create('/callgroups', { name: 'Pumps', teamIds: [team], scheduleId: schedule });
  const scenario = await site.create('/scenarios', { name: 'Fire', alarmActions: [script] });
  const tagGroup = await site.create('/taggroups', { name: 'Pumps' });
  const alarmActions = [{ type: 'CallGroup', id: callGroup }];
  const alarm = await site.alarms.send({ path: 'Plant/Pump1', priority: 1, tagGroupId: tagGroup, alarmActions });
  await ana.isCalled();
  return { user, team, schedule, override, callGroup, scenario, tagGroup, alarm, station: 1 };
}

/** Adds a script to every list of actions in a body. */
function withScripts(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(withScripts);
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, /Actions$/.test(name) ? [script] : withScripts(value)]),
  );
}

const isRemoval = ({ method }: ApiOperation): boolean => method === 'DELETE';

/** Which ids a request names: those of its path alone, all, and all but that of a person, where a team can stand as well. */
const fillings: readonly ((slot: Slot) => boolean)[] = [
  ({ where }) => where === 'path',
  () => true,
  ({ where, kind }) => where === 'path' || kind !== 'user',
];

/** Whether the effect has happened after a request. */
type HasHappened = (operation: ApiOperation, answer: Answer) => Promise<boolean>;

/** Sends each request with some ids and with all fields, removals last, until the effect has happened; returns the request. */
async function firstWithEffect(site: Site, token: string, ids: Ids, hasHappened: HasHappened) {
  const { body: document } = await site.app.request('GET', '/api/v1/openapi.json');
  const operations = operationsOf(document as OpenApiDocument).filter(({ path }) => !leftOut.test(path));
  let carriedOut = 0;
  for (const operation of operations.toSorted((one, other) => Number(isRemoval(one)) - Number(isRemoval(other)))) {
    const sent = new Set<string>();
    for (const [index, isFilled] of fillings.entries()) {
      const fill = (slot: Slot) => (isFilled(slot) ? (ids[slot.kind] ?? 4_000_000) : undefined);
      const { method, path, body } = buildRequest(operation, fill, { isWhole: index === 1 });
      // Of most operations all fillings are the same.
      const text = JSON.stringify([path, body]);
      if (sent.has(text)) continue;
      sent.add(text);
      const answer = await site.app.request(method, path, { token, body: withScripts(body) });
      if (answer.status < 300) carriedOut += 1;
      if (await hasHappened(operation, answer)) return { effectOf: `${method} ${operation.path}`, carriedOut };
    }
  }
  return { effectOf: undefined, carriedOut };
}

/** Without the scopes of the effect no request has it; with them, one has. */
async function assertNeedsScopes(site: Site, effect: Effect, ids: Ids, hasHappened: HasHappened): Promise<void> {
  const needed: readonly Scope[] = effectScopes[effect];
  const without = await site.keyFor(scopes.filter((scope) => !needed.includes(scope)));
  const { effectOf, carriedOut } = await firstWithEffect(site, without, ids, hasHappened);
  assert.equal(effectOf, undefined, `has the effect to ${effect} without a scope for it`);
  assert.ok(carriedOut > 90, `${carriedOut} requests were carried out`);
  const control = await firstWithEffect(site, site.token, ids, hasHappened);
  assert.notEqual(control.effectOf, undefined, `no request of an administrator has the effect to ${effect}`);
}

const hasChanged = ({ method }: ApiOperation, { status }: Answer): boolean => method !== 'GET' && status < 300;

testOnAnyStore('without its scopes no route ends the calling for an alarm', async (t, kind) => {
  const site = await siteOn(t, await startTestApp(t, kind));
  const ids = await makePlant(site);
  await assertNeedsScopes(site, 'end calling', ids, async (operation, answer) => {
    if (!hasChanged(operation, answer)) return false;
    const alarm = await site.request('GET', `/alarms/${ids.alarm}`);
    const { state, masked } = alarm.body as Row;
    return alarm.status === 404 || (Number(state) & 2) === 0 || masked === true;
  });
});

testOnAnyStore('without its scope no route makes a script run', async (t, kind) => {
  const { settings: overrides } = await scriptFolder(t, { [scriptId]: '#!/bin/sh\n' });
  const site = await siteOn(t, await startTestApp(t, kind, { overrides }));
  const ids = await makePlant(site);
  const tables = await tablesOf(site.app.environment);
  t.after(() => tables.close());
  await assertNeedsScopes(site, 'run a script', ids, async (operation, answer) => {
    if (!hasChanged(operation, answer)) return false;
    for (const raised of [false, true]) await site.alarms.send({ path: 'Plant/Pump1', raised });
    return (await tables.all('command_runs')).length > 0;
  });
});

testOnStores('without its scope no route shows an address', async (t, kind) => {
  const site = await siteOn(t, await startTestApp(t, kind));
  const ids = await makePlant(site);
  await assertNeedsScopes(site, 'see an address', ids, async ({ scope }, { text }) => {
    // The journal and what administrators enter show whatever was entered.
    return scope !== 'audit:read' && scope !== 'admin' && text.includes(address.slice(1));
  });
});

testOnAnyStore('without its scopes no route changes a duty', async (t, kind) => {
  const site = await siteOn(t, await startTestApp(t, kind));
  const ids = await makePlant(site);
  const duty = async () => {
    const { onDuty, replacedById } = await site.ask('GET', `/users/${ids.user}`);
    const { weekly, overrides } = await site.ask('GET', `/schedules/${ids.schedule}`);
    const { members } = await site.ask('GET', `/teams/${ids.team}`);
    return JSON.stringify({ onDuty, replacedById, weekly, overrides, members });
  };
  const before = await duty();
  await assertNeedsScopes(
    site,
    'change a duty',
    ids,
    async (operation, answer) => hasChanged(operation, answer) && (await duty()) !== before,
  );
});

testOnAnyStore('without its scope no route takes an alarm in the name of somebody else', async (t, kind) => {
  const site = await siteOn(t, await startTestApp(t, kind));
  const ids = { ...(await makePlant(site)) };
  const hasHappened: HasHappened = async (operation, answer) => {
    if (!hasChanged(operation, answer)) return false;
    const { body } = await site.request('GET', `/alarms/${ids.alarm}`);
    // Raised again, so that the next request finds an alarm that nobody has taken.
    for (const raised of [false, true]) ids.alarm = await site.alarms.send({ path: 'Plant/Pump1', raised });
    return (body as Row).ackUser === 'ana';
  };
  // First with the scope: without it, the removals at the end of the requests remove the person too.
  const control = await firstWithEffect(site, site.token, ids, hasHappened);
  assert.match(String(control.effectOf), /acknowledge/);
  const needed: readonly Scope[] = effectScopes['act for somebody else'];
  const without = await site.keyFor(scopes.filter((scope) => !needed.includes(scope)));
  const { effectOf, carriedOut } = await firstWithEffect(site, without, ids, hasHappened);
  assert.equal(effectOf, undefined);
  assert.ok(carriedOut > 90, `${carriedOut} requests were carried out`);
});
