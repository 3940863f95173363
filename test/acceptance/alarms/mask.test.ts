// Masking: a masked alarm is still listed and recorded; a mask has an end, a reason and a maximum duration.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

type Problem = { readonly errors?: readonly { readonly field: string }[] };

const ids = async (site: Site, path: string) => (await site.list(path)).items.map(({ id }) => id);

const pump = { path: 'Pump', alarmMessage: 'Pump is hot' };
const hour = { until: '2026-11-15T14:00:00+01:00', reason: 'being repaired' };

testOnAnyStore('a masked alarm is listed with author, reason and end, and its state still changes', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(pump);
  site.app.clock.advance(1_000);
  assert.equal((await site.request('POST', `/alarms/${id}/mask`, hour)).text, 'true');
  const { masked, maskedUntil, maskedBy, maskReason, isaState, state, lastChange } = await site.alarms.get(id);
  assert.deepEqual(
    { masked, maskedUntil, maskedBy, maskReason, isaState, state, lastChange },
    {
      masked: true,
      maskedUntil: '2026-11-15T14:00:00.000+01:00',
      maskedBy: 'admin',
      maskReason: 'being repaired',
      isaState: 'SHLVD',
      state: 3,
      lastChange: '2026-11-15T12:00:01.000',
    },
  );
  assert.deepEqual(await ids(site, '/alarms'), [id], 'still current');
  await site.alarms.send({ path: 'Pump', raised: false });
  await site.alarms.acknowledge(id);
  assert.deepEqual([(await site.alarms.get(id)).state, (await site.alarms.get(id)).masked], [0, true]);
  assert.deepEqual(await ids(site, '/alarms'), []);
  assert.deepEqual(await ids(site, '/alarms?inactiveMasked=2'), [id]);
  await site.alarms.send(pump);
  assert.deepEqual(
    [(await site.alarms.get(id)).state, (await site.alarms.get(id)).occurrences],
    [3, 2],
    'recorded all the same',
  );
  assert.deepEqual(await ids(site, '/alarms/histories'), [1, 2]);
});

testOnAnyStore('W6: a mask of so many minutes ends by the clock of the server', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(pump);
  const reason = 'being repaired';
  assert.equal((await site.request('POST', `/alarms/${id}/mask`, { minutes: 30, reason })).text, 'true');
  assert.equal((await site.alarms.get(id)).maskedUntil, '2026-11-15T13:30:00.000+01:00');
  assert.deepEqual(await site.ask('POST', '/alarms/mask', { ids: [id], minutes: 60, reason }), [id]);
  assert.equal((await site.alarms.get(id)).maskedUntil, '2026-11-15T14:00:00.000+01:00');
  for (const [body, status, field] of [
    [{ reason }, 400, 'until'],
    [{ ...hour, minutes: 30 }, 400, 'minutes'],
    [{ minutes: 60_000, reason }, 422, 'minutes'],
  ] as const) {
    const answer = await site.request('POST', `/alarms/${id}/mask`, body);
    assert.equal(answer.status, status);
    assert.equal((JSON.parse(answer.text) as Problem).errors?.[0]?.field, field);
  }
});

testOnAnyStore('a mask ends at its time', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ ...pump, raised: false });
  const seen = await site.alarms.send({ path: 'Witness', alarmDelay: 1 });
  await site.request('POST', `/alarms/${id}/mask`, { ...hour, until: '2026-11-15T14:00:00' });
  site.app.clock.advance(3_599_999);
  await until(
    () => site.alarms.get(seen),
    ({ state }) => state === 3,
  );
  assert.equal(
    (await site.alarms.get(id)).masked,
    true,
    'one millisecond early; and without an offset it is the server’s zone',
  );
  site.app.clock.advance(1);
  const after = await until(
    () => site.alarms.get(id),
    ({ masked }) => masked === false,
  );
  assert.deepEqual([after.isaState, after.lastChange], ['NORM', '2026-11-15T13:00:00.000']);
  for (const field of ['maskedUntil', 'maskedBy', 'maskReason']) assert.ok(!(field in after), field);
  assert.deepEqual(await ids(site, '/alarms?inactiveMasked=2'), []);
});

