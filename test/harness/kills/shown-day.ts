// What a run of calls left behind, as the interface shows it: the call history and the timelines of alarms. From these alone it makes
// the trace that the checkers of the calling engine judge; of what they know of a simulated day, the rows are missing.

import { type CallTarget, defaultPolicy } from '../../../src/domain/calls/call.ts';
import type { Provider } from '../../../src/domain/channels/provider.ts';
import type { Attempt, AttemptEnd, Escalation, LevelKey } from '../../../src/domain/escalation/escalation.ts';
import type { Reason } from '../../../src/domain/escalation/reason.ts';
import type { ContactNumber } from '../../../src/domain/people/person.ts';
import { checkers } from '../escalation/judge.ts';
import { Timeline } from '../escalation/timeline.ts';
import { type AttemptTrace, type EscalationTrace, noCounts, shown, type Trace } from '../escalation/trace.ts';
import { View } from '../escalation/view.ts';
import type { Admin } from './admin.ts';
import type { AskedAlarm, Crew } from './crew.ts';

/** A row of the call history. */
export type ShownAttempt = {
  readonly id: number;
  readonly userId: number;
  readonly alarmIds?: readonly number[];
  readonly announcedAlarmIds?: readonly number[];
  readonly priority?: number;
  readonly channel: string;
  readonly address: string;
  readonly attempt: number;
  readonly status: number;
  readonly startTime: string;
  readonly endTime?: string;
  readonly outcome?: string;
  readonly acknowledged: readonly { readonly alarmId: number; readonly ackTime: string }[];
  readonly reasonCode?: string;
};

export type ShownEvent = {
  readonly time: string;
  readonly event: string;
  readonly data: {
    readonly round?: number;
    readonly target?: CallTarget;
    readonly groupId?: number;
    readonly isRelief?: boolean;
    readonly reasonCode?: string;
  };
};

/** An attempt for an alarm that was taken begins no later than this, and a phone that rings for it stops. */
const takenMs = 2_000;

/** The clocks of two nodes may differ by this, so that an attempt seems to begin before what it is made for. */
const nodesApartMs = 500;

/** Those that judge by attempts and levels; others ask for what the interface does not show, such as when a pause ends. */
const judging = [
  'answeredIsOver',
  'beginsForOpenAlarms',
  'callsWhoIsThere',
  'callsWhoWants',
  'capHolds',
  'entersALevel',
  'entersInOrder',
  'failuresRest',
  'goesUpInTime',
  'leavesNobodyBehind',
  'numbersRest',
  'roundsBeginForAReason',
  'roundsGoOn',
  'stopsWhatNobodyNeeds',
  'triesAreCounted',
  'urgentAtOnce',
] as const;

export type ShownDay = {
  readonly crew: Crew;
  readonly alarms: readonly AskedAlarm[];
  readonly attempts: readonly ShownAttempt[];
  /** By id of an alarm. */
  readonly timelines: ReadonlyMap<number, readonly ShownEvent[]>;
  readonly end: number;
  /** How long a change may go unnoticed. */
  readonly slackMs: number;
};

/** Reads the timelines of the alarms. */
export async function readTimelines(
  admin: Admin,
  alarms: readonly AskedAlarm[],
): Promise<ReadonlyMap<number, readonly ShownEvent[]>> {
  const timelines = new Map<number, readonly ShownEvent[]>();
  for (const { id } of alarms) timelines.set(id, await admin.ask<ShownEvent[]>('GET', `/alarms/${id}/timeline`));
  return timelines;
}

/** Returns what the checkers find, each with the name of its checker. */
export function judgeShown(day: ShownDay): readonly string[] {
  const trace = traceOf(day);
  const view = new View(trace);
  const found = judging.flatMap((name) => (checkers[name]?.(view) ?? []).map((one) => `${name}: ${one}`));
  return [...found, ...notAnnounced(day, trace), ...withoutLastResort(trace)];
}

