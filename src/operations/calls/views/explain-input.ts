// What the explanation of an alarm is forecast from: the calls under way, or nothing at all, and what the alarm itself asks for.

import type { WantedCall } from '../../../domain/alarms/actions.ts';
import { type CallTarget, targetName } from '../../../domain/calls/call.ts';
import { unusedProvider } from '../../../domain/channels/choose-provider.ts';
import { newEscalation, type Stored } from '../../../domain/escalation/apply.ts';
import type { Cause, Escalation } from '../../../domain/escalation/escalation.ts';
import type { World } from '../../../domain/escalation/world.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import type { CallConfiguration } from '../../configuration/call-configuration.ts';
import { readCalling } from '../engine/read-calling.ts';
import { targetOf } from '../engine/rows/escalation-rows.ts';
import { selectOpenCausesOf } from '../queries.ts';

/** An alarm that calls somebody already, or is assumed to be raised. */
export type ExplainedAlarm = {
  /** 0 for one that does not exist yet. */
  readonly id: number;
  readonly priority: number;
  readonly wanted: readonly WantedCall[];
  /** When it is raised, if it is not yet. */
  readonly raisedAt: Instant;
};

/** A call of the alarm. */
export type ExplainedCall = {
  readonly wanted: WantedCall;
  readonly beginsAt: Instant;
  /** Undefined if the alarm is being called for, and not to this target. */
  readonly escalationId: number | undefined;
};

export type ExplainInput = {
  readonly world: World;
  readonly causes: readonly Cause[];
  readonly stored: Stored;
  /** The causes that are the alarm's own. */
  readonly causeIds: ReadonlySet<number>;
  readonly calls: readonly ExplainedCall[];
  /** Engine time at which the forecast begins, and the difference of civil time to it. */
  readonly from: number;
  readonly civilOffset: number;
  readonly toEngine: (at: Instant) => number;
  readonly toClock: (engine: number) => Instant;
};

/** The id of a cause that is assumed: no stored one has it. */
const assumedId = 0;

/** Begins at a time of which nothing is known but who is in the directory. */
export function fromNothing(at: Instant, alarm: ExplainedAlarm, configuration: CallConfiguration): ExplainInput {
  const { snapshot, policy, providers } = configuration;
  const uses = new Map(providers.map(({ id }) => [id, unusedProvider]));
  const world = {
    snapshot,
    policy,
    locks: new Map(),
    turns: new Map(),
    providers: { providers, uses, hasSimulator: policy.hasSimulator, goneNodes: new Set<string>() },
    recoveries: new Map(),
    tolls: undefined,
  };
  const same = (instant: number): number => instant;
  const { cause, escalations, calls } = assumed(alarm, same);
  return {
    world,
    causes: [cause],
    stored: { escalations, attempts: [], turns: world.turns },
    causeIds: new Set([cause.id]),
    calls,
    from: at,
    civilOffset: 0,
    toEngine: same,
    toClock: same,
  };
}

/** An alarm that calls somebody goes on as it is; any other joins, as if raised now, the calls that are under way. */
export async function fromStateOfNow(tx: ReadTx, now: Instant, alarm: ExplainedAlarm): Promise<ExplainInput> {
  const { world, causes, escalations, attempts, time, decisionTime } = await readCalling(tx, now);
  const rows = await tx.all(selectOpenCausesOf, { alarmIds: JSON.stringify([alarm.id]) });
  const own = rows.filter(({ list, state }) => list === 'alarm' && state !== 'done');
  const from = {
    world,
    from: decisionTime.engine,
    civilOffset: decisionTime.civil - decisionTime.engine,
    toEngine: time.ofWait,
    toClock: time.toClock,
  };
  const turns = world.turns;
  if (own.length > 0) {
    const causeIds = new Set(own.map(({ cause_id, id }) => cause_id ?? id));
    return {
      ...from,
      causes,
      stored: { escalations, attempts, turns },
      causeIds,
      calls: callsUnderWay(now, alarm, own),
    };
  }
  const added = assumed(alarm, time.ofWait);
  return {
    ...from,
    causes: [...causes, added.cause],
    stored: { escalations: [...escalations, ...added.escalations], attempts, turns },
    causeIds: new Set([added.cause.id]),
    calls: added.calls,
  };
}

type OpenRow = NonNullable<(typeof selectOpenCausesOf)['types']>['row'];

/** The calls that the alarm asks for, and those it has besides, such as the last resort. */
function callsUnderWay(now: Instant, { wanted }: ExplainedAlarm, own: readonly OpenRow[]): readonly ExplainedCall[] {
  const nameOf = (row: OpenRow): string => targetName(targetOf(row));
  const beginOf = ({ round, due_at }: OpenRow): Instant => (round > 0 ? now : Math.max(now, due_at));
  const asked = new Set(wanted.map(({ target }) => targetName(target)));
  const others = own.filter((row) => !asked.has(nameOf(row)));
  return [
    ...wanted.map((one) => {
      const row = own.find((candidate) => nameOf(candidate) === targetName(one.target));
      return { wanted: one, beginsAt: row === undefined ? now : beginOf(row), escalationId: row?.id };
    }),
    ...others.map((row) => ({
      wanted: { target: targetOf(row), delayMs: 0 },
      beginsAt: beginOf(row),
      escalationId: row.id,
    })),
  ];
}

/** The cause that the alarm would be, with an escalation to each of its targets. */
function assumed({ priority, wanted, raisedAt }: ExplainedAlarm, toEngine: (at: Instant) => number) {
  const cause: Cause = { id: assumedId, priority, asks: true, ended: undefined };
  const calls = wanted.map((one, index) => {
    const beginsAt = raisedAt + one.delayMs;
    return { wanted: one, beginsAt, escalationId: -1 - index };
  });
  const escalations: readonly Escalation[] = calls.map((call) => ({
    ...newEscalation(call.escalationId, assumedId, call.wanted.target),
    dueAt: toEngine(call.beginsAt),
  }));
  return { cause, escalations, calls };
}

/** The call of the last resort, which an alarm has when the end of its chain is reached. */
export const lastResort: CallTarget = { kind: 'last-resort', id: 0 };
