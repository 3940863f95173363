// Checks of the way up: levels are entered in order, none is left too early or too late, and nothing ends unseen.

import type { LevelKey } from '../../../../src/domain/escalation/escalation.ts';
import { chainOf, peopleOf, picksPeople, timeToTake } from '../directory.ts';
import { isOpenAt, isUnchanged, momentAt, shown, type Trace } from '../trace.ts';
import type { Part, Pass, View } from '../view.ts';
import { asksIn, heardElsewhere, passes } from './people.ts';

const second = 1_000;

/** A level with people is entered as soon as an alarm is due. */
export function entersALevel(view: View): readonly string[] {
  const { trace } = view;
  return [...trace.escalations.values()].flatMap((escalation) => {
    const { causeId, target, dueAt, states } = escalation;
    // A message to a number enters no level.
    if (target.kind === 'last-resort' || target.kind === 'number') return [];
    for (let at = dueAt + second; at + trace.slackMs < trace.end; at += 20 * second) {
      const until = at + trace.slackMs;
      if (!isOpenAt(trace.causes.get(causeId), until)) return [];
      const empty = states
        .during(at, until)
        .every((one) => one.state === 'open' && one.entered.length === 0 && one.pausedUntil === undefined);
      const somebody = empty ? firstWithPeople(trace, target, at) : undefined;
      if (somebody !== undefined && firstWithPeople(trace, target, until) === somebody)
        return [`alarm ${causeId}: ${somebody} has people and is not called from ${shown(trace, at)}`];
    }
    return [];
  });
}

function firstWithPeople(trace: Trace, target: Parameters<typeof chainOf>[0], at: number): LevelKey | undefined {
  const moment = momentAt(trace, at);
  return chainOf(target, moment).find((level) => peopleOf(level, moment).length > 0);
}

/** No level is entered before those below it that have people. */
export function entersInOrder(view: View): readonly string[] {
  const { trace } = view;
  const ofGroups = passes(view, () => true).filter(({ escalation }) => escalation.target.kind === 'group');
  return ofGroups.flatMap((pass) =>
    pass.entered.flatMap(({ key, at, reason }) => {
      if (reason.code === 'escalated') return [];
      const moment = momentAt(trace, at);
      const chain = chainOf(pass.escalation.target, moment);
      const place = chain.indexOf(key);
      if (place < 0) return [`alarm ${pass.escalation.causeId}: ${key} is not in the chain at ${shown(trace, at)}`];
      if (peopleOf(key, moment).length === 0)
        return [`alarm ${pass.escalation.causeId}: ${key} was entered at ${shown(trace, at)} without people`];
      // What follows a level that somebody called by hand does not wait for those that were passed over then.
      const byHand = pass.entered.filter((one) => one.reason.code === 'escalated' && one.at <= at);
      const first = chain.findLastIndex((level, index) => index < place && byHand.some((one) => one.key === level));
      const below = chain.slice(first + 1, place).filter((level) => peopleOf(level, moment).length > 0);
      const last = pass.entered.find((one) => one.key === below.at(-1) && one.at < at);
      // A level that has had its time opens the way to the next, also past those below it that have people since it was entered.
      if (last !== undefined && isOverdue(trace, pass, last, at)) return [];
      const skipped = below.find((level) => !pass.entered.some((one) => one.key === level && one.at <= at));
      return skipped === undefined
        ? []
        : [`alarm ${pass.escalation.causeId}: ${key} was entered at ${shown(trace, at)} before ${skipped}`];
    }),
  );
}

/** Nobody is left behind: a level is left, and a round ends, when everybody of it is done or kept from being called. */
export function leavesNobodyBehind(view: View): readonly string[] {
  const { trace } = view;
  return passes(view, asksIn(view)).flatMap((pass) => {
    const { causeId } = pass.escalation;
    const sentences = pass.entered.flatMap(({ key, at, reason }) => {
      if (reason.code === 'escalated' || picksPeople(key, trace.snapshots.at(at)) === 'per-user') return [];
      const chain = chainOf(pass.escalation.target, momentAt(trace, at));
      const earlier = pass.entered.filter((one) => one.at < at && chain.indexOf(one.key) < chain.indexOf(key));
      // A level that has had its time opens the way, whatever those before it wait for.
      const inOrder = earlier.toSorted((one, other) => chain.indexOf(one.key) - chain.indexOf(other.key));
      const held = inOrder.slice(inOrder.findLastIndex((one) => isOverdue(trace, pass, one, at)) + 1);
      if (reason.code === 'not-taken-in-time' && earlier.length > 0 && held.length === earlier.length)
        return [`alarm ${causeId}: ${key} was entered at ${shown(trace, at)} for time that was not over`];
      return held.flatMap((one) =>
        stillOwed(view, pass, one.key, at, false).map(
          (why) => `alarm ${causeId}: ${key} was entered at ${shown(trace, at)} although ${why}`,
        ),
      );
    });
    if (pass.how !== 'paused' && pass.how !== 'exhausted') return sentences;
    const isFinal = pass.how === 'exhausted';
    const left = pass.entered.flatMap((one) => stillOwed(view, pass, one.key, pass.end, isFinal));
    return [
      ...sentences,
      ...left.map((why) => `alarm ${causeId} was ${pass.how} at ${shown(trace, pass.end)} although ${why}`),
    ];
  });
}

