// An alarm that comes and goes: the calling that nobody has ended by taking the alarm goes on for its newest occurrence, so that
// it climbs as for an alarm that stays.

import { type CallPolicy, type CallTarget, rulesOf, targetName } from '../../domain/calls/call.ts';
import type { Trouble } from '../../domain/escalation/escalation.ts';
import { leastPauseMs } from '../../domain/escalation/raised-again.ts';
import type { Reason } from '../../domain/escalation/reason.ts';
import { appendEvents } from '../../store/event-log.ts';
import { insertRows, updateRows } from '../../store/row-batch.ts';
import { isOneOfIds, statement } from '../../store/statement.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { callsChanged } from './engine/call-events.ts';
import { type EngineTime, readEngineTime } from './engine/engine-time.ts';
import { causeColumns, targetOf } from './engine/rows/escalation-rows.ts';
import type { selectOpenCausesOf } from './queries.ts';

/** A cause whose calling goes on for a newer occurrence of its alarm. */
export type Reoccurrence = {
  readonly causeId: number;
  readonly at: Instant;
  /** The columns of the newest occurrence, which people are called for from now on. */
  readonly occurrence: {
    readonly history_id: number | null;
    readonly priority: number;
    readonly is_transitory: number;
    readonly text: string;
    readonly short_text: string;
  };
  /** The targets that the newest occurrence calls, each with the end of its delay. */
  readonly wanted: readonly { readonly target: CallTarget; readonly dueAt: Instant }[];
};

/** An alarm that was back to normal for longer is called for anew. */
const longestGapMs = 600_000;

type Raise = { readonly at: Instant; readonly backSince: Instant; readonly untilAcknowledged: boolean };

/**
 * The rows of the cause that people are being called for, or were called for in vain, if the alarm was back to normal for a short time
 * only: it is called for as if it had stayed. After a longer time, and while nobody is on call, people are called anew.
 */
export function climbingIn(
  known: readonly OpenRow[],
  wanted: readonly { readonly target: CallTarget }[],
  { at, backSince, untilAcknowledged }: Raise,
): readonly OpenRow[] {
  const newest =
    known.findLast(({ state }) => state === 'open') ?? known.findLast(({ state }) => state === 'exhausted');
  if (newest === undefined || at - backSince > longestGapMs) return [];
  const rows = known.filter(({ cause_id }) => cause_id === newest.cause_id);
  const counted = rows.filter(
    (row) => row.target_kind === 'last-resort' || wanted.some(({ target }) => isSameTarget(target, row)),
  );
  if (!rows.every(isReadable)) return [];
  return counted.some((row) => isCalling(row, untilAcknowledged) || isPaused(row) || isInVain(row)) ? rows : [];
}

type OpenRow = NonNullable<(typeof selectOpenCausesOf)['types']>['row'];

function isSameTarget(target: CallTarget, row: Pick<OpenRow, 'target_kind' | 'target_id'>): boolean {
  return targetName(target) === targetName(targetOf(row));
}

type Standing = Pick<OpenRow, 'state' | 'paused_until' | 'trouble' | 'round'>;

/** Whether somebody is called, or waited for, or will be after the delay; in vain goes on where the priority repeats. */
function isCalling(row: Standing, repeats: boolean): boolean {
  const isInTrouble = row.trouble !== null && !isOfCalls(row);
  return row.state === 'open' && row.paused_until === null && !isInTrouble && (repeats || !isInVain(row));
}

function isPaused({ state, paused_until }: Pick<OpenRow, 'state' | 'paused_until'>): boolean {
  return state === 'open' && paused_until !== null;
}

/** Whether everybody was called in the present round, and nobody took it. */
function isInVain(row: Standing): boolean {
  return row.state === 'exhausted' || (row.state === 'open' && isOfCalls(row) && troubleOf(row)?.round === row.round);
}

/** Whether its trouble is that calls were in vain, in this round or before, and not that there is nobody to call. */
function isOfCalls(row: Pick<OpenRow, 'trouble'>): boolean {
  return troubleOf(row)?.kind === 'in-vain';
}

function troubleOf({ trouble }: Pick<OpenRow, 'trouble'>): Trouble | undefined {
  return trouble === null ? undefined : (JSON.parse(trouble) as Trouble);
}

/** Whether no fault has left it half written, or set aside. */
function isReadable({ retry_at, entered, picked, trouble }: OpenRow): boolean {
  try {
    for (const json of [entered, picked, trouble ?? 'null']) JSON.parse(json);
    return retry_at === null;
  } catch {
    return false;
  }
}

/** Has calling go on. A target that is in a pause is called before its end, and one that is not called any more is done with. */
export async function goOnCalling(tx: Tx, again: readonly Reoccurrence[], policy: CallPolicy): Promise<void> {
  if (again.length === 0) return;
  const time = await readEngineTime(tx);
  const causeIds = JSON.stringify(again.map(({ causeId }) => causeId));
  const byCause = Map.groupBy(await tx.all(selectRows, { causeIds }), ({ cause_id }) => cause_id);
  const rowsOf = ({ causeId }: Reoccurrence): readonly Row[] => byCause.get(causeId) ?? [];
  await keepFormer(
    tx,
    time,
    again.flatMap((one) => rowsOf(one).flatMap((row) => (row.call_id === null ? [] : [{ row, at: one.at }]))),
  );
  await tx.each(
    goOn,
    again.flatMap((one) => goneOn(rowsOf(one), one, { time, policy })),
  );
  const changed = again.flatMap((one) =>
    rowsOf(one).flatMap(({ call_id }) => (call_id === null ? [] : [{ call_id, at: one.at }])),
  );
  await appendEvents(
    tx,
    changed.map(({ call_id: subjectId, at }) => ({ kind: callsChanged, actor: 'system', subjectId, at })),
  );
}

