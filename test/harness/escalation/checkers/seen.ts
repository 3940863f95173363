// Checks that what keeps people from being called is seen: nobody is on call, or the duty is locked; and that what somebody does by
// hand is done.

import type { LevelKey } from '../../../../src/domain/escalation/escalation.ts';
import { chainOf, groupOf, isLocked, type Moment, peopleOf } from '../directory.ts';
import { isOpenAt, isUnchanged, momentAt, shown, stateAt, type Trace } from '../trace.ts';
import type { Pass, View } from '../view.ts';
import { asksIn, calledIn, heardElsewhere, passes } from './people.ts';

const second = 1_000;
const sampleMs = 40 * second;

/** Where nobody is on call it is said, and the last resort is called; where the duty is locked it is said, and it is not. */
export function nobodyIsSeen({ trace }: View): readonly string[] {
  return [...trace.escalations.values()].flatMap(({ id, causeId, target, dueAt }) => {
    const cause = trace.causes.get(causeId);
    if (target.kind === 'number' || target.kind === 'last-resort' || !cause?.asks) return [];
    for (let at = dueAt + second; at + trace.slackMs < trace.end; at += sampleMs) {
      const until = at + trace.slackMs;
      if (!isOpenAt(cause, until)) return [];
      const state = stateAt(trace, id, until);
      // One that was opened again meanwhile, as its priority repeats now, has the slack from then.
      const isOpen = stateAt(trace, id, at)?.state === 'open' && state?.state === 'open';
      if (!isOpen || !isEmpty(trace, target, at, until)) continue;
      const isLockedNow = isGroupLocked(trace, target, until);
      if (isGroupLocked(trace, target, at) !== isLockedNow) continue;
      const kind = isLockedNow ? 'locked' : 'nobody-on-call';
      if (state.trouble?.kind !== kind)
        return [
          `alarm ${causeId}: nothing says that ${target.kind} ${target.id} has nobody (${kind}) at ${shown(trace, at)}`,
        ];
      if (kind === 'nobody-on-call' && !hasLastResort(trace, causeId, until))
        return [`alarm ${causeId}: nobody is on call at ${shown(trace, at)} and the last resort is not called`];
    }
    return [];
  });
}

/** Nobody is called in vain while somebody who was passed over is owed a call: who asked for later, or whom the cap holds back. */
export function inVainAtTheEnd(view: View): readonly string[] {
  const { trace } = view;
  return passes(view, asksIn(view)).flatMap((pass) => {
    const { causeId, states, target } = pass.escalation;
    if (target.kind === 'last-resort') return [];
    const said = states
      .entries()
      .find(({ value }) => value.trouble?.kind === 'in-vain' && value.trouble.round === pass.round);
    if (said === undefined || said.at <= pass.since) return [];
    const owed = calledIn(pass, trace, said.at).find(({ userId }) => isPassedOver(view, pass, userId, said.at));
    if (owed === undefined) return [];
    return [
      `alarm ${causeId} was called in vain at ${shown(trace, said.at)} although ${owed.userId} of ${owed.level} is owed a call`,
    ];
  });
}

function isPassedOver(view: View, pass: Pass, userId: number, at: number): boolean {
  const asked = { causeId: pass.escalation.causeId, userId, since: pass.since };
  // What ends at this very moment may have been counted or not.
  if (heardElsewhere(view, asked, at) || view.isBusy(userId, at - 1, at)) return false;
  const isUrgent = view.trace.causes.get(asked.causeId)?.priority.at(at) === 1;
  const { kind, left } = view.partAt(asked, at, at);
  if (kind === 'later') return true;
  const [number] = left;
  if (kind !== 'wants' || number === undefined || isUrgent) return false;
  return isCappedFor(view, userId, at) && view.hasLine(number, false, at - 1, at);
}

