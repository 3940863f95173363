// Keeps the pace of purging as a row, and says by a system alarm that old records are not removed for now.

import { aheadAt } from '../../domain/clock-step.ts';
import { firstPace, nextPass, type PurgePace } from '../../domain/purge-pace.ts';
import { setMeta } from '../../store/meta.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { endOpenSystemAlarm } from '../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';
import { readClockSteps } from './reference-time.ts';

const paceKey = 'purge';
const alarmPath = 'purge-waits';
const dayMs = 86_400_000;

/** Returns the time as of which this pass removes old records; undefined if it removes none. */
export const beginPurge: Operation<{ readonly startedAt: Instant }, Instant | undefined> = {
  name: 'begin-purge',
  async run(tx, now, { startedAt }) {
    const time = await referenceTime(tx, now);
    const before = (await storedPace(tx)) ?? firstPace(await newestBefore(tx, startedAt, time), time);
    const { pace, asOf } = nextPass(before, time);
    await setMeta(tx, paceKey, JSON.stringify(pace));
    if (pace.isTold && !before.isTold) await tell(tx, now, time, before.asOf);
    if (before.isTold && !pace.isTold) await endOpenSystemAlarm(tx, now, alarmPath, 'end-calls');
    return asOf;
  },
};

/** After the database's clock was set back, the nodes stay ahead of it; records are removed by what it shows. */
async function referenceTime(tx: Tx, now: Instant): Promise<Instant> {
  const steps = await readClockSteps(tx);
  return now - aheadAt(steps, now - steps.aheadMs);
}

async function storedPace(tx: Tx): Promise<PurgePace | undefined> {
  const row = await tx.one(selectPace, {});
  return row && (JSON.parse(row.value) as PurgePace);
}

/**
 * A store that an older version purged has no pace: what it stored last, before this process began, is then the newest time
 * that is known to be right. A new store has nothing from before.
 */
async function newestBefore(tx: Tx, startedAt: Instant, time: Instant): Promise<Instant> {
  return (await tx.one(selectNewestEvent, { startedAt }))?.at ?? time;
}

async function tell(tx: Tx, now: Instant, time: Instant, asOf: Instant): Promise<void> {
  const days = Math.floor((time - asOf) / dayMs);
  await raiseSystemAlarm(tx, now, {
    path: alarmPath,
    message: { code: 'purge-waits', parameters: { clock: time, days } },
  });
}

const selectPace = statement((db) => db.selectFrom('meta').select('value').where('key', '=', paceKey));

const selectNewestEvent = statement((db, args: { startedAt: Instant }) =>
  db
    .selectFrom('events')
    .select('at')
    .where('position', 'is not', null)
    .where('at', '<', args.startedAt)
    .orderBy('position', 'desc')
    .limit(1),
);
