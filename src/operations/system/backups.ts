// The backups that the server makes: when the last one was begun and the last good one made, as a row that the nodes share, and the
// system alarm while that is too long ago.

import { printTime } from '../../domain/time-range.ts';
import { getMeta, removeMeta, setMeta } from '../../store/meta.ts';
import type { Instant, Operation, ReadTx, Tx } from '../../store/store.ts';
import { endOpenSystemAlarm } from '../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';

const key = 'backups';
const path = 'backup-old';
const retryAfterMs = 15 * 60_000;
const dayMs = 86_400_000;

type Backups = {
  readonly everyMs: number;
  readonly begunAt: Instant;
  /** When the last good one was begun; before the first, when the server first wanted to make one. */
  readonly goodAt: Instant;
  /** What went wrong last. */
  readonly problem: string | undefined;
};

async function read(tx: ReadTx): Promise<Backups | undefined> {
  const stored = await getMeta(tx, key);
  return stored === undefined ? undefined : (JSON.parse(stored) as Backups);
}

type Schedule = { readonly everyMs: number };

/** Returns whether this node is to make a backup now; the others then wait as if it had been made. */
export const beginBackup: Operation<Schedule, boolean> = {
  name: 'begin-backup',
  async run(tx, now, { everyMs }) {
    const before = await read(tx);
    const waitMs = before?.problem === undefined ? everyMs : Math.min(everyMs, retryAfterMs);
    // Absolute difference: a clock that was set back must not stop the backups.
    if (before !== undefined && Math.abs(now - before.begunAt) < waitMs) return false;
    const goodAt = before?.goodAt ?? now;
    await setMeta(tx, key, JSON.stringify({ everyMs, begunAt: now, goodAt, problem: before?.problem }));
    return true;
  },
};

export const endBackup: Operation<{ readonly problem: string | undefined }, void> = {
  name: 'end-backup',
  async run(tx, _now, { problem }) {
    const before = await read(tx);
    if (before === undefined) return;
    const goodAt = problem === undefined ? before.begunAt : before.goodAt;
    await setMeta(tx, key, JSON.stringify({ ...before, goodAt, problem }));
  },
};

/** Raises the alarm while the last good backup is older than two should be, and ends it. */
export const watchBackups: Operation<Schedule & { readonly folder: string }, void> = {
  name: 'watch-backups',
  async run(tx, now, { everyMs, folder }) {
    const { goodAt = now, problem } = (await read(tx)) ?? {};
    if (now - goodAt <= 2 * everyMs) return endOpenSystemAlarm(tx, now, path, 'end-calls');
    const why = problem === undefined ? '' : ` The last try failed: ${problem.replace(/\.$/, '')}.`;
    await raiseSystemAlarm(tx, now, {
      path,
      priority: 2,
      message: `Since ${printTime(goodAt)} no good backup was made in ${folder}.${why}`,
      isCalled: true,
    });
  },
};

/** Ends the alarm when no node makes backups any more. */
export const forgetBackups: Operation<Record<string, never>, void> = {
  name: 'forget-backups',
  async run(tx, now) {
    const before = await read(tx);
    if (before === undefined || now - before.begunAt <= before.everyMs + dayMs) return;
    await removeBackups(tx, now);
  },
};

async function removeBackups(tx: Tx, now: Instant): Promise<void> {
  await removeMeta(tx, key);
  await endOpenSystemAlarm(tx, now, path, 'end-calls');
}
