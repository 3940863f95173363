// Commands of people that arrive together are stored together, and each is decided on as if it had come alone.

import assert from 'node:assert/strict';
import { commandAlarm } from '../../../src/operations/alarms/operator-commands.ts';
import { recount } from '../../harness/history/recount.ts';
import { startTestApp, type TestApp } from '../../harness/site/app.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';

type Input = Parameters<(typeof commandAlarm)['run']>[2];

const caller = { actor: 'user:1', stationIds: [] } as unknown as Input['caller'];
const by = { name: 'admin', userId: 1 };
const acknowledge = { kind: 'acknowledge', by: 'admin', comment: '' } as const;

/** Carries out the commands in one set; the first one keeps the store busy, so that the others gather. */
async function together(app: TestApp, commands: readonly (readonly [id: number, Input['command']])[]) {
  const settled = await Promise.allSettled(
    commands.map(([id, command]) => app.store.write(commandAlarm, { caller, id, command, by })),
  );
  return settled.map((one) => (one.status === 'fulfilled' ? 'done' : one.reason.code));
}

async function started(t: Parameters<typeof startTestApp>[0], kind: Parameters<typeof startTestApp>[1]) {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const send = (body: object) => app.request('POST', '/api/v1/alarms', { token, body });
  await send({ path: 'first' });
  return { app, send, token };
}

testOnStores('an alarm that one command removes is not found by the next', async (t, kind) => {
  const { app, send } = await started(t, kind);
  await send({ path: 'passing', temporary: true });
  await send({ path: 'passing', raised: false });
  const mask = { kind: 'mask', until: app.clock.now() + 3_600_000, reason: 'work', by: 'admin' } as const;
  const commands = [
    [1, acknowledge],
    [2, acknowledge],
    [2, mask],
    [2, acknowledge],
  ] as const;
  assert.deepEqual(await together(app, commands), ['done', 'done', 'not-found', 'not-found']);
});

testOnStores('a reset and an acknowledgement at once leave the counts of interventions right', async (t, kind) => {
  const { app, send } = await started(t, kind);
  await send({ path: 'latched', eventCondition: { resettable: false } });
  await send({ path: 'latched', raised: false });
  assert.deepEqual(
    await together(app, [
      [1, acknowledge],
      [2, { kind: 'reset' }],
      [2, acknowledge],
    ]),
    ['done', 'done', 'done'],
  );
  const tables = await tablesOf(app.environment);
  t.after(() => tables.close());
  const counts = Object.entries(await recount(tables));
  assert.ok(counts.length > 0);
  for (const [name, { wrong, missing }] of counts)
    assert.deepEqual({ wrong, missing }, { wrong: [], missing: [] }, name);
});
