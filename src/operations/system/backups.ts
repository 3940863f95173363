// The backups that the server makes: which nodes make them and how often, when the last one was begun and the last good one made, as a
// row that the nodes share, and the system alarm while that is too long ago.

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
  readonly wishes: Wishes;
};

async function read(tx: ReadTx): Promise<Backups | undefined> {
  const stored = await getMeta(tx, key);
  // Earlier versions named no folder and no nodes.
  return stored === undefined
    ? undefined
    : { folder: '', isUnderWay: false, wishes: {}, ...(JSON.parse(stored) as Row) };
}

type Row = Pick<Backups, 'begunAt' | 'goodAt' | 'problem'> & Partial<Backups>;

type Wishes = Readonly<Record<string, Wish>>;

/** Returns the wishes that are not older than `limitOf` says. Absolute difference: a clock that was set back must not bring back one that is over. */
function recentWishes(wishes: Wishes, now: Instant, limitOf: (wish: Wish) => number): Wishes {
  return Object.fromEntries(Object.entries(wishes).filter(([, wish]) => Math.abs(now - wish.saidAt) <= limitOf(wish)));
}

/** Returns the wishes of the nodes that are running. */
function livingWishes(wishes: Wishes, now: Instant): Wishes {
  return recentWishes(wishes, now, () => silentAfterMs);
}

/** Returns the wishes that are still watched: backups are missed as well while the node that makes them is away. */
function watchedWishes(wishes: Wishes, now: Instant): Wishes {
  return recentWishes(wishes, now, ({ everyMs }) => everyMs + dayMs);
}

/** The nodes make one series of backups, as often as the most eager one wants. */
function shortest(wishes: Wishes): number {
  return Math.min(...Object.values(wishes).map(({ everyMs }) => everyMs));
}

type Schedule = {
  readonly node: string;
  readonly folder: string;
  readonly everyMs: number;
  /** Whether the node still writes one that it began before. */
  readonly isBusy: boolean;
};

/** A backup that this node began and no longer makes was ended by a crash, which is a failure as well: it may be one each time. */
function lastProblem({ problem, isUnderWay, begunBy }: Backups, node: string, isBusy: boolean): string | undefined {
  return isUnderWay && begunBy === node && !isBusy ? 'the server ended while it was made' : problem;
}

/** Returns when this node began a backup, if it is to make one now; the others then wait as if it had been made. */
export const beginBackup: Operation<Schedule, Instant | undefined> = {
  name: 'begin-backup',
  async run(tx, now, { node, folder, everyMs, isBusy }) {
    const before = await read(tx);
    const said = before?.wishes[node];
    const wishes = { ...livingWishes(before?.wishes ?? {}, now), [node]: { everyMs, saidAt: now } };
    const due = shortest(wishes);
    const problem = before && lastProblem(before, node, isBusy);
    const waitMs = problem === undefined ? due : Math.min(due, retryAfterMs);
    // Absolute difference: a clock that was set back must not stop the backups.
    if (before === undefined || (!isBusy && Math.abs(now - before.begunAt) >= waitMs)) {
      const { goodAt = now } = before ?? {};
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
    if (now - goodAt <= 2 * shortest(watchedWishes(row.wishes, now)))
      return endOpenSystemAlarm(tx, now, path, 'end-calls');
    const isStuck = isUnderWay && now - begunAt > retryAfterMs;
    // After the server was off for long, the backup that it begins first is waited for.
    if (isUnderWay && !isStuck && problem === undefined) return;
    const stuckSince = isStuck ? begunAt : null;
    const failure = problem?.replace(/\.$/, '') ?? '';
    await raiseSystemAlarm(tx, now, {
      path,
      priority: 2,
      message: { code: 'backup-old', parameters: { goodAt, folder, stuckSince, problem: failure } },
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
    const { [node]: own, ...others } = watchedWishes(row.wishes, now);
    if (Object.keys(others).length === 0) {
      await removeMeta(tx, key);
      return endOpenSystemAlarm(tx, now, path, 'end-calls');
    }
    if (own !== undefined) await setMeta(tx, key, JSON.stringify({ ...row, wishes: others }));
    await watchBackups.run(tx, now, {});
  },
};
