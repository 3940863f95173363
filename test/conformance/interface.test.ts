// Tests the tables of the interface: fields, types and scopes; each test is named after its sections of
// docs/interface.md.

import assert from 'node:assert/strict';
import { startSite } from '../harness/site/site.ts';
import { testOnStores } from '../harness/stores/test-on-stores.ts';

type Row = Readonly<Record<string, unknown>>;
type Problem = { readonly code: string };

const withOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/;
const withoutOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/;
const duration = /^\d{2,}:[0-5]\d:[0-5]\d$/;

type Kind = 'integer' | 'string' | 'boolean' | RegExp;

/** Asserts exactly these fields, in this order, each with its type. */
function hasShape(row: Row | undefined, shape: Readonly<Record<string, Kind>>): void {
  assert.deepEqual(Object.keys(row ?? {}), Object.keys(shape));
  for (const [field, kind] of Object.entries(shape)) {
    const value = row?.[field];
    if (kind instanceof RegExp) assert.match(String(value), kind, field);
    else if (kind === 'integer') assert.ok(Number.isInteger(value), `${field}: ${JSON.stringify(value)}`);
    else assert.equal(typeof value, kind, field);
  }
}

const alarmShape = {
  id: 'integer',
  dataServerId: 'integer',
  path: 'string',
  fullPath: 'string',
  name: 'string',
  localizedName: 'string',
  value: 'string',
  message: 'string',
  resetMessage: 'string',
  ackMessage: 'string',
  priority: 'integer',
  state: 'integer',
  masked: 'boolean',
  alarmTime: withOffset,
  lastChange: withoutOffset,
  ackUser: 'string',
  attachedFile: 'string',
  resetAttachedFile: 'string',
  ackAttachedFile: 'string',
  comment: 'string',
} as const;

const historyStart = {
  id: 'integer',
  tagId: 'integer',
  tagName: 'string',
  message: 'string',
  priority: 'integer',
  alarmTime: withOffset,
} as const;

const action = { id: 4, type: 'CallGroup', scriptId: 5, parameter: '30', flags: 2 };
const beacon = { id: 'b1', name: 'Door', type: 'Nfc', accuracy: 0.5, date: '2026-11-15T12:00:00Z' };
const location = {
  latitude: 48.8566,
  longitude: -2.3522,
  horizontalAccuracy: 5,
  altitude: 35.5,
  verticalAccuracy: 1e-3,
  date: '2026-11-15T12:00:00+01:00',
  beaconList: [beacon, { ...beacon, type: 'Undefined' }],
  zone: 'Hall 2',
};
const texts = (word: string) => ({
  [`${word}Message`]: `${word} message`,
  [`${word}Format`]: '{message} {time}',
  [`${word}ShortMessage`]: `${word} short`,
  [`${word}VocalMessageFile`]: `${word}.wav`,
  [`${word}AttachedFile`]: `${word}.pdf`,
  [`${word}Actions`]: ['CallGroup', 'ExecuteCommand', 'StopCommand', 'PlaySound', 'CallUser'].map((type) => ({
    ...action,
    type,
  })),
});

testOnStores(
  '2.1 PagingCollection, 2.2 Alarm: exactly these fields, in this order, of these types',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.alarms.send({ path: 'a' });
    await site.alarms.send({
      path: 'b',
      ...texts('alarm'),
      ...texts('ack'),
      ...texts('reset'),
      value: '7',
      names: { fr: 'B' },
      location,
    });
    await site.request('POST', '/alarms/2/acknowledge', { comment: 'mine' });
    await site.request('POST', '/alarms/2/mask', { until: '2026-11-15T13:00:00Z', reason: 'x' });
    await site.alarms.dismissThoseFromTocsin();
    const page = await site.alarms.list();
    assert.deepEqual(Object.keys(page), ['items', 'paging']);
    assert.deepEqual(Object.entries(page.paging), [
      ['offset', 0],
      ['limit', 10],
      ['total', 2],
    ]);
    for (const item of page.items) hasShape(item, alarmShape);
    const [bare, full] = page.items;
    for (const field of [
      'ackUser',
      'attachedFile',
      'resetAttachedFile',
      'ackAttachedFile',
      'comment',
      'value',
      'message',
    ])
      assert.equal(bare?.[field], '', `${field} is empty when there is none`);
    assert.equal(full?.fullPath, 'API\\b');
    assert.deepEqual([full?.ackUser, full?.comment, full?.masked, full?.state], ['admin', 'mine', true, 1]);
    assert.equal(full?.alarmTime, '2026-11-15T13:00:00.000+01:00', 'the offset of the zone, never Z');
    const one = (await site.request('GET', '/alarms/1')).body as Row;
    assert.deepEqual(Object.keys(one).slice(0, 20), Object.keys(alarmShape), 'the twenty come first there too');
    const [detailed] = (await site.alarms.list('?view=full')).items;
    assert.deepEqual(detailed, one);
  },
);