testOnAnyStore('a mask can be replaced and ended by request; ending it twice is a conflict', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(pump);
  await site.request('POST', `/alarms/${id}/mask`, hour);
  await site.request('POST', `/alarms/${id}/mask`, { until: '2026-11-15T12:30:00Z', reason: 'half as long' });
  const replaced = await site.alarms.get(id);
  assert.deepEqual([replaced.maskedUntil, replaced.maskReason], ['2026-11-15T13:30:00.000+01:00', 'half as long']);
  assert.equal((await site.request('POST', `/alarms/${id}/unmask`)).text, 'true');
  assert.deepEqual([(await site.alarms.get(id)).masked, (await site.alarms.get(id)).state], [false, 3]);
  assert.equal((await site.request('POST', `/alarms/${id}/unmask`)).status, 409);
});

testOnAnyStore('a mask without an end or a reason, or longer than the maximum, is refused', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_MASK_HOURS: '1' } });
  const id = await site.alarms.send(pump);
  const cases: readonly [body: object, status: number, field: string][] = [
    [{}, 400, 'reason'],
    [{ until: hour.until }, 400, 'reason'],
    [{ until: hour.until, reason: null }, 400, 'reason'],
    [{ until: hour.until, reason: '' }, 400, 'reason'],
    [{ until: hour.until, reason: ' \t ' }, 422, 'reason'],
    [{ reason: 'x' }, 400, 'until'],
    [{ until: 'tomorrow', reason: 'x' }, 400, 'until'],
    [{ until: '2026-02-30T00:00:00Z', reason: 'x' }, 400, 'until'],
    [{ until: 3_600, reason: 'x' }, 400, 'until'],
    [{ until: '2026-11-15T12:00:00Z', reason: 'x' }, 422, 'until'],
    [{ until: '2026-11-15T13:00:00.001Z', reason: 'x' }, 422, 'until'],
    [{ until: '9999-12-31T23:59:59Z', reason: 'x' }, 422, 'until'],
  ];
  for (const [body, status, field] of cases) {
    const answer = await site.request('POST', `/alarms/${id}/mask`, body);
    const label = `${JSON.stringify(body)}: ${answer.text}`;
    assert.equal(answer.status, status, label);
    assert.ok(
      (answer.body as Problem).errors?.some((error) => error.field === field),
      label,
    );
    assert.equal((await site.alarms.get(id)).masked, false, label);
  }
  assert.equal((await site.request('POST', `/alarms/${id}/mask`, hour)).status, 200, 'the cap itself is allowed');
});

testOnAnyStore('a mask ends at its time after a restart of the server', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send(pump);
  await site.request('POST', `/alarms/${id}/mask`, hour);
  site.app.clock.advance(60_000);
  await site.restart();
  site.app.clock.advance(59 * 60_000 - 1_000);
  assert.equal((await site.alarms.get(id)).masked, true);
  site.app.clock.advance(1_000);
  await until(
    () => site.alarms.get(id),
    ({ masked }) => masked === false,
  );
});

testOnAnyStore('several alarms are masked and unmasked at once, each with its own result', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  const [pump7, valve] = [await site.alarms.send(pump), await site.alarms.send({ path: 'Valve' })];
  const foreign = await site.alarms.send({ path: 'Far', stationId: north });
  const bound = await site.keyFor(['alarms:mask'], [1]);
  type Results = readonly (number | { code: string })[];
  const command = async (path: string, body: object) => {
    const answer = await site.app.request('POST', `/api/v1/alarms/${path}`, { token: bound, body });
    const results = answer.status === 200 ? (answer.body as Results) : [];
    return [answer.status, results.map((result) => (typeof result === 'number' ? result : result.code))];
  };
  const several = [pump7, 99, foreign, valve];
  assert.deepEqual(await command('mask', { ids: several, until: '2030-01-01', reason: 'too long' }), [422, []]);
  assert.deepEqual(await command('mask', { ids: several, ...hour }), [200, [pump7, 'not-found', 'not-found', valve]]);
  assert.deepEqual((await site.alarms.get(valve)).maskReason, 'being repaired');
  assert.equal((await site.alarms.get(foreign)).masked, false);
  assert.equal((await site.request('POST', `/alarms/${valve}/unmask`, {})).text, 'true');
  assert.deepEqual(await command('unmask', { ids: [pump7, valve] }), [200, [pump7, 'already-done']]);
  assert.equal((await site.alarms.get(pump7)).masked, false);
});
