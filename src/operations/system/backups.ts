// The backups that the server makes: which nodes make them and how often, when the last one was begun and the last good one made, as a
// row that the nodes share, and the system alarm while that is too long ago.

import { printTime } from '../../domain/time-range.ts';
import { getMeta, removeMeta, setMeta } from '../../store/meta.ts';
import type { Instant, Operation, ReadTx } from '../../store/store.ts';
import { endOpenSystemAlarm } from '../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';

const key = 'backups';
const path = 'backup-old';
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const retryAfterMs = 15 * minuteMs;
/** A node says again that it makes backups, and is forgotten when it has not said so for long. */
const sayAgainAfterMs = 10 * minuteMs;
const silentAfterMs = 30 * minuteMs;

/** How often a node makes backups, and when it last said so. */
type Wish = { readonly everyMs: number; readonly saidAt: Instant };

type Backups = {
  readonly begunAt: Instant;
  /** When the last good one was begun; before the first, when the server first wanted to make one. */
  readonly goodAt: Instant;
  /** What went wrong last. */
  readonly problem: string | undefined;
  /** Where the last one was begun. */
  readonly folder: string;
  readonly isUnderWay: boolean;
  /** The node that began the last one; unknown in rows of earlier versions. */
  readonly begunBy?: string;
  readonly wishes: Readonly<Record<string, Wish>>;
};

async function read(tx: ReadTx): Promise<Backups | undefined> {
  const stored = await getMeta(tx, key);
  // Earlier versions named no folder and no nodes.
  return stored === undefined
    ? undefined
    : { folder: '', isUnderWay: false, wishes: {}, ...(JSON.parse(stored) as Row) };
}

type Row = Pick<Backups, 'begunAt' | 'goodAt' | 'problem'> & Partial<Backups>;

/** Returns the wishes of the nodes that still make backups. Absolute difference: a clock that was set must not bring back one that is over. */
function livingWishes({ wishes }: Pick<Backups, 'wishes'>, now: Instant): Record<string, Wish> {
  return Object.fromEntries(Object.entries(wishes).filter(([, { saidAt }]) => Math.abs(now - saidAt) <= silentAfterMs));
}

/** Returns the wishes of nodes that were heard of lately: one that is away is missed, and so are its backups. */
function knownWishes({ wishes }: Pick<Backups, 'wishes'>, now: Instant): Record<string, Wish> {
  const isKnown = ({ everyMs, saidAt }: Wish): boolean => Math.abs(now - saidAt) <= everyMs + dayMs;
  return Object.fromEntries(Object.entries(wishes).filter(([, wish]) => isKnown(wish)));
}

/** The nodes make one series of backups, as often as the most eager one wants. */
function shortest(wishes: Readonly<Record<string, Wish>>): number {
  return Math.min(...Object.values(wishes).map(({ everyMs }) => everyMs));
}

type Schedule = {
  readonly node: string;
  readonly folder: string;
  readonly everyMs: number;
  /** Whether the node still writes one that it began before. */
  readonly isBusy: boolean;
};

/** Returns when this node began a backup, if it is to make one now; the others then wait as if it had been made. */
export const beginBackup: Operation<Schedule, Instant | undefined> = {
  name: 'begin-backup',
  async run(tx, now, { node, folder, everyMs, isBusy }) {
    const before = await read(tx);
    const said = before?.wishes[node];
    const wishes = { ...livingWishes(before ?? { wishes: {} }, now), [node]: { everyMs, saidAt: now } };
    const due = shortest(wishes);
    // One that this node began and no longer makes was broken off, by a crash or a stop.
    const isBrokenOff = before?.isUnderWay === true && before.begunBy === node && !isBusy;
    const hasFailed = before?.problem !== undefined || isBrokenOff;
    const waitMs = hasFailed ? Math.min(due, retryAfterMs) : due;
    // Absolute difference: a clock that was set back must not stop the backups.
    if (before === undefined || (!isBusy && Math.abs(now - before.begunAt) >= waitMs)) {
      const { goodAt = now, problem } = before ?? {};
      const begun: Backups = { begunAt: now, goodAt, problem, folder, isUnderWay: true, begunBy: node, wishes };
      await setMeta(tx, key, JSON.stringify(begun));
      return now;
    }
    if (said?.everyMs !== everyMs || Math.abs(now - said.saidAt) >= sayAgainAfterMs)
      await setMeta(tx, key, JSON.stringify({ ...before, wishes }));
    return undefined;
  },
};

export const endBackup: Operation<{ readonly begunAt: Instant; readonly problem: string | undefined }, void> = {
  name: 'end-backup',
  async run(tx, _now, { begunAt, problem }) {
    const before = await read(tx);
    if (before === undefined) return;
    // One that took so long that another was begun says nothing of that one.
    const isLast = begunAt === before.begunAt;
    const goodAt = problem === undefined && begunAt > before.goodAt ? begunAt : before.goodAt;
    const last = isLast ? { problem, isUnderWay: false } : {};
    await setMeta(tx, key, JSON.stringify({ ...before, goodAt, ...last }));
  },
};

/** Raises the alarm while the last good backup is older than two should be, and ends it. */
export const watchBackups: Operation<Record<string, never>, void> = {
  name: 'watch-backups',
  async run(tx, now) {
    const row = await read(tx);
    if (row === undefined) return;
    const { begunAt, goodAt, problem, folder, isUnderWay } = row;
    if (now - goodAt <= 2 * shortest(knownWishes(row, now))) return endOpenSystemAlarm(tx, now, path, 'end-calls');
    const isStuck = isUnderWay && now - begunAt > retryAfterMs;
    // After the server was off for long, the backup that it begins first is waited for.
    if (isUnderWay && !isStuck && problem === undefined) return;
    const failed = problem === undefined ? '' : ` The last try failed: ${problem.replace(/\.$/, '')}.`;
    const why = isStuck ? ` The one that was begun at ${printTime(begunAt)} has not ended.` : failed;
    await raiseSystemAlarm(tx, now, {
      path,
      priority: 2,
      message: `Since ${printTime(goodAt)} no good backup was made in ${folder}.${why}`,
      isCalled: true,
    });
  },
};

/** Says that this node makes no backups; ends the alarm when no other does. */
export const forgetBackups: Operation<{ readonly node: string }, void> = {
  name: 'forget-backups',
  async run(tx, now, { node }) {
    const row = await read(tx);
    if (row === undefined) return;
    const { [node]: own, ...others } = knownWishes(row, now);
    if (Object.keys(others).length === 0) {
      await removeMeta(tx, key);
      return endOpenSystemAlarm(tx, now, path, 'end-calls');
    }
    if (own !== undefined) await setMeta(tx, key, JSON.stringify({ ...row, wishes: others }));
    await watchBackups.run(tx, now, {});
  },
};
