// Two stations with a bound key each: a key reads and changes only its own station, and the other seems not to exist.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Answer, startTestApp } from '../../harness/site/app.ts';
import type { StoreName } from '../../harness/stores/stores.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

type Row = Readonly<Record<string, unknown>>;
type List = { readonly items: readonly Row[]; readonly paging: { readonly total: number } };

const scopes = ['alarms:read', 'alarms:write', 'alarms:ack', 'alarms:mask', 'history:read'];

/** A response without its request id and numbers, so that two of the same kind compare equal. */
const likeness = (answer: Answer) =>
  `${answer.status} ${answer.text.replace(/"requestId":"[^"]+"/, '').replace(/\d+/g, 'N')}`;

async function twoStations(t: TestContext, kind: StoreName) {
  const app = await startTestApp(t, kind);
  const admin = await app.signIn();
  const askAs = (token: string) => (method: string, path: string, body?: unknown) =>
    app.request(method, `/api/v1/${path}`, { token, body });
  const ask = askAs(admin);
  const make = async (path: string, body: object) => {
    const answer = await ask('POST', path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body as number;
  };
  const sides = [];
  for (const name of ['North', 'South']) {
    const stationId = await make('stations', { name });
    const key = await ask('POST', 'auth/keys', { name, scopes, stationIds: [stationId], expiryTime: '2030-01-01' });
    const dataServerId = await make('dataservers', { name: `${name} server`, stationId });
    const tagGroupId = await make('taggroups', { name: `${name} group`, stationId });
    const asked = askAs((key.body as { token: string }).token);
    sides.push({ name, stationId, dataServerId, tagGroupId, ask: asked });
  }
  const [north, south] = sides;
  assert.ok(north !== undefined && south !== undefined);
  return { app, ask, make, north, south };
}

const listed = async (answer: Promise<Answer>) => (await answer).body as List;

testOnAnyStore('a bound key creates alarms in its station, also under a path the other one uses', async (t, kind) => {
  const { ask, north, south } = await twoStations(t, kind);
  const ids: unknown[] = [];
  for (const side of [north, south]) {
    for (const body of [
      { path: 'Pump' },
      { path: 'Pump', stationId: side.stationId },
      { path: 'Pump', stationId: 0 },
    ]) {
      ids.push((await side.ask('POST', 'alarms', body)).body);
    }
  }
  assert.deepEqual(ids, [1, 1, 1, 2, 2, 2], 'one each, whichever way the station is named');
  assert.equal(((await ask('GET', 'alarms/2')).body as Row).stationId, south.stationId);
  assert.deepEqual(
    (await listed(ask('GET', 'alarms'))).items.map(({ id }) => id),
    [1, 2],
    'the administrator sees both',
  );
});

testOnStores(
  'lists, totals, statistics, histories and interventions contain nothing of the other station',
  async (t, kind) => {
    const { app, ask, north, south } = await twoStations(t, kind);
    for (const [side, count] of [
      [north, 3],
      [south, 2],
    ] as const) {
      for (let n = 0; n < count; n++) {
        const { dataServerId, tagGroupId } = side;
        const body = { path: `Pump ${n}`, dataServerId, tagGroupId, alarmMessage: `${side.name} is hot` };
        const { body: id } = await side.ask('POST', 'alarms', body);
        app.clock.advance(60_000);
        await ask('POST', `alarms/${id}/acknowledge`);
      }
    }
    for (const [side, other, own] of [
      [north, south, 3],
      [south, north, 2],
    ] as const) {
      for (const list of ['alarms', 'alarms/histories', 'alarms/statistics']) {
        const page = await listed(side.ask('GET', list));
        assert.deepEqual([page.items.length, page.paging.total], [own, own], list);
        assert.ok(
          page.items.every(({ message }) => message === `${side.name} is hot`),
          list,
        );
        for (const filter of [
          `stationId=${other.stationId}`,
          `dataServerId=${other.dataServerId}`,
          `tagGroupId=${other.tagGroupId}`,
          `search=${other.name}`,
        ]) {
          const foreign = await listed(side.ask('GET', `${list}?${filter}`));
          assert.deepEqual([foreign.items, foreign.paging.total], [[], 0], `${list}?${filter}`);
        }
        const counted = await listed(side.ask('GET', `${list}?limit=0&stationId=${side.stationId}`));
        assert.equal(counted.paging.total, own);
      }
      const { items, paging } = await listed(side.ask('GET', 'alarms/interventions'));
      assert.deepEqual([items.map(({ interventionNumber }) => interventionNumber), paging.total], [[own], 1]);
      const foreign = await listed(side.ask('GET', `alarms/interventions?stationId=${other.stationId}`));
      assert.deepEqual([foreign.items, foreign.paging.total], [[], 0]);
    }
  },
);

testOnAnyStore(
  'an id of the other station gets the same response as an unknown id, and nothing is changed',
  async (t, kind) => {
    const { ask, north, south } = await twoStations(t, kind);
    const { body: id } = await north.ask('POST', 'alarms', { path: 'Pump', alarmMessage: 'hot' });
    const before = (await ask('GET', `alarms/${id}`)).body;
    const soon = { until: '2026-11-15T12:30:00Z', reason: 'x' };
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['DELETE', '', undefined],
      ['POST', '/acknowledge', {}],
      ['POST', '/reset', undefined],
      ['POST', '/mask', soon],
      ['POST', '/unmask', undefined],
      ['POST', '/comments', { comment: 'x' }],
    ] as const) {
      const foreign = await south.ask(method, `alarms/${id}${path}`, body);
      assert.equal(foreign.status, 404, `${method} ${path}`);
      assert.equal(
        likeness(foreign),
        likeness(await south.ask(method, `alarms/999${path}`, body)),
        `${method} ${path}`,
      );
    }
    for (const [field, value] of [
      ['stationId', north.stationId],
      ['dataServerId', north.dataServerId],
      ['tagGroupId', north.tagGroupId],
    ] as const) {
      const foreign = await south.ask('POST', 'alarms', { path: 'Pump', raised: false, [field]: value });
      assert.equal(foreign.status, 200, field);
      assert.match(foreign.headers.get('tocsin-warnings') ?? '', new RegExp(`^${field}: .* does not exist`));
      const unknown = await south.ask('POST', 'alarms', { path: 'Pump', raised: false, [field]: 999 });
      assert.equal(likeness(foreign), likeness(unknown), field);
    }
    assert.deepEqual((await ask('GET', `alarms/${id}`)).body, before);
    assert.equal((await listed(ask('GET', `alarms/histories?stationId=${north.stationId}`))).paging.total, 1);
    const made = await listed(ask('GET', 'alarms?alarmState=0&view=full'));
    assert.deepEqual(
      made.items.map((alarm) => (alarm as { stationId?: unknown }).stationId),
      made.items.map(() => south.stationId),
      'what was sent is kept at the own station',
    );
  },
);
