// The states of an alarm: raise, repeat, return to normal, acknowledgement, comment, removal, and the conflicts between
// them.

import assert from 'node:assert/strict';
import { startTestApp } from '../../harness/site/app.ts';
import { startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const pump = { path: 'Plant/Pump7', alarmMessage: 'Pump 7 is hot', value: '93' };

testOnAnyStore('a repeated raise updates the value and texts and begins no occurrence', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(pump);
  site.app.clock.advance(1_000);
  assert.equal(await site.alarms.send({ ...pump, value: '97', alarmMessage: 'Pump 7 is burning', priority: 1 }), id);
  const now = await site.alarms.get(id);
  assert.deepEqual(
    [now.value, now.message, now.priority, now.state, now.occurrences],
    ['97', 'Pump 7 is burning', 1, 3, 1],
  );
  assert.equal(now.alarmTime, '2026-11-15T13:00:00.000+01:00', 'still the raise it was');
  assert.equal(now.lastChange, '2026-11-15T12:00:01.000');
  site.app.clock.advance(1_000);
  await site.alarms.send({ ...pump, value: '97', alarmMessage: 'Pump 7 is burning', priority: 1 });
  assert.equal(
    (await site.alarms.get(id)).lastChange,
    '2026-11-15T12:00:01.000',
    'a repeat that says nothing new is no change',
  );
  const { items, paging } = await site.alarms.histories();
  assert.equal(paging.total, 1);
  assert.deepEqual([items[0]?.message, items[0]?.priority], ['Pump 7 is hot', 3], 'as at the raise');
});

testOnAnyStore(
  'acknowledgement and return to normal, in either order, pass through all four states',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await site.alarms.send(pump);
    assert.deepEqual([(await site.alarms.get(id)).state, (await site.alarms.get(id)).isaState], [3, 'UNACK']);
    site.app.clock.advance(10_000);
    assert.equal((await site.request('POST', `/alarms/${id}/acknowledge`)).text, 'true');
    const taken = await site.alarms.get(id);
    assert.deepEqual([taken.state, taken.ackUser, taken.ackUserId, taken.isaState], [1, 'admin', 1, 'ACKED']);
    assert.equal(taken.ackTime, '2026-11-15T13:00:10.000+01:00');
    site.app.clock.advance(10_000);
    await site.alarms.send({ path: pump.path, raised: false });
    assert.deepEqual([(await site.alarms.get(id)).state, (await site.alarms.get(id)).isaState], [0, 'NORM']);
    assert.equal((await site.alarms.get(id)).resetTime, '2026-11-15T13:00:20.000+01:00');
    assert.equal((await site.alarms.list()).paging.total, 0, 'at rest is not current');

    site.app.clock.advance(10_000);
    assert.equal(await site.alarms.send({ path: pump.path }), id);
    const again = await site.alarms.get(id);
    assert.deepEqual([again.state, again.occurrences, again.ackUser], [3, 2, ''], 'a new occurrence, taken by nobody');
    assert.equal(again.alarmTime, '2026-11-15T13:00:30.000+01:00');
    assert.deepEqual([again.ackTime, again.ackUserId, again.resetTime], [undefined, undefined, undefined]);
    site.app.clock.advance(10_000);
    await site.alarms.send({ path: pump.path, raised: false });
    assert.deepEqual([(await site.alarms.get(id)).state, (await site.alarms.get(id)).isaState], [2, 'RTNUN']);
    assert.equal((await site.alarms.list()).paging.total, 1, 'over, but nobody has seen it');
    await site.alarms.acknowledge(id);
    assert.equal((await site.alarms.get(id)).state, 0);
    assert.equal((await site.alarms.histories()).paging.total, 2);
  },
);

testOnAnyStore('an acknowledgement covers every unacknowledged occurrence and no earlier one', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(pump);
  await site.request('POST', `/alarms/${id}/acknowledge`, { comment: 'first' });
  for (const raised of [false, true, false, true, false, true]) {
    site.app.clock.advance(60_000);
    await site.alarms.send({ path: pump.path, raised });
  }
  site.app.clock.advance(60_000);
  await site.request('POST', `/alarms/${id}/acknowledge`, { comment: 'second' });
  const { items } = await site.alarms.histories();
  assert.deepEqual(
    items.map(({ comment, reactionDuration }) => [comment, reactionDuration]),
    [
      ['first', '00:00:00'],
      ['second', '00:05:00'],
      ['second', '00:03:00'],
      ['second', '00:01:00'],
    ],
  );
  assert.deepEqual(
    items.map(({ resetTime }) => resetTime !== undefined),
    [true, true, true, false],
  );
  assert.deepEqual(
    items.map(({ interventionDuration }) => interventionDuration),
    ['00:01:00', undefined, undefined, undefined],
    'nobody intervened in what was over before it was seen',
  );
});