/** Whether the level's time to take the alarm is over; also if it may be, because the priority or the policy changed. */
function isOverdue(trace: Trace, pass: Pass, { key, at }: Pass['entered'][number], now: number): boolean {
  const priorities = trace.causes.get(pass.escalation.causeId)?.priority.during(at, now) ?? [];
  return trace.policies.during(at, now).some((policy) =>
    priorities.some((priority) => {
      const limit = timeToTake(key, priority, { ...momentAt(trace, at), policy });
      return limit !== undefined && now >= at + limit;
    }),
  );
}

/** Returns why people of the level hold the way up, or keep the alarm from being exhausted. */
function stillOwed(view: View, pass: Pass, level: LevelKey, at: number, isFinal: boolean): readonly string[] {
  const { trace } = view;
  // In a round that begins and ends at this moment nobody can be reached.
  if (pass.escalation.states.at(at).roundSince === at) return [];
  // A level that left the chain holds nothing.
  if (!chainOf(pass.escalation.target, momentAt(trace, at)).includes(level)) return [];
  const settled = at - trace.slackMs - 3 * second;
  const before = peopleOf(level, momentAt(trace, settled));
  const present = peopleOf(level, momentAt(trace, at)).filter((id) => before.includes(id));
  const picks = picksPeople(level, trace.snapshots.at(at));
  const picked = pass.escalation.states
    .at(at - 1)
    .picked.filter((one) => one.key === level)
    .map(({ userId }) => userId);
  const priority = trace.causes.get(pass.escalation.causeId)?.priority.at(at) ?? 3;
  const called = picks === 'per-user' ? present.filter((id) => picked.includes(id)) : present;
  return called.flatMap((userId) => {
    const asked = { causeId: pass.escalation.causeId, userId, since: view.sinceOf(pass, at - 1) };
    if (heardElsewhere(view, asked, at - 1)) return [];
    const part = view.partAt(asked, at, at);
    const why = holdsBecause(part, priority, isFinal);
    if (part.kind === 'rings' && waitsForLine(view, userId, at)) return [];
    if (why === undefined || (!isFinal && isKeptBack(view, userId, part, priority, at))) return [];
    return [`${userId} of ${level} ${why}`];
  });
}

/** Whether a call to the person has no line since a minute, because its trunk failed: it is passed over like one that has not begun. */
function waitsForLine(view: View, userId: number, at: number): boolean {
  return view
    .attemptsOf(userId)
    .some(
      ({ attempt: { begunAt, end }, leftAt }) =>
        begunAt + 60 * second <= at && (end?.at ?? at) >= at && (leftAt ?? at) >= at,
    );
}

function holdsBecause({ kind, laters }: Part, priority: number, isFinal: boolean): string | undefined {
  switch (kind) {
    case 'rings':
      return 'was being called';
    case 'awaits':
      return 'had time to answer';
    case 'wants':
      return 'had tries left';
    case 'later':
      return isFinal || (priority > 1 && laters === 1) ? 'had asked for later' : undefined;
    default:
      return undefined;
  }
}

/** Whether something kept a person who had tries left from being called in the minute before. */
function isKeptBack(view: View, userId: number, { kind, left, perhaps }: Part, priority: number, at: number): boolean {
  if (kind !== 'wants') return false;
  const from = at - 66 * second - (view.trace.slackMs > 5 * second ? 30 * second : 0);
  const changed = !isUnchanged(view.trace, from, at) || view.trace.locks.during(from, at).length > 1;
  if (changed || left[0]?.id !== perhaps[0]?.id) return true;
  // A channel may fail at the very moment at which the person is picked.
  return left.some(
    (number) =>
      view.obstacle(userId, number, priority === 1, from, at - 1) !== undefined ||
      !view.hasLine(number, priority === 1, at - 1, at),
  );
}