/** What was sent names every alarm that it was made for, unless that was taken meanwhile. */
function notAnnounced({ alarms }: ShownDay, trace: Trace): readonly string[] {
  const takenFrom = new Map(alarms.map(({ id, taken }) => [id, taken?.from]));
  return [...trace.attempts.values()].flatMap(({ attempt: { id, begunAt, end, tries, announced = [] } }) => {
    if (end?.outcome !== 'reached') return [];
    const open = tries.filter(({ causeId }) => (takenFrom.get(causeId) ?? trace.end) > end.at);
    const missing = open.filter(({ causeId }) => !announced.includes(causeId));
    return missing.map(
      ({ causeId }) => `announces: attempt ${id} of ${shown(trace, begunAt)} does not name alarm ${causeId}`,
    );
  });
}

/** What was called in vain is called for with the last resort. */
function withoutLastResort(trace: Trace): readonly string[] {
  const lastResorts = [...trace.escalations.values()].filter(({ target }) => target.kind === 'last-resort');
  return [...trace.escalations.values()].flatMap(({ causeId, target, states }) => {
    const vain = states.entries().find(({ value }) => value.trouble?.kind === 'in-vain');
    if (target.kind === 'last-resort' || vain === undefined) return [];
    const by = vain.at + trace.slackMs;
    const isOver = Math.min(trace.causes.get(causeId)?.endedAt ?? trace.end, trace.end) <= by;
    const isCalled = lastResorts.some((one) => one.causeId === causeId && one.openedAt <= by);
    return isOver || isCalled ? [] : [`lastResort: alarm ${causeId} was called in vain at ${shown(trace, vain.at)}`];
  });
}

function traceOf(day: ShownDay): Trace {
  const { alarms, crew, end, slackMs } = day;
  const begin = Math.min(...alarms.map(({ raisedAt }) => raisedAt));
  const escalations = new Map(alarms.flatMap((alarm) => escalationsOf(day, alarm)).map((one) => [one.id, one]));
  const provider = { id: 1, channel: 'pager', countries: [] as readonly string[] } as Provider;
  const all = new Set([provider.id]);
  return {
    ...{ seed: 0, begin, end, slackMs, escalations, providers: [provider] },
    policies: new Timeline(begin, defaultPolicy),
    snapshots: new Timeline(begin, crew.snapshot),
    locks: new Timeline<ReadonlyMap<number, number>>(begin, new Map()),
    channels: new Timeline(begin, { working: all, free: all, usedUp: new Set<number>() }),
    civilOffsets: new Timeline(begin, 0),
    ...{ escalated: [], flaws: [] },
    causes: new Map(alarms.map((alarm) => [alarm.id, causeOf(alarm)])),
    attempts: new Map(attemptsOf(day, escalations).map((one) => [one.attempt.id, one])),
    counts: noCounts(),
  };
}

function causeOf({ id, raisedAt, priority, taken }: AskedAlarm) {
  const endedAt = taken === undefined ? undefined : taken.to + takenMs;
  return { id, raisedAt, asks: true, priority: new Timeline(raisedAt, priority), raisedAgainAt: [], endedAt };
}

/** The escalations of an alarm: what its timeline says of each target. */
function escalationsOf({ timelines }: ShownDay, { id, target, dueAt, raisedAt }: AskedAlarm): EscalationTrace[] {
  const events = (timelines.get(id) ?? []).filter(({ data }) => data.target !== undefined);
  const others = Map.groupBy(events, ({ data }) => `${data.target?.kind} ${data.target?.id}`);
  const targets = new Map([[`${target.kind} ${target.id}`, target]]);
  for (const [name, [first]] of others) if (first?.data.target !== undefined) targets.set(name, first.data.target);
  return [...targets].map(([name, of], place) => {
    const own = others.get(name) ?? [];
    const openedAt = place === 0 ? raisedAt : Date.parse(own[0]?.time ?? '');
    const escalationId = id * 10 + place;
    const states = new Timeline(openedAt, stateAtFirst(escalationId, id, of, place === 0 ? dueAt : openedAt));
    let now = openedAt;
    for (const event of own) {
      now = Math.max(now, Date.parse(event.time) - nodesApartMs);
      states.set(now, after(states.last, event, now));
    }
    return { id: escalationId, causeId: id, target: of, openedAt, dueAt: states.last.dueAt, states };
  });
}

