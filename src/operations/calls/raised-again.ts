// An alarm that comes and goes: the calling that nobody has ended by taking the alarm goes on for its newest occurrence, so that
// it climbs as for an alarm that stays.

import { type CallPolicy, type CallTarget, rulesOf, targetName } from '../../domain/calls/call.ts';
import { urgent } from '../../domain/escalation/escalation.ts';
import type { Reason } from '../../domain/escalation/reason.ts';
import { appendEvents } from '../../store/event-log.ts';
import { insertRows, updateRows } from '../../store/row-batch.ts';
import { idsIn, statement } from '../../store/statement.ts';
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
/** The rounds of an alarm of priority 1 begin a minute apart at least; those of others the pause of their priority. */
const leastUrgentRoundMs = 60_000;

type Raise = { readonly at: Instant; readonly backSince: Instant; readonly untilAcknowledged: boolean };

/**
 * The rows of the cause that people are still being called for, if the alarm was back to normal for a short time only: it is called for
 * as if it had stayed. After a longer time, and when nobody is called any more, people are called anew.
 */
export function climbingIn(
  known: readonly OpenRow[],
  wanted: readonly { readonly target: CallTarget }[],
  { at, backSince, untilAcknowledged }: Raise,
): readonly OpenRow[] {
  const newest = known.findLast(({ state }) => state === 'open');
  if (newest === undefined || at - backSince > longestGapMs) return [];
  const rows = known.filter(({ cause_id }) => cause_id === newest.cause_id);
  const counted = rows.filter(
    (row) => row.target_kind === 'last-resort' || wanted.some(({ target }) => isSameTarget(target, row)),
  );
  const goesOn = counted.some((row) => isCalling(row, untilAcknowledged) || (untilAcknowledged && isPaused(row)));
  return goesOn && rows.every(isReadable) ? rows : [];
}

type OpenRow = NonNullable<(typeof selectOpenCausesOf)['types']>['row'];

function isSameTarget(target: CallTarget, row: Pick<OpenRow, 'target_kind' | 'target_id'>): boolean {
  return targetName(target) === targetName(targetOf(row));
}

/** Whether somebody is called, or waited for, or will be after the delay; in vain goes on where the priority repeats. */
function isCalling(
  { state, paused_until, trouble }: Pick<OpenRow, 'state' | 'paused_until' | 'trouble'>,
  repeats: boolean,
) {
  const isInTrouble = trouble !== null && !(repeats && trouble.includes('"in-vain"'));
  return state === 'open' && paused_until === null && !isInTrouble;
}

function isPaused({ state, paused_until }: Pick<OpenRow, 'state' | 'paused_until'>): boolean {
  return state === 'open' && paused_until !== null;
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
  const { untilAcknowledged } = rulesOf(occurrence.priority, policy);
  const isCalled = rows.some((row) => dueOf(row) !== undefined && isCalling(row, untilAcknowledged));
  return rows.map((row) => {
    const same = { ...row, ...occurrence, raised_again_at: time.ofWait(again.at), version: row.version + 1 };
    const isLast = row.target_kind === 'last-resort';
    // The next round of the last resort begins with that of the groups that it follows.
    const dueAt = dueOf(row) ?? (isLast && !isCalled ? again.at : undefined);
    if (dueAt === undefined) return isLast ? same : { ...same, state: 'done', trouble: null };
    // One that was dropped with its delay, or waits for it.
    if (row.round === 0)
      return { ...same, state: 'open', due_at: row.state === 'open' ? Math.min(row.due_at, dueAt) : dueAt };
    const isAtOnce = dueAt <= again.at;
    return isPaused(row) && isAtOnce ? { ...same, ...pauseEndedBy(row, again, { time, policy }) } : same;
  });
}

function pauseEndedBy(row: Row, { at, occurrence }: Reoccurrence, { time, policy }: Terms) {
  const { priority } = occurrence;
  const leastMs = priority === urgent ? leastUrgentRoundMs : rulesOf(priority, policy).pauseSeconds * 1000;
  const nextRound = Math.max(time.ofWait(at), (row.round_since ?? 0) + leastMs);
  return { paused_until: Math.min(row.paused_until ?? nextRound, nextRound), rounds_in_vain: 0 };
}

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
  db.selectFrom('call_causes').select(columns).where('cause_id', 'in', idsIn(args.causeIds, kind)).orderBy('id'),
);
