// Reads what the engine decides on: open causes with their escalations, the attempts that count for them, and the world around.

import {
  type Attempt,
  type Cause,
  type Escalation,
  withoutFormerNotices,
} from '../../../domain/escalation/escalation.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { lockMs } from '../inputs/locked-numbers.ts';
import type { EngineTime } from './engine-time.ts';
import { type Around, readAround } from './read-around.ts';
import {
  type AttemptRow,
  attemptOf,
  selectAttemptsAmong,
  selectAttemptsSince,
  selectLiveAttempts,
} from './rows/attempt-rows.ts';
import { beforeRoundMs, earlierIn } from './rows/earlier-attempts.ts';
import {
  causeOf,
  type EscalationRow,
  escalationOf,
  selectEscalationsOfCauses,
  selectExhausted,
  selectOpenEscalations,
} from './rows/escalation-rows.ts';

/**
 * Longer than any rest, gathering or bundle that depends on what other attempts did, and than the failures of a provider in a row
 * by which the pause until the next try has grown to its longest.
 */
const rememberedMs = 3_600_000;
/** What an alarm that nobody takes has had in its present round is read for this long. */
const longestRememberedMs = 7 * 86_400_000;

export type Calling = Around & {
  readonly causes: readonly Cause[];
  readonly escalations: readonly Escalation[];
  /** One of each target that was called in vain, and is not decided on. */
  readonly exhausted: readonly Escalation[];
  readonly attempts: readonly Attempt[];
  /** By id. */
  readonly escalationRows: ReadonlyMap<number, EscalationRow>;
  /** By id. */
  readonly attemptRows: ReadonlyMap<number, AttemptRow>;
  readonly unreadable: Unreadable;
};

/** The ids of causes and of attempts under way whose rows cannot be read. The others are decided on without them. */
export type Unreadable = { readonly causes: readonly number[]; readonly attempts: readonly number[] };

/** `only`: the ids of the only causes that are read; without it, all that are open. */
export async function readCalling(tx: ReadTx, now: Instant, only?: readonly number[]): Promise<Calling> {
  const around = await readAround(tx, now);
  const { time } = around;
  const ofEscalation = (row: EscalationRow): Escalation => escalationOf(row, time);
  const ofAttempt = attemptReader(time, only);
  const underWay = readable(await tx.all(selectLiveAttempts, {}), ofAttempt);
  const found = readable(await readEscalations(tx, now, underWay.values, only), ofEscalation);
  const broken = new Set(found.unreadable.map(({ id, cause_id }) => cause_id ?? id));
  const escalations = found.values.filter(({ causeId }) => !broken.has(causeId));
  const rows = found.rows.filter(({ id, cause_id }) => !broken.has(cause_id ?? id));
  const ended = readable(await readEndedAttempts(tx, now, rows, around), ofAttempt);
  const exhausted = only === undefined ? await readExhausted(tx, around, byId(rows)) : { rows: [], values: [] };
  const causes = causesOf(rows);
  return {
    ...around,
    causes,
    escalations,
    exhausted: exhausted.values,
    attempts: [...underWay.values, ...withoutFormerNotices(ended.values, causes)].toSorted(
      (one, other) => one.id - other.id,
    ),
    escalationRows: byId([...rows, ...exhausted.rows]),
    attemptRows: byId([...underWay.rows, ...ended.rows]),
    unreadable: { causes: [...broken], attempts: underWay.unreadable.map(({ id }) => id) },
  };
}

/** One of each target, of those that are not decided on. */
export async function readExhausted(
  tx: ReadTx,
  { time }: Around,
  known: ReadonlyMap<number, EscalationRow>,
): Promise<Pick<Read<EscalationRow, Escalation>, 'rows' | 'values'>> {
  const rows = (await tx.all(selectExhausted, {})).filter((row) => !known.has(row.id));
  return readable(rows, (row) => escalationOf(row, time));
}

function attemptReader(time: EngineTime, only: readonly number[] | undefined): (row: AttemptRow) => Attempt {
  if (only === undefined) return (row) => attemptOf(row, time);
  const causes = new Set(only);
  return (row) => {
    const attempt = attemptOf(row, time);
    return { ...attempt, tries: attempt.tries.filter(({ causeId }) => causes.has(causeId)) };
  };
}

