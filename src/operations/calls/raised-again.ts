// An alarm that comes and goes: the calling that nobody has ended by taking the alarm goes on for its newest occurrence, so that
// it climbs as for an alarm that stays.

import { type CallPolicy, type CallTarget, rulesOf, targetName } from '../../domain/calls/call.ts';
import { urgent } from '../../domain/escalation/escalation.ts';
import type { Reason } from '../../domain/escalation/reason.ts';
import { insertRows, updateRows } from '../../store/row-batch.ts';
import { idsIn, statement } from '../../store/statement.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { type EngineTime, readEngineTime } from './engine/engine-time.ts';
import { causeColumns, targetOf } from './engine/rows/escalation-rows.ts';

/** A cause whose calling goes on for a newer occurrence of its alarm. */
export type Reoccurrence = {
  readonly causeId: number;
  readonly at: Instant;
  /** What is called for from now on. */
  readonly occurrence: {
    readonly history_id: number | null;
    readonly priority: number;
    readonly is_transitory: number;
    readonly text: string;
    readonly short_text: string;
  };
  /** Whom the occurrence calls, and from when. */
  readonly wanted: readonly { readonly target: CallTarget; readonly dueAt: Instant }[];
};

/** The rounds of an alarm of priority 1 begin a minute apart at least; those of others the pause of their priority. */
const leastUrgentRoundMs = 60_000;

/** Has calling go on. A target that is in a pause is called before its end, and one that is called no more begins anew. */
export async function goOnCalling(tx: Tx, again: readonly Reoccurrence[], policy: CallPolicy): Promise<void> {
  if (again.length === 0) return;
  const time = await readEngineTime(tx);
  const causeIds = JSON.stringify(again.map(({ causeId }) => causeId));
  const byCause = Map.groupBy(await tx.all(selectRows, { causeIds }), ({ cause_id }) => cause_id);
  const rowsOf = ({ causeId }: Reoccurrence): readonly Row[] => byCause.get(causeId) ?? [];
  await keepFormer(
    tx,
    again.flatMap((one) => rowsOf(one).flatMap((row) => (row.call_id === null ? [] : [{ row, at: one.at }]))),
  );
  await tx.each(
    goOn,
    again.flatMap((one) => goneOn(rowsOf(one), one, { time, policy })),
  );
}

/** The former occurrence keeps a row, by which the history finds that people were called for it. */
async function keepFormer(tx: Tx, called: readonly { readonly row: Row; readonly at: Instant }[]): Promise<void> {
  if (called.length === 0) return;
  const ids = await tx.nextIds('call_causes', called.length);
  await tx.each(
    insertFormer,
    called.map(({ row, at }, index) => {
      const id = ids[index] ?? 0;
      return {
        ...row,
        id,
        cause_id: id,
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
  const dueOf = (row: Row) => wanted.find(({ target }) => targetName(target) === targetName(targetOf(row)))?.dueAt;
  const isOpen = rows.some((row) => dueOf(row) !== undefined && row.state === 'open' && row.paused_until === null);
  return rows.map((row) => {
    const raised_again_at = time.ofWait(again.at);
    const due_at = row.round === 0 ? Math.min(row.due_at, dueOf(row) ?? row.due_at) : row.due_at;
    const same = { ...row, ...occurrence, due_at, raised_again_at, version: row.version + 1 };
    // The next round of the last resort begins with that of the groups that it follows.
    const dueAt = dueOf(row) ?? (row.target_kind === 'last-resort' && !isOpen ? again.at : undefined);
    if (dueAt === undefined) return same;
    if (row.paused_until !== null && row.state === 'open')
      return { ...same, ...pauseEndedBy(dueAt, row, again, { time, policy }) };
    const isOver = row.state !== 'open' && dueOf(row) !== undefined;
    return isOver ? { ...same, ...fromTheBeginning, due_at: dueAt } : same;
  });
}

function pauseEndedBy(dueAt: Instant, row: Row, { occurrence }: Reoccurrence, { time, policy }: Terms) {
  const { priority } = occurrence;
  const leastMs = priority === urgent ? leastUrgentRoundMs : rulesOf(priority, policy).pauseSeconds * 1000;
  const nextRound = Math.max(time.ofWait(dueAt), (row.round_since ?? 0) + leastMs);
  return { paused_until: Math.min(row.paused_until ?? nextRound, nextRound), rounds_in_vain: 0 };
}

const raisedAgain = JSON.stringify({ code: 'raised-again' } satisfies Reason);

const fromTheBeginning = {
  state: 'open',
  round: 0,
  entered: '[]',
  picked: '[]',
  paused_until: null,
  rounds_in_vain: 0,
  trouble: null,
  reason: null,
} as const;

const changing = {
  history_id: 'int',
  priority: 'int',
  is_transitory: 'int',
  text: 'text',
  short_text: 'text',
  due_at: 'int',
  state: 'text',
  round: 'int',
  entered: 'text',
  picked: 'text',
  paused_until: 'int',
  raised_again_at: 'int',
  rounds_in_vain: 'int',
  trouble: 'text',
  reason: 'text',
  version: 'int',
} as const;

const goOn = updateRows('call_causes', { id: 'int' }, changing);

const former = { ...causeColumns, call_id: 'int', ended_at: 'int', ended_by: 'text', end_reason: 'text' } as const;

const insertFormer = insertRows('call_causes', former);

const columns = [...new Set([...Object.keys(causeColumns), ...Object.keys(changing), 'call_id', 'round_since'])] as (
  | keyof typeof causeColumns
  | keyof typeof changing
  | 'call_id'
  | 'round_since'
)[];

type Row = NonNullable<(typeof selectRows)['types']>['row'];

const selectRows = statement((db, args: { causeIds: string }, kind) =>
  db.selectFrom('call_causes').select(columns).where('cause_id', 'in', idsIn(args.causeIds, kind)).orderBy('id'),
);
