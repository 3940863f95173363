// Causes that are alike: the same priority, escalations in the same state, the same attempts and answers. In a storm most are, and
// one decision serves them all. Pure.

import type { Attempt, Cause, Escalation, LevelKey, TryFor } from './escalation.ts';

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
  const known = new Map<
    string,
    { readonly trace: Trace; causes: [Cause, ...Cause[]]; escalations: (readonly Escalation[])[] }[]
  >();
  for (const cause of causes) {
    const own = ofCauses.get(cause.id);
    if (own === undefined) continue;
    const trace = traces.get(cause.id) ?? untouched;
    const key = `${keyOf(cause, own)} ${trace.hash} ${trace.answers}`;
    const groups = known.get(key) ?? [];
    known.set(key, groups);
    const group = groups.find((one) => isSame(one.trace.attempts, trace.attempts));
    if (group === undefined) groups.push({ trace, causes: [cause], escalations: [own] });
    else {
      group.causes.push(cause);
      group.escalations.push(own);
    }
  }
  return [...known.values()].flat();
}

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
  trace.hash = (Math.imul(trace.hash, 31) + index) | 0;
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((index, place) => index === other[place]);
}

function keyOf({ priority, asks, ended }: Cause, escalations: readonly Escalation[]): string {
  let key = `${priority} ${asks} ${ended === undefined ? '' : JSON.stringify(ended)}`;
  for (const one of escalations) {
    const { target, dueAt, actedPriority, round, roundSince, pausedUntil, roundsInVain, state } = one;
    key += `|${target.kind} ${target.id} ${state} ${round} ${roundSince} ${pausedUntil} ${roundsInVain} ${actedPriority}`;
    if (round === 0) key += ` ${dueAt}`;
    for (const level of one.entered) key += ` ${level.key} ${level.at} ${level.reason.code}`;
    for (const { key: level, userId, at } of one.picked) key += ` ${level} ${userId} ${at}`;
    if (one.trouble !== undefined) key += ` ${one.trouble.kind} ${one.trouble.groupId} ${one.trouble.round}`;
    if (one.reason !== undefined) key += ` ${one.reason.code}`;
  }
  return key;
}

/** What a call counts as a try for: the escalations at this place of all causes that are alike. */
export function triesAt({ causes, escalations }: Alike, place: number, level: LevelKey): readonly TryFor[] {
  return escalations.flatMap((ofCause, index) => {
    const escalationId = ofCause[place]?.id;
    const causeId = causes[index]?.id;
    return escalationId === undefined || causeId === undefined ? [] : [{ escalationId, causeId, level }];
  });
}
