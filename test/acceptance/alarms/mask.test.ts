// Masking: a masked alarm is still listed and recorded; a mask has an end, a reason and a maximum duration.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { alarmDesk } from '../../harness/alarm-desk.ts';
import { startOn, startTestApp } from '../../harness/app.ts';
import type { StoreName } from '../../harness/stores.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';
import { until } from '../../harness/until.ts';

type Problem = { readonly errors?: readonly { readonly field: string }[] };

async function desk(t: TestContext, kind: StoreName, overrides: Record<string, string> = {}) {
  const atDesk = await alarmDesk(await startTestApp(t, kind, { overrides }));
  const ids = async (query: string) => (await atDesk.list(query)).items.map(({ id }) => id);
  return { ...atDesk, ids };
}

const pump = { path: 'Pump', alarmMessage: 'Pump is hot' };
const hour = { until: '2026-11-15T14:00:00+01:00', reason: 'being repaired' };

testOnStores('a masked alarm is listed with author, reason and end, and its state still changes', async (t, kind) => {
  const { app, ask, send, alarm, ids } = await desk(t, kind);
  const id = await send(pump);
  app.clock.advance(1_000);
  assert.equal((await ask('POST', `/${id}/mask`, hour)).text, 'true');
  const { masked, maskedUntil, maskedBy, maskReason, isaState, state, lastChange } = await alarm(id);
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
  assert.deepEqual(await ids(''), [id], 'still current');
  await send({ path: 'Pump', raised: false });
  await ask('POST', `/${id}/acknowledge`);
  assert.deepEqual([(await alarm(id)).state, (await alarm(id)).masked], [0, true]);
  assert.deepEqual(await ids(''), []);
  assert.deepEqual(await ids('?inactiveMasked=2'), [id]);
  await send(pump);
  assert.deepEqual([(await alarm(id)).state, (await alarm(id)).occurrences], [3, 2], 'recorded all the same');
  assert.deepEqual(await ids('/histories'), [1, 2]);
});

testOnStores('a mask ends at its time', async (t, kind) => {
  const { app, ask, send, alarm, ids } = await desk(t, kind);
  const id = await send({ ...pump, raised: false });
  const seen = await send({ path: 'Witness', alarmDelay: 1 });
  await ask('POST', `/${id}/mask`, { ...hour, until: '2026-11-15T14:00:00' });
  app.clock.advance(3_599_999);
  await until(
    () => alarm(seen),
    ({ state }) => state === 3,
  );
  assert.equal((await alarm(id)).masked, true, 'one millisecond early; and without an offset it is the server’s zone');
  app.clock.advance(1);
  const after = await until(
    () => alarm(id),
    ({ masked }) => masked === false,
  );
  assert.deepEqual([after.isaState, after.lastChange], ['NORM', '2026-11-15T13:00:00.000']);
  for (const field of ['maskedUntil', 'maskedBy', 'maskReason']) assert.ok(!(field in after), field);
  assert.deepEqual(await ids('?inactiveMasked=2'), []);
});

testOnStores('a mask can be replaced and ended by request; ending it twice is a conflict', async (t, kind) => {
  const { ask, send, alarm } = await desk(t, kind);
  const id = await send(pump);
  await ask('POST', `/${id}/mask`, hour);
  await ask('POST', `/${id}/mask`, { until: '2026-11-15T12:30:00Z', reason: 'half as long' });
  const replaced = await alarm(id);
  assert.deepEqual([replaced.maskedUntil, replaced.maskReason], ['2026-11-15T13:30:00.000+01:00', 'half as long']);
  assert.equal((await ask('POST', `/${id}/unmask`)).text, 'true');
  assert.deepEqual([(await alarm(id)).masked, (await alarm(id)).state], [false, 3]);
  assert.equal((await ask('POST', `/${id}/unmask`)).status, 409);
});

testOnStores('a mask without an end or a reason, or longer than the maximum, is refused', async (t, kind) => {
  const { ask, send, alarm } = await desk(t, kind, { TOCSIN_MASK_HOURS: '1' });
  const id = await send(pump);
  const cases: readonly [body: object, status: number, field: string][] = [
    [{}, 400, 'until'],
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
    const answer = await ask('POST', `/${id}/mask`, body);
    const label = `${JSON.stringify(body)}: ${answer.text}`;
    assert.equal(answer.status, status, label);
    assert.ok(
      (answer.body as Problem).errors?.some((error) => error.field === field),
      label,
    );
    assert.equal((await alarm(id)).masked, false, label);
  }
  assert.equal((await ask('POST', `/${id}/mask`, hour)).status, 200, 'the cap itself is allowed');
});

testOnStores('a mask ends at its time after a restart of the server', async (t, kind) => {
  const before = await desk(t, kind);
  const id = await before.send(pump);
  await before.ask('POST', `/${id}/mask`, hour);
  before.app.clock.advance(60_000);
  await before.app.stop();
  const after = await alarmDesk(await startOn(t, before.app.environment, before.app.clock));
  after.app.clock.advance(59 * 60_000 - 1_000);
  assert.equal((await after.alarm(id)).masked, true);
  after.app.clock.advance(1_000);
  await until(
    () => after.alarm(id),
    ({ masked }) => masked === false,
  );
});