/** Tells apart the rows that can be read: one that a fault has left half written keeps none of the others from being decided on. */
function readable<R, V>(all: readonly R[], read: (row: R) => V): Read<R, V> {
  const rows: R[] = [];
  const values: V[] = [];
  const unreadable: R[] = [];
  for (const row of all) {
    try {
      values.push(read(row));
      rows.push(row);
    } catch {
      unreadable.push(row);
    }
  }
  return { rows, values, unreadable };
}

/** Rows, and what was read of each. */
type Read<R, V> = { readonly rows: readonly R[]; readonly values: readonly V[]; readonly unreadable: readonly R[] };

function byId<R extends { readonly id: number }>(rows: readonly R[]): ReadonlyMap<number, R> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** All escalations of the open causes, and of those that attempts under way are for; without what a fault set aside. */
async function readEscalations(
  tx: ReadTx,
  now: Instant,
  live: readonly Attempt[],
  only: readonly number[] | undefined,
): Promise<readonly EscalationRow[]> {
  if (only !== undefined) return readDueAmong(tx, now, only);
  const open = await tx.all(selectOpenEscalations, { now });
  const known = new Set(open.map(({ cause_id }) => cause_id));
  const others = new Set(
    live.flatMap(({ tries }) => tries.map(({ causeId }) => causeId)).filter((id) => !known.has(id)),
  );
  if (others.size === 0) return open.toSorted(byCause);
  return [...open, ...(await readDueAmong(tx, now, [...others]))].toSorted(byCause);
}

async function readDueAmong(tx: ReadTx, now: Instant, causes: readonly number[]): Promise<readonly EscalationRow[]> {
  const isDue = ({ retry_at, ended_at }: EscalationRow): boolean =>
    retry_at === null || retry_at <= now || ended_at !== null;
  return (await tx.all(selectEscalationsOfCauses, { causeIds: JSON.stringify(causes) })).filter(isDue);
}

function byCause(one: EscalationRow, other: EscalationRow): number {
  return (one.cause_id ?? one.id) - (other.cause_id ?? other.id) || one.id - other.id;
}

/** A target that the newest occurrence has added has a row that never stood for an earlier one. */
export function causesOf(rows: readonly EscalationRow[]): readonly Cause[] {
  return [...Map.groupBy(rows, ({ cause_id, id }) => cause_id ?? id).values()].map((ofCause) => {
    const again = ofCause.flatMap(({ raised_again_at }) => raised_again_at ?? []);
    const cause = causeOf(ofCause.at(-1) as EscalationRow);
    return again.length === 0 ? cause : { ...cause, raisedAgainAt: Math.max(...again) };
  });
}

async function readEndedAttempts(
  tx: ReadTx,
  now: Instant,
  rows: readonly EscalationRow[],
  around: Around,
): Promise<readonly AttemptRow[]> {
  if (rows.length === 0) return [];
  const counting = rows.filter(({ ended_at, state }) => ended_at === null && state !== 'done');
  const found = await tx.all(selectAttemptsSince, { since: rememberedSince(now, firstRoundSince(counting), around) });
  const known = new Set(found.map(({ id }) => id));
  const ids = new Set(counting.flatMap(earlierIn).filter((id) => !known.has(id)));
  const earlier = ids.size === 0 ? [] : await tx.all(selectAttemptsAmong, { ids: JSON.stringify([...ids]) });
  return [...found, ...earlier].filter(({ state }) => state !== 'due' && state !== 'started');
}

/** Since when attempts are read: those of the present rounds, and those that rests, locks and caps depend on. */
export function rememberedSince(now: Instant, firstRound: number, around: Around): Instant {
  const { time, configuration } = around;
  const remembered = Math.max(rememberedMs, lockMs, configuration.policy.cap?.windowMs ?? 0);
  const ofRounds = Math.min(time.ofWait(now) - firstRound + beforeRoundMs, longestRememberedMs);
  return time.windowStart(now, Math.max(remembered, ofRounds));
}

/** When the oldest of the present rounds began, of the causes that people were called for. */
export function firstRoundSince(rows: readonly EscalationRow[]): number {
  const called = new Set(rows.flatMap(({ attempts_from, cause_id }) => (attempts_from === null ? [] : [cause_id])));
  let first = Number.POSITIVE_INFINITY;
  for (const { cause_id, round_since } of rows)
    if (round_since !== null && called.has(cause_id)) first = Math.min(first, round_since);
  return first;
}
