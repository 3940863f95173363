// Latched alarms (`resettable: false`) stay active until an operator resets them after the source is back to normal.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { alarmDesk } from '../../harness/alarm-desk.ts';
import { startTestApp } from '../../harness/app.ts';
import type { StoreName } from '../../harness/stores.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';

async function desk(t: TestContext, kind: StoreName) {
  const atDesk = await alarmDesk(await startTestApp(t, kind));
  const state = async (id: number) => (await atDesk.alarm(id)).state;
  return { ...atDesk, state };
}

const fire = { path: 'Fire', alarmMessage: 'Fire in hall 2', eventCondition: { resettable: false } };

testOnStores('a latched alarm stays active after the return to normal until an operator resets it', async (t, kind) => {
  const { app, ask, send, state, histories } = await desk(t, kind);
  const id = await send(fire);
  const early = await ask('POST', `/${id}/reset`);
  assert.deepEqual([early.status, await state(id)], [422, 3], 'the condition still holds');
  app.clock.advance(60_000);
  await send({ path: 'Fire', raised: false });
  assert.equal(await state(id), 3, 'the return is recorded, the alarm stays');
  assert.deepEqual(
    (await histories()).map(({ resetTime }) => resetTime),
    [undefined],
  );
  await ask('POST', `/${id}/acknowledge`);
  assert.equal(await state(id), 1);
  app.clock.advance(60_000);
  assert.equal((await ask('POST', `/${id}/reset`)).text, 'true');
  assert.equal(await state(id), 0);
  const [entry] = await histories();
  assert.deepEqual(
    [entry?.resetTime, entry?.alarmDuration, entry?.interventionDuration],
    ['2026-11-15T13:02:00.000+01:00', '00:02:00', '00:01:00'],
  );
  assert.equal((await ask('POST', `/${id}/reset`)).status, 409);
});

testOnStores(
  'a latched alarm that is reset first still needs an acknowledgement; raised again, it refuses a reset',
  async (t, kind) => {
    const { ask, send, state, histories } = await desk(t, kind);
    const id = await send(fire);
    await send({ path: 'Fire', raised: false });
    await send({ path: 'Fire', raised: true });
    assert.equal((await ask('POST', `/${id}/reset`)).status, 422, 'it holds again');
    assert.equal((await histories()).length, 1, 'and is still the same occurrence');
    await send({ path: 'Fire', raised: false });
    await ask('POST', `/${id}/reset`);
    assert.equal(await state(id), 2);
    await ask('POST', `/${id}/acknowledge`);
    assert.equal(await state(id), 0);
  },
);
