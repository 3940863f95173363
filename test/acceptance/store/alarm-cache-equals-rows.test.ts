// The alarm cache of the SQLite writer equals the database after any sequence of operations, including ones that are
// rolled back.

import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { type Caller, systemCaller } from '../../../src/domain/access/access.ts';
import { AppError } from '../../../src/errors.ts';
import { alarmCache } from '../../../src/operations/alarms/cache.ts';
import { reportAlarm, reportAlarms } from '../../../src/operations/alarms/intake/report.ts';
import type { AlarmReport } from '../../../src/operations/alarms/intake/report-message.ts';
import { reportValues } from '../../../src/operations/alarms/intake/report-value.ts';
import {
  commandAlarm,
  commentAlarm,
  deleteAlarm,
  runDueAlarms,
} from '../../../src/operations/alarms/operator-commands.ts';
import { findAlarmRecords } from '../../../src/operations/alarms/queries.ts';
import type { AlarmRecord } from '../../../src/operations/alarms/record.ts';
import { trimHistory } from '../../../src/operations/history/purge.ts';
import { createPlantEntry, replacePlantEntry } from '../../../src/operations/plant/change-resource.ts';
import { noteClockStep } from '../../../src/operations/system/clock-step.ts';
import { firstStart } from '../../../src/operations/system/first-start.ts';
import { listOperation } from '../../../src/store/list-operation.ts';
import type { Operation, Tx } from '../../../src/store/store.ts';
import { fc } from '../../harness/fast-check.ts';
import { soak } from '../../harness/soak.ts';
import { MemoryStore } from '../../harness/stores/memory-store.ts';

const caller = systemCaller;
const by = { name: 'admin', userId: 1 };
const mostAlarms = 30;

type Step = (store: MemoryStore, now: number) => Promise<unknown>;

/** Reports the alarm and then throws, so that the transaction is rolled back. */
const undone: Operation<AlarmReport, never> = {
  name: 'undone',
  async run(tx, now, report) {
    await reportAlarm.run(tx, now, report);
    throw new AppError('unprocessable', 'No.');
  },
};

const texts = fc.record(
  { message: fc.constantFrom('Pump too hot', 'Tank 3 low', ''), shortMessage: fc.constantFrom('17', 'hot') },
  { requiredKeys: [] },
);
const change = fc.record(
  {
    temporary: fc.boolean(),
    alarmDelay: fc.constantFrom(0, 0, 0, 40),
    condition: fc.record(
      { transitory: fc.boolean(), reactivatable: fc.boolean(), resettable: fc.boolean() },
      { requiredKeys: [] },
    ),
    names: fc.constantFrom({}, { en: 'Pump', fr: 'Pompe' }),
    location: fc.constantFrom(undefined, { latitude: 1 }),
    alarm: texts,
    reset: texts,
  },
  { requiredKeys: [] },
);

const report: fc.Arbitrary<AlarmReport> = fc.record({
  caller: fc.constant(caller),
  stationId: fc.constant(undefined),
  dataServerId: fc.constantFrom(undefined, 2),
  tagGroupId: fc.constantFrom(undefined, undefined, 1, 2),
  path: fc.constantFrom('a', 'b', 'c', 'd', undefined),
  priority: fc.constantFrom(undefined, 1, 4),
  value: fc.constantFrom(undefined, '7', '80'),
  raised: fc.constantFrom(undefined, true, true, false),
  change: change as fc.Arbitrary<AlarmReport['change']>,
});

const id = fc.integer({ min: 1, max: 8 });
const command = fc.constantFrom('acknowledge', 'reset', 'mask', 'unmask' as const);

/** Maps a generated value to a step. */
function does<T>(drawn: fc.Arbitrary<T>, act: (store: MemoryStore, now: number, what: T) => Promise<unknown>) {
  return drawn.map(
    (what): Step =>
      (store, now) =>
        act(store, now, what),
  );
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 20, arbitrary: does(report, (store, now, sent) => store.write(reportAlarm, now, sent)) },
  { weight: 2, arbitrary: does(report, (store, now, sent) => store.write(undone, now, sent)) },
  {
    weight: 8,
    arbitrary: does(fc.tuple(id, command), (store, now, [alarm, kind]) => {
      const asked = { kind, by: 'admin', comment: 'seen', until: now + 3_000, reason: 'repair' } as const;
      return store.write(commandAlarm, now, { caller, id: alarm, command: asked, by });
    }),
  },
  does(fc.constantFrom('a', 'b'), (store, now, path) =>
    store.write(reportValues, now, [{ caller, dataServerId: undefined, path, value: '9', time: undefined }]),
  ),
  does(id, (store, now, alarm) => store.write(deleteAlarm, now, { caller, id: alarm, ifMatch: undefined })),
  does(id, (store, now, alarm) => store.write(commentAlarm, now, { caller, id: alarm, comment: 'look here' })),
  does(fc.constant({}), (store, now) => store.write(runDueAlarms, now, {})),
  does(fc.constant({}), (store, now) => store.write(trimHistory, now, { before: now })),
  does(fc.nat(3), (store, now, knownSteps) => {
    const ahead = { kind: 'forward', setMs: 500, byMs: 500, aheadMs: 500, since: now } as const;
    return store.write(noteClockStep, now, { knownSteps, ...ahead });
  }),
  does(fc.constantFrom('PLC', 'Old PLC'), (store, now, name) =>
    store.write(replacePlantEntry, now, { kind: 'dataServer', caller, id: 2, name, stationId: 1 }),
  ),
);

