// The list of alarms by urgency and by several ids, and the counts of alarms: both equal what a client would compute from
// all alarms.

import assert from 'node:assert/strict';
import { chanceOf } from '../../harness/chance.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { type Row, refusal } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const seed = 20261115;
const alarmCount = 60;

/** Alarms of two stations in all states and priorities, some masked, one of them at rest, and one of Tocsin itself. */
async function plant(site: Site) {
  const chance = chanceOf(seed);
  const north = await site.create('/stations', { name: 'North' });
  const plc = await site.create('/dataservers', { name: 'PLC', stationId: 1 });
  const groups = [await site.create('/taggroups', { name: 'A' }), await site.create('/taggroups', { name: 'B' })];
  const reasonlessGroup = 77;
  for (let n = 0; n < alarmCount; n++) {
    const place = chance.pick([{ stationId: 1 }, { stationId: north }, { dataServerId: plc }]);
    const tagGroup = 'stationId' in place && place.stationId === north ? {} : { tagGroupId: chance.pick(groups) };
    const path = `${chance.pick(['red', 'green', 'blue'])}/tag ${n}`;
    const id = await site.alarms.send({ ...place, ...tagGroup, path, alarmMessage: 'stopped', priority: 1 + (n % 6) });
    if (chance.percent(50)) await site.alarms.acknowledge(id);
    if (chance.percent(40)) await site.alarms.send({ ...place, path, raised: false });
    if (chance.percent(20)) await mask(site, id);
    // Several alarms are raised at the same time.
    if (chance.percent(70)) site.app.clock.advance(1_000);
  }
  await site.alarms.send({
    path: 'odd',
    alarmMessage: 'odd',
    alarmActions: [{ type: 'CallGroup', id: reasonlessGroup }],
  });
  return { north, plc, groups };
}

function mask(site: Site, id: number) {
  return site.ask('POST', `/alarms/${id}/mask`, { until: '2026-11-15T20:00:00Z', reason: 'work' });
}

async function everyAlarm(site: Site): Promise<readonly Row[]> {
  const [current, atRest] = [
    await site.list('/alarms?view=full&limit=1000'),
    await site.list('/alarms?view=full&limit=1000&alarmState=0'),
  ];
  return [...current.items, ...atRest.items];
}

const num = (value: unknown) => Number(value);
const isCurrent = (alarm: Row) => alarm.state !== 0;

/** Query → the alarms it selects. */
function selections({ north, plc, groups }: Awaited<ReturnType<typeof plant>>, some: readonly number[]) {
  const among =
    (...ids: unknown[]) =>
    (value: unknown) =>
      ids.includes(value);
  return new Map<string, (alarm: Row) => boolean>([
    ['', isCurrent],
    [`stationId=${north}`, (alarm) => isCurrent(alarm) && alarm.stationId === north],
    [`stationId=1,${north},99`, isCurrent],
    [`dataServerId=${plc}&tagGroupId=${groups}`, (alarm) => isCurrent(alarm) && alarm.dataServerId === plc],
    [`tagGroupId=${groups[1]}`, (alarm) => isCurrent(alarm) && alarm.tagGroupId === groups[1]],
    ['priority=1,5', (alarm) => isCurrent(alarm) && among(1, 5)(alarm.priority)],
    ['priority=0', () => false],
    ['alarmState=2', (alarm) => alarm.state === 2],
    ['alarmState=0', (alarm) => alarm.state === 0],
    ['inactiveMasked=1', (alarm) => isCurrent(alarm) || alarm.masked === true],
    ['inactiveMasked=2', (alarm) => !isCurrent(alarm) && alarm.masked === true],
    [`afterId=${some[0]}`, (alarm) => isCurrent(alarm) && num(alarm.id) > num(some[0])],
    [
      `inactiveMasked=1&afterId=${some[0]}`,
      (alarm) => (isCurrent(alarm) || alarm.masked === true) && num(alarm.id) > num(some[0]),
    ],
    [
      `inactiveMasked=1&tagGroupId=${groups[0]}`,
      (alarm) => (isCurrent(alarm) || alarm.masked === true) && alarm.tagGroupId === groups[0],
    ],
    [
      `inactiveMasked=1&tagGroupId=${groups[0]}&afterId=${some[0]}`,
      (alarm) =>
        (isCurrent(alarm) || alarm.masked === true) && alarm.tagGroupId === groups[0] && num(alarm.id) > num(some[0]),
    ],
    [
      `inactiveMasked=1&id=${some}`,
      (alarm) => (isCurrent(alarm) || alarm.masked === true) && some.includes(num(alarm.id)),
    ],
    [`id=${some}`, (alarm) => isCurrent(alarm) && some.includes(num(alarm.id))],
    ['callGroupId=5,77', (alarm) => isCurrent(alarm) && alarm.path === 'odd'],
    ['callGroupId=5,6', () => false],
    ['search=tag+gre', (alarm) => isCurrent(alarm) && String(alarm.path).startsWith('green')],
  ]);
}

function states(alarms: readonly Row[]): Row {
  const of = (state: number) => alarms.filter((alarm) => alarm.state === state).length;
  return { normal: of(0), activeAcknowledged: of(1), clearedUnacknowledged: of(2), activeUnacknowledged: of(3) };
}