testOnStores('2.3 AlarmHistory: fields that do not apply are omitted, never null', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const path of ['open', 'taken', 'over', 'over and taken', 'taken and over']) await site.alarms.send({ path });
  site.app.clock.advance(90_061_999);
  for (const path of ['over', 'over and taken']) await site.alarms.send({ path, raised: false });
  for (const id of [2, 5]) await site.request('POST', `/alarms/${id}/acknowledge`, {});
  site.app.clock.advance(1_000);
  await site.request('POST', '/alarms/4/acknowledge', { comment: 'late' });
  await site.alarms.send({ path: 'taken and over', raised: false });
  const { items, paging } = await site.alarms.histories();
  assert.deepEqual(Object.keys(paging), ['offset', 'limit', 'total']);
  const [open, taken, over, overAndTaken, takenAndOver] = items;
  const end = { comment: 'string' } as const;
  hasShape(open, { ...historyStart, ...end });
  hasShape(taken, { ...historyStart, ackTime: withOffset, reactionDuration: duration, ...end });
  hasShape(over, { ...historyStart, resetTime: withOffset, alarmDuration: duration, ...end });
  const both = {
    ackTime: withOffset,
    resetTime: withOffset,
    alarmDuration: duration,
    reactionDuration: duration,
  } as const;
  hasShape(overAndTaken, { ...historyStart, ...both, ...end });
  hasShape(takenAndOver, { ...historyStart, ...both, interventionDuration: duration, ...end });
  assert.deepEqual([open?.comment, overAndTaken?.comment, open?.priority, open?.tagId], ['', 'late', 3, 1]);
  assert.deepEqual(
    [taken?.reactionDuration, takenAndOver?.interventionDuration],
    ['25:01:01', '00:00:01'],
    'past 24 h, down',
  );
});

testOnStores(
  '2.4 AlarmStatistic, 2.5 AlarmIntervention: exactly these fields; paging without an offset',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await site.alarms.send({ path: 'a', alarmMessage: 'old', alarmShortMessage: '4711', priority: 9 });
    site.app.clock.advance(100_000);
    await site.alarms.acknowledge(id);
    await site.alarms.send({ path: 'a', raised: false });
    await site.alarms.send({ path: 'a', alarmMessage: 'new' });
    site.app.clock.advance(3_599_000);
    await site.alarms.acknowledge(id);
    const statistics = await site.list('/alarms/statistics?offset=0');
    assert.deepEqual(Object.entries(statistics.paging), [
      ['limit', 10],
      ['total', 1],
    ]);
    hasShape(statistics.items[0], {
      id: 'integer',
      tagName: 'string',
      message: 'string',
      priority: 'integer',
      code: 'integer',
      failureNumber: 'integer',
      failureTotalTime: duration,
      failureMeanTime: duration,
    });
    assert.deepEqual(Object.values(statistics.items[0] ?? {}), [id, 'a', 'new', 9, 4711, 2, '01:01:39', '00:30:49']);
    const interventions = await site.list('/alarms/interventions?offset=0');
    assert.deepEqual(Object.entries(interventions.paging), [
      ['limit', 10],
      ['total', 1],
    ]);
    hasShape(interventions.items[0], {
      id: 'integer',
      user: 'string',
      interventionNumber: 'integer',
      reactionMeanTime: duration,
      interventionMeanTime: duration,
    });
    assert.deepEqual(Object.values(interventions.items[0] ?? {}), [1, 'admin', 2, '00:30:49', '00:00:00']);
    for (const path of ['alarms/statistics', 'alarms/interventions']) {
      const beyond = await site.list(`/${path}?offset=1&limit=5`);
      assert.deepEqual(
        [beyond.items, beyond.paging],
        [[], { limit: 5, total: 1 }],
        'an offset counts, and is not told',
      );
    }
  },
);

testOnStores('2.6 every creation field is accepted with its type and read back', async (t, kind) => {
  const site = await startSite(t, kind);
  const stationId = await site.create('/stations', { name: 'North' });
  const dataServerId = await site.create('/dataservers', { name: 'PLC', stationId });
  const tagGroupId = await site.create('/taggroups', { name: 'Pumps', stationId });
  const eventCondition = { value: '>=80', transitory: false, reactivatable: false, resettable: true };
  const body = {
    stationId,
    dataServerId,
    path: 'Plant/Pump7',
    raised: true,
    tagGroupId,
    priority: 4_294_967_295,
    temporary: false,
    eventCondition,
    value: '93',
    location,
    alarmDelay: 0,
    ...texts('alarm'),
    ...texts('reset'),
    ...texts('ack'),
  };
  const sent = await site.request('POST', '/alarms', body);
  assert.deepEqual([sent.status, sent.headers.get('tocsin-ignored-fields')], [200, null], sent.text);
  const read = (await site.request('GET', `/alarms/${sent.body}`)).body as Row;
  const actions = (texts('alarm').alarmActions as (typeof action)[]).map(
    ({ id, type, scriptId, parameter, flags }) => ({
      type,
      id,
      scriptId,
      parameter,
      flags,
    }),
  );
  const expected = {
    stationId,
    dataServerId,
    path: 'Plant/Pump7',
    fullPath: 'PLC\\Plant/Pump7',
    state: 3,
    tagGroupId,
    priority: 4_294_967_295,
    value: '93',
    location,
    message: 'alarm message',
    resetMessage: 'reset message',
    ackMessage: 'ack message',
    attachedFile: 'alarm.pdf',
    resetAttachedFile: 'reset.pdf',
    ackAttachedFile: 'ack.pdf',
    actions: { alarm: actions, reset: actions, ack: actions },
  };
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((field) => [field, read[field]])), expected);
  for (const [field, value] of Object.entries(body)) {
    const alone = await site.request('POST', '/alarms', { path: `only ${field}`, [field]: value });
    assert.equal(alone.status, 200, `${field}: ${alone.text}`);
    assert.equal(alone.headers.get('tocsin-ignored-fields'), null, field);
  }
  const typo = await site.request('POST', '/alarms', { path: 'typo', alarmMesage: 'x', location: { zon: 1 } });
  assert.deepEqual([typo.status, typo.headers.get('tocsin-ignored-fields')], [200, 'alarmMesage, location.zon']);
  assert.ok(site.app.logLines.some(({ msg }) => msg === 'unknown fields ignored'));
});

