// Causes that are alike: the same priority, escalations in the same state, the same attempts and answers. In a storm most are, and
// one decision serves them all. Pure.

import type {
  Attempt,
  Cause,
  EnteredLevel,
  Escalation,
  LevelKey,
  PickedPerson,
  Trouble,
  TryFor,
} from './escalation.ts';

export type Alike = {
  /** The first stands for all of them. */
  readonly causes: readonly [Cause, ...Cause[]];
  /** The escalations of each cause, in the same order of targets. */
  readonly escalations: readonly (readonly Escalation[])[];
};

/** What the attempts say of one cause: places in the list of attempts, and the answers as text. */
type Trace = { readonly attempts: number[]; hash: number; answers: string };

export function groupAlike(
  causes: readonly Cause[],
  escalations: readonly Escalation[],
  attempts: readonly Attempt[],
): readonly Alike[] {
  const ofCauses = Map.groupBy(escalations, ({ causeId }) => causeId);
  const traces = tracesOf(attempts);
  const all: Group[] = [];
  const byHash = new Map<number, Group[]>();
  for (const cause of causes) {
    const own = ofCauses.get(cause.id);
    if (own === undefined) continue;
    const trace = traces.get(cause.id) ?? untouched;
    const hash = hashOf(cause, own, trace);
    const groups = byHash.get(hash) ?? [];
    const former = formerOf(cause, trace, attempts);
    const group = groups.find((one) => one.former === former && isAlike(one, cause, own, trace));
    if (group === undefined) {
      const opened: Group = { trace, former, causes: [cause], escalations: [own] };
      all.push(opened);
      byHash.set(hash, [...groups, opened]);
    } else {
      group.causes.push(cause);
      group.escalations.push(own);
    }
  }
  return all;
}

type Group = {
  readonly trace: Trace;
  /** How many attempts were begun before the alarms came again. */
  readonly former: number;
  readonly causes: [Cause, ...Cause[]];
  readonly escalations: [readonly Escalation[], ...(readonly Escalation[])[]];
};

const untouched: Trace = { attempts: [], hash: 0, answers: '' };

function tracesOf(attempts: readonly Attempt[]): ReadonlyMap<number, Trace> {
  const traces = new Map<number, Trace>();
  const traceOf = (causeId: number): Trace => {
    const known = traces.get(causeId);
    if (known !== undefined) return known;
    const trace: Trace = { attempts: [], hash: 0, answers: '' };
    traces.set(causeId, trace);
    return trace;
  };
  for (const [index, { tries, announced, end, answers }] of attempts.entries()) {
    for (const { causeId } of tries) add(traceOf(causeId), index);
    // Whether a conversation reads the alarm decides whether it is waited for.
    if (end === undefined) for (const causeId of announced ?? []) add(traceOf(causeId), -1 - index);
    for (const { causeId, answer, at } of answers) traceOf(causeId).answers += `${index} ${answer} ${at};`;
  }
  return traces;
}

function add(trace: Trace, index: number): void {
  if (trace.attempts.at(-1) === index) return;
  trace.attempts.push(index);
  trace.hash = mixed(trace.hash, index);
}

/** How many of the attempts were begun before the alarm came again. */
function formerOf({ raisedAgainAt = 0 }: Cause, trace: Trace, attempts: readonly Attempt[]): number {
  if (raisedAgainAt === 0) return 0;
  return trace.attempts.filter((index) => (attempts[index]?.begunAt ?? raisedAgainAt) < raisedAgainAt).length;
}

/** What causes that are alike have in common, in part: it finds those that need to be compared. */
function hashOf({ priority }: Cause, escalations: readonly Escalation[], trace: Trace): number {
  let hash = mixed(trace.hash, priority);
  for (const { target, round, roundSince, dueAt, entered, picked, pausedUntil = 0 } of escalations) {
    hash = mixed(mixed(hash, target.id), round === 0 ? dueAt : roundSince);
    hash = mixed(mixed(hash, pausedUntil), entered.length);
    for (const { userId } of picked) hash = mixed(hash, userId);
  }
  return hash;
}

function mixed(hash: number, value: number): number {
  return (Math.imul(hash, 31) + value) | 0;
}

function isAlike(group: Group, cause: Cause, own: readonly Escalation[], { attempts, answers }: Trace): boolean {
  const { trace, causes, escalations } = group;
  const [{ priority, asks, ended }] = causes;
  const [first] = escalations;
  return (
    priority === cause.priority &&
    asks === cause.asks &&
    isSameEnd(ended, cause.ended) &&
    trace.answers === answers &&
    isEach(trace.attempts, attempts, (one, other) => one === other) &&
    isEach(first, own, isSameEscalation)
  );
}

function isEach<T>(ones: readonly T[], others: readonly T[], isSame: (one: T, other: T) => boolean): boolean {
  return ones.length === others.length && ones.every((one, place) => isSame(one, others[place] as T));
}

function isSameEnd(one: Cause['ended'], other: Cause['ended']): boolean {
  return one === other || (one !== undefined && other !== undefined && JSON.stringify(one) === JSON.stringify(other));
}

function isSameEscalation(one: Escalation, other: Escalation): boolean {
  return (
    one.target.kind === other.target.kind &&
    one.target.id === other.target.id &&
    one.state === other.state &&
    one.round === other.round &&
    one.roundSince === other.roundSince &&
    (one.round > 0 || one.dueAt === other.dueAt) &&
    one.pausedUntil === other.pausedUntil &&
    one.roundsInVain === other.roundsInVain &&
    one.actedPriority === other.actedPriority &&
    one.reason?.code === other.reason?.code &&
    isSameTrouble(one.trouble, other.trouble) &&
    isEach(one.entered, other.entered, isSameLevel) &&
    isEach(one.picked, other.picked, isSamePerson)
  );
}

function isSameTrouble(one: Trouble | undefined, other: Trouble | undefined): boolean {
  return one?.kind === other?.kind && one?.groupId === other?.groupId && one?.round === other?.round;
}

function isSameLevel(one: EnteredLevel, other: EnteredLevel): boolean {
  return one.key === other.key && one.at === other.at && one.reason.code === other.reason.code;
}

function isSamePerson(one: PickedPerson, other: PickedPerson): boolean {
  return one.key === other.key && one.userId === other.userId && one.at === other.at;
}

/** What a call counts as a try for: the escalations at this place of all causes that are alike. */
export function triesAt({ causes, escalations }: Alike, place: number, level: LevelKey): readonly TryFor[] {
  return escalations.flatMap((ofCause, index) => {
    const escalationId = ofCause[place]?.id;
    const causeId = causes[index]?.id;
    return escalationId === undefined || causeId === undefined ? [] : [{ escalationId, causeId, level }];
  });
}