/** The next level is entered, or the round ends, once everybody is done or the time of the level is over. */
export function goesUpInTime(view: View): readonly string[] {
  const { trace } = view;
  return passes(view, asksIn(view)).flatMap((pass) => {
    const { causeId, target, states } = pass.escalation;
    if (target.kind !== 'group' || hasPerUser(trace, pass)) return [];
    const end = Math.min(pass.end, trace.causes.get(causeId)?.endedAt ?? pass.end);
    for (const level of pass.entered) {
      const limit = timeToTake(
        level.key,
        trace.causes.get(causeId)?.priority.at(level.at) ?? 3,
        momentAt(trace, level.at),
      );
      const deadline = level.at + (limit ?? Number.POSITIVE_INFINITY);
      if (deadline + trace.slackMs >= end || !isSteady(trace, causeId, level.at, deadline + trace.slackMs)) continue;
      if (!entersAfter(trace, pass, level.key, deadline) && hasNext(trace, pass, level.key, deadline))
        return [`alarm ${causeId}: nothing follows ${level.key} at ${shown(trace, deadline)}, when its time is over`];
    }
    const waitMs = trace.slackMs + 5 * second;
    for (let at = (pass.entered[0]?.at ?? end) + second; at + waitMs < end; at += 40 * second) {
      if (states.during(at, at + waitMs).length > 1 || !isSteady(trace, causeId, at, at + waitMs)) continue;
      // What was said to be in vain waits only for what is still under way, such as notices.
      const { trouble } = states.at(at);
      if (trouble?.kind === 'in-vain' && trouble.round === pass.round) continue;
      if ([at, at + waitMs / 2, at + waitMs].every((it) => isDone(view, pass, it)))
        return [`alarm ${causeId}: everybody is done at ${shown(trace, at)} and nothing follows`];
    }
    return [];
  });
}

function hasPerUser(trace: Trace, pass: Pass): boolean {
  return trace.snapshots.during(pass.since, pass.end).some((snapshot) => {
    const chain = chainOf(pass.escalation.target, { ...momentAt(trace, pass.end), snapshot });
    return chain.some((level) => picksPeople(level, snapshot) === 'per-user');
  });
}

function isSteady(trace: Trace, causeId: number, from: number, to: number): boolean {
  return isUnchanged(trace, from, to) && (trace.causes.get(causeId)?.priority.during(from, to).length ?? 0) <= 1;
}

function nextLevels(trace: Trace, pass: Pass, level: LevelKey, at: number): readonly LevelKey[] {
  const moment = momentAt(trace, at);
  const chain = chainOf(pass.escalation.target, moment);
  return chain.slice(chain.indexOf(level) + 1).filter((next) => peopleOf(next, moment).length > 0);
}

function hasNext(trace: Trace, pass: Pass, level: LevelKey, at: number): boolean {
  const [now] = nextLevels(trace, pass, level, at);
  return now !== undefined && now === nextLevels(trace, pass, level, at + trace.slackMs)[0];
}

function entersAfter(trace: Trace, pass: Pass, level: LevelKey, at: number): boolean {
  const next = nextLevels(trace, pass, level, at);
  return pass.entered.some(({ key, at: entered }) => next.includes(key) && entered <= at + trace.slackMs);
}

/** Whether everybody of the levels entered has answered or has no try left. */
function isDone(view: View, pass: Pass, at: number): boolean {
  const moment = momentAt(view.trace, at);
  const chain = chainOf(pass.escalation.target, moment);
  const people = pass.entered.flatMap(({ key }) => (chain.includes(key) ? peopleOf(key, moment) : []));
  if (people.length === 0) return false;
  return people.every((userId) => {
    const { kind } = view.partAt({ causeId: pass.escalation.causeId, userId, since: pass.since }, at);
    return (kind === 'answered' || kind === 'over') && !view.isBusy(userId, at, at);
  });
}

/** What nobody took is seen by everybody: the last resort is called for it when its round ends, or nobody is on call. */
export function lastResortIsCalled(view: View): readonly string[] {
  const { trace } = view;
  return [...trace.escalations.values()].flatMap((escalation) => {
    const { causeId, target, states } = escalation;
    const cause = trace.causes.get(causeId);
    if (target.kind === 'last-resort' || target.kind === 'number' || cause === undefined || !cause.asks) return [];
    const ended = view.passesOf(escalation).filter(({ how }) => how === 'paused' || how === 'exhausted');
    const ends = ended.map(({ end }) => end);
    const isOpened = (at: number): boolean =>
      [...trace.escalations.values()].some((one) => {
        if (one.causeId !== causeId || one.target.kind !== 'last-resort' || one.openedAt > at + trace.slackMs)
          return false;
        return one.states.at(at + trace.slackMs).state !== 'done';
      });
    const missing = ends.filter(
      (at) => isOpenAt(cause, at + trace.slackMs) && at + trace.slackMs < trace.end && !isOpened(at),
    );
    const over = states
      .entries()
      .filter(
        ({ at, value }) =>
          value.state === 'done' &&
          isOpenAt(cause, at) &&
          value.reason?.code !== 'discarded' &&
          value.reason?.code !== 'target-removed',
      );
    return [
      ...missing.map(
        (at) => `alarm ${causeId}: its round ended at ${shown(trace, at)} and the last resort is not called`,
      ),
      ...over.map(
        ({ at, value }) =>
          `alarm ${causeId} was done at ${shown(trace, at)} (${value.reason?.code}) although nobody took it`,
      ),
    ];
  });
}
