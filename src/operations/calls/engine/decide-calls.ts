// Decides on all open escalations, on a snapshot and outside of any write: who is called now, what ends, and when to look again.

import { sql } from 'kysely';
import { decide } from '../../../domain/escalation/decide.ts';
import type { Decision } from '../../../domain/escalation/decision.ts';
import { sqlStatement, statement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Query, ReadTx } from '../../../store/store.ts';
import { ChangedCalls } from './changes/changed-calls.ts';
import { readHeldBack } from './held-back.ts';
import { type Decided, isEmpty, type Plan, planOf } from './plan.ts';
import { type Calling, readCalling } from './read-calling.ts';
import { readRaisedTroubles, type Shown } from './troubles.ts';

/** From so many open escalations on, deciding has a thread of its own. */
export const manyOpen = 200;

type Decide = { readonly now: Instant };
/** `isOfAll`: whether everything is decided on, and read anew. */
type DecideMany = Decide & { readonly isOfAll: boolean };

async function decideNow(tx: ReadTx, { now }: Decide): Promise<Decided> {
  const calling = await readCalling(tx, now);
  const { world, causes, escalations, attempts, decisionTime, unreadable } = calling;
  const decision = decide(world, causes, escalations, attempts, decisionTime);
  const plan = await planFor(tx, now, calling, decision, shownOf(calling, decision));
  const { lookAgainAt: next } = decision;
  const lookAgainAt = next === undefined ? undefined : calling.time.toClock(next);
  return { plan: isEmpty(plan) ? undefined : plan, lookAgainAt, unreadable, isLate: false };
}

async function planFor(tx: ReadTx, now: Instant, calling: Calling, decision: Decision, shown: Shown): Promise<Plan> {
  const heldBack = await readHeldBack(tx, now, decision.parts);
  return planOf(calling, decision, now, { raised: await readRaisedTroubles(tx), heldBack, shown });
}

function shownOf(
  { causes, escalations, exhausted, escalationRows }: Calling,
  { parts }: Pick<Decision, 'parts'>,
): Shown {
  const ended = new Set(causes.flatMap(({ id, ended }) => (ended === undefined ? [] : [id])));
  return {
    stationOf: (id) => escalationRows.get(id)?.station_id,
    isEnded: (id) => ended.has(id),
    escalations: [...escalations, ...exhausted],
    parts,
  };
}

export const decideCalls: Query<Decide, Decided> = { name: 'decide-calls', isQuick: true, run: decideNow };

/** The same for so many that it takes a while: what has changed since the last decision is decided on, or all. */
export function decideChangedCalls(changing: ChangedCalls): Query<DecideMany, Decided> {
  return {
    name: 'decide-many-calls',
    isDecision: true,
    async run(tx, { now, isOfAll }) {
      try {
        return await changing.decide(tx, now, isOfAll, planFor);
      } catch (error) {
        // A row that cannot be read, or a fault: it is found where everything is read.
        changing.forget();
        return { ...(await decideNow(tx, { now })), fault: String(error) };
      }
    },
  };
}

/** Of the one server that this thread decides for. */
export const decideManyCalls = decideChangedCalls(new ChangedCalls());

/** Starts the thread for decisions on many. */
export const startDeciding: Query<Record<string, never>, void> = {
  name: 'start-deciding',
  isDecision: true,
  run: async () => {},
};

/** How many escalations are open, as far as `atMost`; 0: there is nothing to decide on. */
export const getCallingSize: Query<{ readonly atMost: number }, number> = {
  name: 'get-calling-size',
  isQuick: true,
  async run(tx, { atMost }) {
    const open = Number((await tx.one(countOpen, { atMost }))?.count ?? 0);
    if (open > 0) return open;
    const isUnderWay = (await tx.one(anyUnderWay, {})) !== undefined;
    return isUnderWay || (await readRaisedTroubles(tx)).length > 0 ? 1 : 0;
  },
};

/** The causes that decisions are made on now. */
export const listCausesToDecide: Query<Decide, readonly number[]> = {
  name: 'list-causes-to-decide',
  run: async (tx, { now }) => (await tx.all(selectCausesToDecide, { now })).flatMap(({ cause_id }) => cause_id ?? []),
};

type FindFaulty = Decide & { /** Only these; all if it is missing. */ readonly ids?: readonly number[] };

/**
 * The ids of the causes that cannot be decided on because of a fault in Tocsin. Those that can be decided on together are: in a storm
 * one after the other would take minutes, in which nobody is called.
 */
export const findFaultyCauses: Query<FindFaulty, readonly number[]> = {
  name: 'find-faulty-causes',
  isDecision: true,
  async run(tx, { now, ids }) {
    const calling = await readCalling(tx, now);
    const raised = await readRaisedTroubles(tx);
    const isFaulty = (some: Calling): boolean => {
      try {
        const { world, time, causes, escalations, attempts } = some;
        const decision = decide(world, causes, escalations, attempts, time.decisionAt(now));
        planOf(some, decision, now, { raised, heldBack: new Set(), shown: shownOf(calling, decision) });
        return false;
      } catch {
        return true;
      }
    };
    const faultyIn = (some: Calling): readonly number[] => {
      const all = some.causes.map(({ id }) => id);
      if (all.length === 0 || !isFaulty(some)) return [];
      if (all.length === 1) return all;
      const half = Math.ceil(all.length / 2);
      return [all.slice(0, half), all.slice(half)].flatMap((part) => faultyIn(only(some, part)));
    };
    return faultyIn(ids === undefined ? calling : only(calling, ids));
  },
};

/** With some of the causes alone; attempts may be for others as well. */
function only(calling: Calling, causeIds: readonly number[]): Calling {
  const some = new Set(causeIds);
  return {
    ...calling,
    causes: calling.causes.filter(({ id }) => some.has(id)),
    escalations: calling.escalations.filter(({ causeId }) => some.has(causeId)),
  };
}

const selectCausesToDecide = statement((db, args: { now: Instant }) =>
  db
    .selectFrom('call_causes')
    .select('cause_id')
    .distinct()
    .where('state', '=', sql.lit('open'))
    .where(({ or, eb }) => or([eb('retry_at', 'is', null), eb('retry_at', '<=', args.now)]))
    .orderBy('cause_id'),
);

const countOpen = sqlStatement<{ atMost: number }, { count: number }>(
  (args) => sql`select count(*) as count from (select 1 from ${table('call_causes')} where state = 'open'
    limit ${args.atMost}) as counted`,
);

const anyUnderWay = statement((db) =>
  db
    .selectFrom('call_attempts')
    .select('id')
    .where('state', 'in', [sql.lit('due'), sql.lit('started')])
    .limit(1),
);