testOnStores('4.2 POST returns 200 with the bare identifier as JSON', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.app.signIn();
  for (const [type, text] of [
    ['application/json', '1'],
    ['Application/JSON; charset="UTF-8"', '2'],
  ] as const) {
    const headers = { 'content-type': type };
    const answer = await site.app.request('POST', '/api/v1//alarms/', { token, headers, body: { alarmMessage: 'x' } });
    assert.deepEqual([answer.status, answer.text], [200, text]);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json(;|$)/);
  }
  assert.equal((await site.request('PUT', '/alarms', { path: 'x' })).status, 405);
});

testOnStores('5 the alarms resource and its sub-paths need `Authorization: Bearer <ACCESS_TOKEN>`', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.alarms.send({ path: 'a' });
  const before = (await site.request('GET', '/alarms')).text;
  const token = await site.app.signIn();
  const routes = [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/1'],
    ['DELETE', '/1'],
    ['GET', '/histories'],
    ['GET', '/statistics'],
    ['GET', '/interventions'],
    ['POST', '/1/acknowledge'],
    ['POST', '/1/reset'],
    ['POST', '/1/mask'],
    ['POST', '/1/unmask'],
    ['POST', '/1/comments'],
  ] as const;
  const others = [token, `Basic ${token}`, 'Bearer', `Bearer ${token}x`, `Bearer ${token} ${token}`, `Token ${token}`];
  for (const [method, path] of routes) {
    for (const authorization of [undefined, ...others]) {
      const headers = authorization === undefined ? {} : { authorization };
      const answer = await site.app.request(method, `/api/v1/alarms${path}?access_token=${token}`, { headers });
      const label = `${method} ${path} ${authorization}`;
      assert.deepEqual([answer.status, (answer.body as Problem).code], [401, 'not-signed-in'], label);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/, label);
    }
  }
  assert.equal((await site.request('GET', '/alarms')).text, before, 'and nothing happened');
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const headers = { authorization: `${scheme} ${token}` };
    assert.equal((await site.app.request('GET', '/api/v1/alarms', { headers })).status, 200, scheme);
  }
});

testOnStores('5 each operation on alarms needs its own scope', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.alarms.send({ path: 'a' });
  const uses = [
    ['alarms:read', 'GET', 'alarms', undefined],
    ['alarms:read', 'GET', 'alarms/1', undefined],
    ['history:read', 'GET', 'alarms/histories', undefined],
    ['history:read', 'GET', 'alarms/statistics', undefined],
    ['history:read', 'GET', 'alarms/interventions', undefined],
    ['alarms:write', 'POST', 'alarms', { path: 'a' }],
    ['alarms:ack', 'POST', 'alarms/1/comments', { comment: 'x' }],
    ['alarms:ack', 'POST', 'alarms/1/acknowledge', undefined],
    ['alarms:mask', 'POST', 'alarms/1/mask', { until: '2026-11-15T13:00:00Z', reason: 'x' }],
    ['alarms:mask', 'POST', 'alarms/1/unmask', undefined],
    ['alarms:mask', 'DELETE', 'alarms/1', undefined],
  ] as const;
  const all = [
    'alarms:read',
    'history:read',
    'alarms:write',
    'alarms:ack',
    'alarms:mask',
    'directory:write',
    'calls:send',
  ];
  for (const [scope, method, path, body] of uses) {
    const without = await site.keyFor(all.filter((other) => other !== scope));
    assert.equal(
      (await site.as(without).request(method, `/${path}`, body)).status,
      403,
      `${method} ${path} without ${scope}`,
    );
    const alone = await site.keyFor([scope]);
    assert.equal(
      (await site.as(alone).request(method, `/${path}`, body)).status,
      200,
      `${method} ${path} with ${scope}`,
    );
  }
});