function counted(alarms: readonly Row[]): Row {
  const plain = alarms.filter(({ masked, system }) => masked === false && system === false);
  return {
    priorities: [1, 2, 3, 4].map((priority) => ({
      priority,
      ...states(plain.filter((alarm) => Math.min(num(alarm.priority), 4) === priority)),
    })),
    system: states(alarms.filter(({ masked, system }) => masked === false && system === true)),
    masked: states(alarms.filter(({ masked }) => masked === true)),
    total: alarms.length,
  };
}

/** Not acknowledged, then priority, then the newest; masked last. */
function byUrgency(one: Row, other: Row): number {
  const keys = ({ masked, state, priority, alarmTime, id }: Row) =>
    [
      masked === true ? 1 : 0,
      num(state) >= 2 ? 0 : 1,
      num(priority),
      -Date.parse(String(alarmTime)),
      -num(id),
    ] as const;
  const [a, b] = [keys(one), keys(other)];
  const at = a.findIndex((key, index) => key !== b[index]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

testOnStores('counts and lists by urgency equal what all alarms say, for every filter', async (t, kind) => {
  const site = await startSite(t, kind);
  const where = await plant(site);
  const all = await everyAlarm(site);
  const kinds = counted(all.filter(isCurrent));
  assert.ok([kinds.system, kinds.masked].every((one) => Object.values(one as Row).some((n) => num(n) > 0)));
  const some = all.filter((_, index) => index % 9 === 0).map(({ id }) => num(id));
  for (const [query, isSelected] of selections(where, some)) {
    const expected = all.filter(isSelected);
    assert.deepEqual(await site.ask('GET', `/alarms/counts?${query}`), counted(expected), `counts?${query}`);
    const urgent = expected.toSorted(byUrgency).map(({ id }) => id);
    const { items, paging } = await site.list(`/alarms?sort=urgent&limit=1000&${query}`);
    assert.deepEqual([items.map(({ id }) => id), paging.total], [urgent, expected.length], `urgent ${query}`);
    const part = await site.list(`/alarms?sort=urgent&limit=4&offset=3&${query}`);
    assert.deepEqual(
      part.items.map(({ id }) => id),
      urgent.slice(3, 7),
      `part of urgent ${query}`,
    );
    for (const [sort, direction] of [
      ['id', 1],
      ['-id', -1],
    ] as const) {
      const { items: byId } = await site.list(`/alarms?sort=${sort}&limit=1000&${query}`);
      assert.deepEqual(
        byId.map(({ id }) => num(id)),
        expected.map(({ id }) => num(id)).toSorted((a, b) => direction * (a - b)),
        `${sort} ${query}`,
      );
    }
  }
});

testOnStores(
  'a caller bound to stations lists and counts its own alarms, also beside ids of others',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { north } = await plant(site);
    const bound = site.as(await site.keyFor(['alarms:read'], [north]));
    const own = (await everyAlarm(site)).filter((alarm) => isCurrent(alarm) && alarm.stationId === north);
    assert.ok(own.length > 5);
    assert.deepEqual(await bound.ask('GET', '/alarms/counts'), counted(own));
    assert.deepEqual(await bound.ask('GET', `/alarms/counts?stationId=1,${north}`), counted(own));
    assert.deepEqual(await bound.ask('GET', '/alarms/counts?stationId=1'), counted([]));
    assert.deepEqual(await bound.ask('GET', '/alarms/counts?tagGroupId=1,2'), counted([]));
    const [first] = own;
    for (const query of ['afterId=', 'inactiveMasked=1&afterId=']) {
      const { items } = await bound.list(`/alarms?view=full&limit=1000&${query}${first?.id}`);
      assert.ok(items.length >= own.length - 1);
      assert.ok(items.every(({ id, stationId }) => stationId === north && num(id) > num(first?.id)));
    }
  },
);

testOnAnyStore('a list of ids is refused whole, by the name of its parameter', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const text of ['x', '1,x', '1,,2', ',', '-1', '1;2', '1.5', '4294967296', '1,4294967296', ' 1']) {
    const answer = await site.request('GET', `/alarms?stationId=${encodeURIComponent(text)}`);
    assert.deepEqual(refusal(answer), [400, 'stationId'], text);
  }
  const many = Array.from({ length: 1_001 }, (_, n) => n).join();
  assert.deepEqual(refusal(await site.request('GET', `/alarms/counts?id=${many}`)), [400, 'id']);
  assert.deepEqual(refusal(await site.request('GET', '/alarms?sort=+urgent')), [400, 'sort']);
  assert.equal((await site.list('/alarms?stationId=')).paging.total, 0, 'an empty one counts as absent');
});

testOnAnyStore('the full view has the condition of an alarm', async (t, kind) => {
  const site = await startSite(t, kind);
  const eventCondition = { value: '>=80', transitory: false, reactivatable: true, resettable: false };
  const id = await site.alarms.send({ path: 'hot', value: '90', eventCondition });
  const plain = await site.alarms.send({ path: 'plain' });
  assert.deepEqual((await site.alarms.get(id)).eventCondition, eventCondition);
  const [listed] = (await site.list(`/alarms?view=full&id=${plain}`)).items;
  const usual = { value: '', transitory: false, reactivatable: false, resettable: true };
  assert.deepEqual(listed?.eventCondition, usual);
});