/** Whether the cap is reached for a while around, without what was begun for an alarm of priority 1. */
function isCappedFor(view: View, userId: number, at: number): boolean {
  const counted = view
    .attemptsOf(userId)
    .filter(({ attempt, leftAt }) => attempt.kind === 'call' && !attempt.isUrgent && leftAt !== undefined);
  return view.trace.policies.during(at - second, at).every(({ cap }) => {
    if (cap === undefined) return false;
    const begun = counted.map(({ attempt: { begunAt } }) => begunAt).filter((it) => it < at - second);
    return begun.filter((it) => it > at + second - cap.windowMs).length >= cap.attempts;
  });
}

/** A locked duty opens no last resort. */
export function locksCallNobody({ trace }: View): readonly string[] {
  return [...trace.escalations.values()].flatMap(({ causeId, target, openedAt }) => {
    if (target.kind !== 'last-resort') return [];
    const others = [...trace.escalations.values()].filter(
      (one) => one.causeId === causeId && one.openedAt <= openedAt && one.target.kind !== 'last-resort',
    );
    const isOfLock = others.length > 0 && others.every((one) => isGroupLocked(trace, one.target, openedAt));
    const wasLocked = isOfLock && others.every(({ states }) => states.at(openedAt).entered.length === 0);
    return wasLocked
      ? [`alarm ${causeId}: the last resort is called at ${shown(trace, openedAt)} for a locked duty`]
      : [];
  });
}

type Target = Parameters<typeof chainOf>[0];

function isEmpty(trace: Trace, target: Target, from: number, to: number): boolean {
  if (!isUnchanged(trace, from, to)) return false;
  return [from, (from + to) / 2, to].every((at) => {
    const moment = momentAt(trace, at);
    // Who is off duty is called by name all the same.
    if (target.kind === 'user') return !moment.snapshot.people.has(target.id);
    return chainOf(target, moment).every((level) => peopleOf(level, moment).length === 0);
  });
}

/** Whether the chain of a group ends at a locked duty before it has anybody. */
function isGroupLocked(trace: Trace, { kind, id }: Target, at: number): boolean {
  const moment = momentAt(trace, at);
  const seen = new Set<number>();
  for (let group = kind === 'group' ? moment.snapshot.groups.get(id) : undefined; group !== undefined; ) {
    if (seen.has(group.id)) return false;
    seen.add(group.id);
    if (isLocked(group, moment)) return true;
    group = moment.snapshot.groups.get(group.reliefGroupId ?? 0);
  }
  return false;
}

function hasLastResort(trace: Trace, causeId: number, at: number): boolean {
  return [...trace.escalations.values()].some(
    (one) => one.causeId === causeId && one.target.kind === 'last-resort' && one.openedAt <= at,
  );
}

/** Who has the next group called by hand has it called at once. */
export function escalatesByHand({ trace }: View): readonly string[] {
  return trace.escalated.flatMap(({ at, causeId }) => {
    const moment = momentAt(trace, at);
    return [...trace.escalations.values()].flatMap(({ id, causeId: own, target, openedAt }) => {
      const before = own === causeId && openedAt < at ? stateAt(trace, id, at - 1) : undefined;
      const isCalled = before?.state !== 'done' && (before?.entered.length ?? 0) > 0;
      if (!isCalled || target.kind !== 'group' || !isOpenAt(trace.causes.get(causeId), at)) return [];
      const known = new Set(before?.entered.map(({ key }) => key));
      const next = nextGroup(chainOf(target, moment), known, moment);
      const after = stateAt(trace, id, at);
      if (next === undefined || after?.state === 'done' || after?.entered.some(({ key }) => key === next)) return [];
      return [`alarm ${causeId}: ${next} is not called at ${shown(trace, at)}, when somebody escalated by hand`];
    });
  });
}

/** The first level with people of the group behind that of the last level that was entered. */
function nextGroup(chain: readonly LevelKey[], entered: ReadonlySet<LevelKey>, moment: Moment): LevelKey | undefined {
  const present = chain.filter((level) => peopleOf(level, moment).length > 0);
  const last = present.findLastIndex((level) => entered.has(level));
  const group = last < 0 ? undefined : groupOf(present[last] as LevelKey, moment.snapshot);
  if (group === undefined) return undefined;
  return present
    .slice(last + 1)
    .find((level) => !entered.has(level) && groupOf(level, moment.snapshot)?.id !== group.id);
}
