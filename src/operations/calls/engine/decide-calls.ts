// Decides on all open escalations, on a snapshot and outside of any write: who is called now, what ends, and when to look again.

import { sql } from 'kysely';
import { decide } from '../../../domain/escalation/decide.ts';
import { sqlStatement, statement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Query, ReadTx } from '../../../store/store.ts';
import { readHeldBack } from './held-back.ts';
import { isEmpty, type Plan, planOf } from './plan.ts';
import { readCalling, type Unreadable } from './read-calling.ts';
import { readRaisedTroubles } from './troubles.ts';

type Decide = { readonly now: Instant };

/** `plan` is undefined if there is nothing to be done. */
type Decided = {
  readonly plan: Plan | undefined;
  readonly lookAgainAt: Instant | undefined;
  readonly unreadable: Unreadable;
};

async function decideNow(tx: ReadTx, { now }: Decide): Promise<Decided> {
  const calling = await readCalling(tx, now);
  const { world, causes, escalations, attempts, decisionTime, unreadable } = calling;
  const decision = decide(world, causes, escalations, attempts, decisionTime);
  const heldBack = await readHeldBack(tx, now, decision.parts);
  const plan = planOf(calling, decision, now, { raised: await readRaisedTroubles(tx), heldBack });
  return { plan: isEmpty(plan) ? undefined : plan, lookAgainAt: plan.lookAgainAt, unreadable };
}

export const decideCalls: Query<Decide, Decided> = { name: 'decide-calls', isQuick: true, run: decideNow };

/** The same for so many that it takes a while. */
export const decideManyCalls: Query<Decide, Decided> = { name: 'decide-many-calls', isDecision: true, run: decideNow };

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

/** The ids of the causes that cannot be decided on because of a fault in Tocsin: each is tried alone. */
export const findFaultyCauses: Query<Decide, readonly number[]> = {
  name: 'find-faulty-causes',
  isDecision: true,
  async run(tx, { now }) {
    const calling = await readCalling(tx, now);
    const { world, time, causes, escalations, attempts } = calling;
    const raised = await readRaisedTroubles(tx);
    return causes.flatMap((cause) => {
      const own = escalations.filter(({ causeId }) => causeId === cause.id);
      try {
        const decision = decide(world, [cause], own, attempts, time.decisionAt(now));
        planOf({ ...calling, causes: [cause], escalations: own }, decision, now, { raised, heldBack: new Set() });
        return [];
      } catch {
        return [cause.id];
      }
    });
  },
};

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