testOnAnyStore('a command that was already done returns 409 and changes nothing', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ ...pump, raised: false });
  assert.equal((await site.alarms.histories()).paging.total, 0, 'raised false only defines');
  const conflict = async (path: string) => {
    const before = await site.alarms.get(id);
    const answer = await site.request('POST', `/alarms/${id}/${path}`);
    assert.deepEqual([answer.status, (answer.body as Row).code], [409, 'already-done'], `${path}: ${answer.text}`);
    assert.deepEqual(await site.alarms.get(id), before);
  };
  for (const path of ['acknowledge', 'reset', 'unmask']) await conflict(path);
  await site.alarms.send(pump);
  assert.equal((await site.request('POST', `/alarms/${id}/reset`)).status, 422, 'an active alarm that is not latched');
  await site.alarms.acknowledge(id);
  await conflict('acknowledge');
  await site.alarms.send({ path: pump.path, raised: false });
  for (const path of ['acknowledge', 'reset']) await conflict(path);
});

testOnAnyStore('one of several concurrent acknowledgements succeeds, the others get 409', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(pump);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => site.request('POST', `/alarms/${id}/acknowledge`)),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array.from({ length: 11 }, () => 409)]);
  assert.deepEqual(
    (await site.list('/alarms/interventions')).items.map(({ interventionNumber }) => interventionNumber),
    [1],
  );
});

testOnAnyStore(
  'a comment is shown with the alarm and its newest occurrence, and an acknowledgement without one keeps it',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await site.alarms.send(pump);
    site.app.clock.advance(5_000);
    assert.equal((await site.request('POST', `/alarms/${id}/comments`, { comment: 'valve stuck' })).text, 'true');
    const seen = await site.alarms.get(id);
    assert.deepEqual([seen.comment, seen.state, seen.lastChange], ['valve stuck', 3, '2026-11-15T12:00:05.000']);
    assert.equal((await site.alarms.histories()).items[0]?.comment, 'valve stuck');
    await site.alarms.acknowledge(id);
    assert.equal((await site.alarms.get(id)).comment, 'valve stuck');
    assert.equal((await site.alarms.histories()).items[0]?.comment, 'valve stuck');
    assert.equal((await site.request('POST', `/alarms/${id}/comments`, { comment: '' })).status, 400);
    await site.alarms.send({ ...pump, raised: false });
    assert.equal((await site.alarms.get(id)).comment, 'valve stuck', 'as long as it is the same occurrence');
    await site.alarms.send({ ...pump, raised: true });
    assert.equal((await site.alarms.get(id)).comment, '', 'nobody has said anything of the new one');
    assert.equal((await site.request('POST', `/alarms/${id}/comments`, {})).status, 400);
  },
);

testOnAnyStore('a removed alarm returns 404, its history stays, and its id is not reused', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(pump);
  await site.alarms.send({ path: pump.path, raised: false });
  await site.alarms.acknowledge(id);
  assert.equal((await site.request('DELETE', `/alarms/${id}`)).text, 'true');
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/acknowledge'],
    ['POST', '/reset'],
    ['POST', '/unmask'],
  ] as const) {
    assert.equal((await site.request(method, `/alarms/${id}${path}`)).status, 404, `${method} ${path}`);
  }
  assert.equal((await site.request('POST', `/alarms/${id}/comments`, { comment: 'x' })).status, 404);
  assert.equal((await site.alarms.list()).paging.total, 0);
  assert.deepEqual(
    (await site.alarms.histories()).items.map(({ tagId, tagName }) => [tagId, tagName]),
    [[id, pump.path]],
  );
  assert.equal((await site.list('/alarms/statistics')).paging.total, 1);
  const next = await site.alarms.send(pump);
  assert.ok(next > id);
  assert.deepEqual(
    (await site.alarms.histories()).items.map(({ tagId }) => tagId),
    [id, next],
  );
});

testOnAnyStore(
  'removing an active alarm ends its occurrence, so that its duration in the statistics stops growing',
  async (t, kind) => {
    const app = await startTestApp(t, kind);
    const token = await app.signIn();
    await app.request('POST', '/api/v1/alarms', { token, body: { path: 'Gone' } });
    app.clock.advance(60_000);
    await app.request('POST', '/api/v1/alarms/1/acknowledge', { token });
    assert.deepEqual((await app.request('DELETE', '/api/v1/alarms/1', { token })).body, true);
    app.clock.advance(3_600_000);
    const { body } = await app.request('GET', '/api/v1/alarms/statistics', { token });
    assert.equal((body as { items: { failureTotalTime: string }[] }).items[0]?.failureTotalTime, '00:01:00');
  },
);