/** The former occurrence keeps a row, by which the history finds that people were called for it. */
async function keepFormer(
  tx: Tx,
  time: EngineTime,
  called: readonly { readonly row: Row; readonly at: Instant }[],
): Promise<void> {
  if (called.length === 0) return;
  const ids = await tx.nextIds('call_causes', called.length);
  await tx.each(
    insertFormer,
    called.map(({ row, at }, index) => {
      const id = ids[index] ?? 0;
      const began = row.raised_again_at;
      return {
        ...row,
        id,
        cause_id: id,
        created_at: began === null ? row.created_at : time.toClock(began),
        state: 'done',
        ended_at: at,
        ended_by: 'raised-again',
        end_reason: raisedAgain,
      };
    }),
  );
}

type Terms = { readonly time: EngineTime; readonly policy: CallPolicy };

function goneOn(rows: readonly Row[], again: Reoccurrence, { time, policy }: Terms) {
  const { occurrence, wanted } = again;
  const dueOf = (row: Row) => wanted.find(({ target }) => isSameTarget(target, row))?.dueAt;
  const firstDueAt = Math.min(...wanted.map(({ dueAt }) => dueAt));
  const { untilAcknowledged } = rulesOf(occurrence.priority, policy);
  const isCalled = rows.some((row) => dueOf(row) !== undefined && isCalling(row, untilAcknowledged));
  return rows.map((row) => {
    const same = { ...row, ...occurrence, raised_again_at: time.ofWait(again.at), version: row.version + 1 };
    const isLast = row.target_kind === 'last-resort';
    // The next round of the last resort begins with that of the groups that it follows.
    const isNext = isLast && (!isCalled || row.state === 'exhausted');
    const dueAt = dueOf(row) ?? (isNext ? firstDueAt : undefined);
    if (dueAt === undefined) return isLast ? same : { ...same, state: 'done', trouble: null };
    // One that was dropped with its delay, or waits for it.
    if (row.round === 0)
      return { ...same, state: 'open', due_at: row.state === 'open' ? Math.min(row.due_at, dueAt) : dueAt };
    if (!isPaused(row) && !isInVain(row)) return same;
    const leastMs = leastPauseMs(occurrence.priority, policy);
    const nextRound = Math.max(time.ofWait(dueAt), (row.round_since ?? 0) + leastMs);
    // A pause that ends with a round is not lengthened by an occurrence that is called for after a delay.
    const isEnding = isPaused(row) && (untilAcknowledged || isAwaitingRound(row));
    if (isEnding && dueAt > again.at) return same;
    const pausedUntil = isEnding ? Math.min(row.paused_until ?? nextRound, nextRound) : nextRound;
    return { ...same, state: 'open', due_at: dueAt, paused_until: pausedUntil, rounds_in_vain: 0 };
  });
}

/** Whether its pause ends with a round also where the priority does not repeat: the alarm came again. */
export function isAwaitingRound({ state, paused_until, rounds_in_vain }: RaisedAgain): boolean {
  return state === 'open' && paused_until !== null && rounds_in_vain === 0;
}

type RaisedAgain = Pick<OpenRow, 'state' | 'paused_until' | 'rounds_in_vain'>;

/** Further rounds whose occurrence is back to normal before its delay was over do not begin. */
export async function undoRounds(tx: Tx, rows: readonly { readonly id: number }[]): Promise<void> {
  if (rows.length > 0) await tx.run(exhaust, { ids: JSON.stringify(rows.map(({ id }) => id)) });
}

const exhaust = statement((db, args: { ids: string }, kind) =>
  db
    .updateTable('call_causes')
    .set((eb) => ({ state: 'exhausted', paused_until: null, version: eb('version', '+', 1) }))
    .where(isOneOfIds('id', args.ids, kind)),
);

const raisedAgain = JSON.stringify({ code: 'raised-again' } satisfies Reason);

const changing = {
  history_id: 'int',
  priority: 'int',
  is_transitory: 'int',
  text: 'text',
  short_text: 'text',
  due_at: 'int',
  state: 'text',
  paused_until: 'int',
  raised_again_at: 'int',
  rounds_in_vain: 'int',
  trouble: 'text',
  version: 'int',
} as const;

const goOn = updateRows('call_causes', { id: 'int' }, changing);

const former = { ...causeColumns, call_id: 'int', ended_at: 'int', ended_by: 'text', end_reason: 'text' } as const;

const insertFormer = insertRows('call_causes', former);

const columns = [
  ...new Set([...Object.keys(causeColumns), ...Object.keys(changing), 'call_id', 'round', 'round_since']),
] as (keyof typeof causeColumns | keyof typeof changing | 'call_id' | 'round' | 'round_since')[];

type Row = NonNullable<(typeof selectRows)['types']>['row'];

const selectRows = statement((db, args: { causeIds: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(columns)
    .where(isOneOfIds('cause_id', args.causeIds, kind))
    .orderBy('id'),
);