function stateAtFirst(id: number, causeId: number, target: CallTarget, dueAt: number): Escalation {
  return {
    ...{ id, causeId, target, dueAt, actedPriority: undefined, round: 0, roundSince: dueAt, entered: [], picked: [] },
    ...{ pausedUntil: undefined, roundsInVain: 0, state: 'open', trouble: undefined, reason: undefined },
  };
}

function after(state: Escalation, { event, data }: ShownEvent, at: number): Escalation {
  const { round = state.round } = data;
  const reason = { code: data.reasonCode ?? 'raised' } as Reason;
  if (event === 'call.round') return { ...state, round, roundSince: at, entered: [], trouble: undefined };
  if (event === 'call.level')
    return { ...state, entered: [...state.entered, { key: levelOf(state, data), at, reason }] };
  if (event === 'call.exhausted') return { ...state, trouble: { kind: 'in-vain', groupId: undefined, round, reason } };
  return event === 'call.done' ? { ...state, state: 'done', reason } : state;
}

function levelOf({ target }: Escalation, { groupId, isRelief = false }: ShownEvent['data']): LevelKey {
  if (groupId !== undefined) return isRelief ? `relief ${groupId}` : `duty ${groupId}`;
  return target.kind === 'user' ? `user ${target.id}` : 'administrators';
}

function attemptsOf(
  { attempts, crew, alarms }: ShownDay,
  escalations: ReadonlyMap<number, EscalationTrace>,
): readonly AttemptTrace[] {
  const known = new Set(alarms.map(({ id }) => id));
  return attempts.flatMap((row) => {
    const number = crew.snapshot.people.get(row.userId)?.numbers[0];
    // Who could not be tried has a row, and no attempt.
    if (number === undefined || row.attempt === 0) return [];
    const alarmIds = (row.alarmIds ?? []).filter((id) => known.has(id));
    const attempt = attemptOf(
      row,
      number,
      alarmIds.flatMap((id) => tryFor(id, row, crew, escalations)),
    );
    const leftAt = attempt.end?.outcome === 'reached' ? attempt.end.at : undefined;
    const reason = { code: row.reasonCode ?? 'raised' } as Reason;
    return [{ attempt, reason, number, leftAt, announcedAt: leftAt, cancelReason: undefined, isLost: false }];
  });
}

/** A person of the crew is in one group, and there on duty or relief. */
function tryFor(
  causeId: number,
  { userId }: ShownAttempt,
  { snapshot }: Crew,
  escalations: ReadonlyMap<number, EscalationTrace>,
): Attempt['tries'] {
  const member = [...snapshot.teams.values()].flatMap(({ members }) => members).find((one) => one.userId === userId);
  return [...escalations.values()].flatMap(({ id, causeId: of, target }) => {
    if (of !== causeId || target.kind !== 'group') return [];
    const level: LevelKey = member?.relief ? `relief ${target.id}` : `duty ${target.id}`;
    return [{ causeId, escalationId: id, level }];
  });
}

function attemptOf(row: ShownAttempt, number: ContactNumber, tries: Attempt['tries']): Attempt {
  const end = endOf(row);
  return {
    ...{ id: row.id, kind: 'call', userId: row.userId, numberId: number.id, channel: row.channel, tries },
    ...{ address: row.address, providerId: 1, announced: row.announcedAlarmIds, begunAt: Date.parse(row.startTime) },
    ...{ isDue: false, hasLeft: end?.outcome === 'reached', isUrgent: row.priority === 1, end, tookAllAt: undefined },
    // An exemption from the rest of a number is not shown; who is called at once for priority 1 may have it.
    isExempt: row.priority === 1,
    answers: row.acknowledged.map(({ alarmId, ackTime }) => ({
      ...{ causeId: alarmId, answer: 'heard', at: Date.parse(ackTime) },
    })),
  } as Attempt;
}

function endOf({ status, endTime, outcome }: ShownAttempt): AttemptEnd | undefined {
  if (endTime === undefined) return undefined;
  const reached = status === 3 || status >= 5;
  return {
    at: Date.parse(endTime),
    outcome: reached ? 'reached' : status === 0 ? 'cancelled' : 'failed',
    isFinal: outcome === 'badNumber',
    counts: outcome !== 'providerDown',
    notBefore: undefined,
  };
}