async function plant(): Promise<MemoryStore> {
  const store = new MemoryStore();
  await store.write(firstStart, 0, { epoch: 'e', adminPasswordHash: '' });
  const entry = { caller, stationId: 1 } as const;
  await store.write(createPlantEntry, 0, { ...entry, kind: 'dataServer', name: 'PLC' });
  await store.write(createPlantEntry, 0, { ...entry, kind: 'tagGroup', name: 'Pumps' });
  await store.write(createPlantEntry, 0, { ...entry, kind: 'tagGroup', name: 'Tanks' });
  return store;
}

/** As JSON, so that an absent field equals an undefined one. */
const plain = (alarm: AlarmRecord): unknown => JSON.parse(JSON.stringify(alarm));

/** Asserts that each cached alarm equals its rows, and returns the number of cached alarms. */
function atHand(store: MemoryStore): Promise<number> {
  const look = async (tx: Tx): Promise<number> => {
    const ids = Array.from({ length: mostAlarms }, (_, n) => n + 1);
    const known = ids.flatMap((alarm) => tx.cache?.(alarmCache).get(alarm) ?? []);
    const rows = new Map((await findAlarmRecords(tx, ids)).map((alarm) => [alarm.id, alarm]));
    for (const alarm of known) {
      const row = rows.get(alarm.id);
      assert.ok(row, `alarm ${alarm.id} is at hand and has no row`);
      assert.deepEqual(plain(alarm), plain(row));
      assert.equal(tx.cache?.(alarmCache).find(alarm.dataServerId, alarm.path), alarm);
    }
    return known.length;
  };
  return store.read({ name: 'look', run: look as never }, {});
}

test('the alarm cache equals the database after any sequence of operations and rollbacks', async () => {
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(2_000)), { minLength: 30, maxLength: 60 }), async (steps) => {
      const store = await plant();
      let now = 1_000;
      for (const [act, ms] of steps) {
        now += ms;
        await act(store, now).catch((error) => assert.ok(error instanceof AppError, String(error)));
        seen += await atHand(store);
      }
      store.close();
    }),
    { numRuns: soak(300) },
  );
  assert.ok(seen > 1_000, `only ${seen} alarms were looked at`);
});

const { codec: _, ...reportAsItIs } = reportAlarm;
const reportListAsItIs = listOperation('report-as-it-is', reportAsItIs);

/** Few callers are bound to a station, because one such report in a set disables the shortcut for known reports. */
const sender: fc.Arbitrary<Caller> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ actor: 'user:1', stationIds: [], mayRunCommands: true }) },
  { weight: 8, arbitrary: fc.constant({ actor: 'key:1', stationIds: [] }) },
  { weight: 2, arbitrary: fc.constant({ actor: 'key:2', stationIds: [1] }) },
);
const call = { type: 'CallUser', id: 9, scriptId: 0, parameter: '', flags: 2 };
const run = { ...call, type: 'ExecuteCommand', scriptId: 3 };
/** Few alarms and few changes, so that most reports are repeats. */
const sentAgain = fc
  .tuple(
    fc.constantFrom('a', 'b'),
    sender,
    fc.constantFrom({}, { alarm: { message: 'hot' } }, { alarm: { actions: [call] } }, { alarm: { actions: [run] } }),
  )
  .map(
    ([path, whose, sent]): AlarmReport => ({
      caller: whose,
      stationId: undefined,
      dataServerId: undefined,
      tagGroupId: undefined,
      path,
      priority: undefined,
      value: undefined,
      raised: true,
      change: sent,
    }),
  );

test('a report encoded by the thread codec has the same effect as one passed directly, also when its change is cached', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(sentAgain, { minLength: 1, maxLength: 4 }), { minLength: 30, maxLength: 40 }),
      async (sets) => {
        const [crossing, plainly] = [await plant(), await plant()];
        for (const [n, set] of sets.entries()) {
          const now = 1_000 * (n + 1);
          assert.deepEqual(
            await crossing.write(reportAlarms, now, set),
            await plainly.write(reportListAsItIs, now, set),
          );
          assert.deepEqual(await kept(crossing), await kept(plainly));
        }
        crossing.close();
        plainly.close();
      },
    ),
    { numRuns: soak(200) },
  );
});

function kept(store: MemoryStore): Promise<unknown> {
  const ids = Array.from({ length: mostAlarms }, (_, n) => n + 1);
  return store.read({ name: 'kept', run: (tx) => findAlarmRecords(tx, ids) }, {});
}

test('only the unit of work writes alarm rows in sets, so the cache sees every change', async () => {
  const using: string[] = [];
  for await (const file of glob('src/**/*.ts')) {
    if ((await readFile(file, 'utf8')).includes('alarmRows.')) using.push(file);
  }
  assert.deepEqual(using, ['src/operations/alarms/write-alarms.ts']);
});
