// Checks of single attempts: for what and whom they begin, and when they stop.

import type { TryFor } from '../../../../src/domain/escalation/escalation.ts';
import { allowedIn, chainOf, isSpokenOn, numberOf, numbersFor } from '../directory.ts';
import { limitsReached } from '../tolls.ts';
import { type AttemptTrace, isOpenAt, momentAt, shown, stateAt, type Trace } from '../trace.ts';
import type { View } from '../view.ts';

const second = 1_000;

/** Nothing begins for alarms that are all over, or for a level that was not entered. */
export function beginsForOpenAlarms({ trace }: View): readonly string[] {
  return [...trace.attempts.values()].flatMap((one) => {
    const { kind, begunAt, tries } = one.attempt;
    if (kind === 'bundle') return [];
    const open = tries.filter(({ causeId }) => isOpenAt(trace.causes.get(causeId), begunAt));
    if (open.length === 0) return [`${of(trace, one)} began for alarms that were over`];
    const strange = open.filter(({ escalationId, level }) => {
      const state = stateAt(trace, escalationId, begunAt);
      if (state === undefined || state.state === 'done' || (state.state === 'exhausted' && kind === 'call'))
        return true;
      if (state.target.kind === 'number') return state.target.id !== one.attempt.numberId;
      const isPicked = state.picked.some(({ key, userId }) => key === level && userId === one.attempt.userId);
      return !isPicked && !state.entered.some(({ key }) => key === level);
    });
    return strange.map(
      (it) => `${of(trace, one)} began for ${it.level} of escalation ${it.escalationId}, which was not entered`,
    );
  });
}

/** What is under way for alarms that are all over stops within 2 s; a call goes on if its person is called for another one. */
export function stopsWhatNobodyNeeds({ trace }: View): readonly string[] {
  return [...trace.attempts.values()].flatMap((one) => {
    const { begunAt, tries, kind, userId } = one.attempt;
    if (kind === 'bundle') return [];
    const ends = tries.map(({ causeId }) => trace.causes.get(causeId)?.endedAt ?? Number.POSITIVE_INFINITY);
    const over = Math.max(begunAt, ...ends);
    const stopped = Math.min(one.attempt.end?.at ?? trace.end, one.announcedAt ?? Number.POSITIVE_INFINITY);
    if (stopped <= over + trace.slackMs) return [];
    if (kind === 'call' && isOwedAnything(trace, userId, over, stopped)) return [];
    return [`${of(trace, one)} rang on until ${shown(trace, stopped)}, its alarms were over at ${shown(trace, over)}`];
  });
}

function isOwedAnything(trace: Trace, userId: number, from: number, to: number): boolean {
  return [...trace.escalations.values()].some(({ causeId, openedAt, states }) => {
    const cause = trace.causes.get(causeId);
    if (openedAt > to || !isOpenAt(cause, from)) return false;
    return states.during(from, to).some((state) => {
      if (state.state !== 'open') return false;
      return state.entered.some(({ key }) => allowedIn(key, momentAt(trace, to)).includes(userId));
    });
  });
}

/** A conversation goes on; what rings rings out, unless its alarms are over or the person or number was deleted. */
export function cutsNothingThatIsNeeded(view: View): readonly string[] {
  const { trace } = view;
  return [...trace.attempts.values()].flatMap((one) => {
    const { end, tries, userId, numberId, channel, hasLeft } = one.attempt;
    if (end?.outcome !== 'cancelled') return [];
    const { snapshot } = momentAt(trace, end.at);
    if (numberOf(snapshot.people.get(userId), numberId) === undefined) return [];
    // A text that has not left yet is stopped.
    const isSaid = one.announcedAt !== undefined && (isSpokenOn(channel) || hasLeft);
    if (isSaid) return one.isLost ? [] : [`${of(trace, one)} was cut in the middle of the conversation`];
    const needed = tries.filter(({ causeId, escalationId }) => {
      // A message that one person of a group has heard needs nobody else of it.
      const isHeard = stateAt(trace, escalationId, end.at)?.state === 'done';
      if (isHeard && !trace.causes.get(causeId)?.asks) return false;
      const answers = view.answersOf({ causeId, userId, since: one.attempt.begunAt }, end.at);
      return isOpenAt(trace.causes.get(causeId), end.at) && answers.every(({ answer }) => answer === 'later');
    });
    return needed.length === 0
      ? []
      : [`${of(trace, one)} was cut at ${shown(trace, end.at)} although alarm ${needed[0]?.causeId} was open`];
  });
}

/** Those who are called are in the level they are called for, by a number that may be used, the first that is left. */
export function callsWhoIsThere({ trace }: View): readonly string[] {
  return [...trace.attempts.values()].flatMap((one) => {
    const { begunAt, tries, userId, numberId, kind } = one.attempt;
    if (kind === 'bundle') return [];
    const moment = momentAt(trace, begunAt);
    const isInChain = ({ escalationId, level }: TryFor): boolean => {
      const target = trace.escalations.get(escalationId)?.target;
      return target !== undefined && chainOf(target, moment).includes(level);
    };
    const absent = tries.filter((it) => !allowedIn(it.level, moment).includes(userId) || !isInChain(it));
    const refused = tries.filter(({ causeId, level, escalationId }) => {
      // A message to one number goes there, whatever the number is for.
      if (trace.escalations.get(escalationId)?.target.kind === 'number')
        return !one.number.valid || !one.number.verified;
      const { ring, notice } = numbersFor(userId, trace.causes.get(causeId)?.priority.at(begunAt) ?? 3, moment);
      const allowed = level === 'administrators' ? [...ring, ...notice] : kind === 'call' ? ring : notice;
      return !allowed.some(({ id }) => id === numberId);
    });
    return [
      ...(kind === 'notice' ? [] : absent).map(({ level }) => `${of(trace, one)} began, who is not in ${level}`),
      ...refused.map(
        ({ causeId }) => `${of(trace, one)} began, whose number is not for ${kind}s of alarm ${causeId} now`,
      ),
    ];
  });
}

/** Nobody is in two calls at once, and no telephone is. */
export function oneCallAtATime(view: View): readonly string[] {
  const { trace } = view;
  const spoken = [...trace.attempts.values()].filter(({ attempt }) => attempt.channel === 'voice');
  const groups = [
    Map.groupBy(spoken, ({ attempt }) => `person ${attempt.userId}`),
    Map.groupBy(spoken, ({ attempt }) => `telephone ${attempt.address}`),
  ];
  return groups.flatMap((byLine) =>
    [...byLine].flatMap(([line, calls]) =>
      calls.flatMap((call, place) => {
        const before = calls
          .slice(0, place)
          .find(({ attempt: { end } }) => end === undefined || end.at > call.attempt.begunAt);
        return before === undefined ? [] : [`${of(trace, call)} began while ${line} was in ${of(trace, before)}`];
      }),
    ),
  );
}

/**
 * Per alarm, person, number and round: no more tries than `countTry` since the number was last reached, and no more silent
 * calls than `countAck` + 1.
 */
export function triesAreCounted(view: View): readonly string[] {
  return calls(view.trace).flatMap((one) => {
    const { begunAt, tries, userId, numberId } = one.attempt;
    return tries.flatMap(({ causeId, escalationId }) => {
      const escalation = view.trace.escalations.get(escalationId);
      const state = stateAt(view.trace, escalationId, begunAt);
      const round = { round: state?.round ?? 0, since: state?.roundSince ?? 0 };
      const since = escalation === undefined ? 0 : view.sinceOf({ escalation, ...round }, begunAt);
      const before = view.attemptsFor(causeId, userId).filter(({ attempt }) => {
        if (attempt.numberId !== numberId || attempt.kind !== 'call' || attempt.begunAt < since) return false;
        return (
          attempt.begunAt < begunAt && attempt.end !== undefined && attempt.tries.some((it) => it.causeId === causeId)
        );
      });
      const laters = view.answersOf({ causeId, userId, since }, begunAt).filter(({ answer }) => answer === 'later');
      const counted = before.filter(
        ({ attempt }) => !laters.some(({ at }) => attempt.begunAt >= at && attempt.begunAt < at + 300 * second),
      );
      const { failedSince, silent, isFinal } = view.usedOf(counted, causeId, begunAt);
      if (failedSince < one.number.countTry && silent <= one.number.countAck && !isFinal) return [];
      return [
        `${of(view.trace, one)} is a try too many for alarm ${causeId}: ${failedSince} failed, ${silent} silent${isFinal ? ', one for good' : ''}`,
      ];
    });
  });
}

/** Who heard or declined an alarm is not called for it again in that round, and who asked for later not before that. */
export function answeredIsOver(view: View): readonly string[] {
  return calls(view.trace).flatMap((one) => {
    const { begunAt, tries, userId } = one.attempt;
    return tries.flatMap(({ causeId, escalationId }) => {
      const own = stateAt(view.trace, escalationId, begunAt);
      const since = own?.roundSince ?? 0;
      const answers = view.answersOf({ causeId, userId, since }, begunAt - 1);
      const isLast = own?.target.kind === 'last-resort';
      const ofGroup = isLast ? answersInGroup(view, causeId, userId, begunAt) : [];
      const over = [...answers, ...ofGroup].find(({ answer }) => answer !== 'later');
      if (over !== undefined)
        return [`${of(view.trace, one)} began for alarm ${causeId}, ${over.answer} at ${shown(view.trace, over.at)}`];
      const later = answers.find(({ answer, at }) => answer === 'later' && begunAt < at + 300 * second);
      return later === undefined
        ? []
        : [`${of(view.trace, one)} began for alarm ${causeId}, wanted later at ${shown(view.trace, later.at)}`];
    });
  });
}

/** What a person answered in the group's present round to a call that was not of the last resort alone. */
function answersInGroup(view: View, causeId: number, userId: number, at: number): ReturnType<View['answersOf']> {
  const isOfGroup = (escalationId: number): boolean =>
    view.trace.escalations.get(escalationId)?.target.kind !== 'last-resort';
  const rounds = [...view.trace.escalations.values()].flatMap((it) => {
    if (it.causeId !== causeId || it.target.kind === 'last-resort' || it.openedAt > at) return [];
    const { state, roundSince, round } = it.states.at(at);
    return state === 'done' || round === 0 ? [] : [roundSince];
  });
  const [since] = rounds;
  if (rounds.length !== 1 || since === undefined) return [];
  return view.attemptsFor(causeId, userId).flatMap(({ attempt: { tries, answers } }) => {
    if (!tries.some((it) => it.causeId === causeId && isOfGroup(it.escalationId))) return [];
    return answers.filter((answer) => answer.causeId === causeId && answer.at >= since && answer.at < at);
  });
}

/** A person whose cap is reached is called for priority 1 alone; whether notices count towards it, the spec leaves open. */
export function capHolds(view: View): readonly string[] {
  return calls(view.trace).flatMap((one) => {
    const { begunAt, userId, tries } = one.attempt;
    const { cap } = view.trace.policies.at(begunAt);
    if (cap === undefined) return [];
    if (tries.some(({ causeId }) => view.trace.causes.get(causeId)?.priority.at(begunAt) === 1)) return [];
    const counted = view.attemptsOf(userId).filter(({ attempt, leftAt }) => {
      if (attempt.kind !== 'call' || attempt.isUrgent || leftAt === undefined || leftAt > begunAt) return false;
      return attempt.begunAt > begunAt - cap.windowMs && attempt.begunAt < begunAt;
    });
    return counted.length < cap.attempts
      ? []
      : [`${of(view.trace, one)} began although ${counted.length} were made of ${cap.attempts}`];
  });
}

/** No limit of a day is gone beyond, except for priority 1. */
export function tollsHold({ trace }: View): readonly string[] {
  const hasLeft = ({ leftAt, attempt: { end } }: AttemptTrace): boolean => leftAt !== undefined && !end?.isFinal;
  return [...trace.attempts.values()].flatMap((one) => {
    const { begunAt, tries } = one.attempt;
    if (tries.some(({ causeId }) => trace.causes.get(causeId)?.priority.at(begunAt) === 1)) return [];
    return limitsReached(trace, one.attempt, begunAt, hasLeft).map((why) => `${of(trace, one)} began although ${why}`);
  });
}

function calls(trace: Trace): readonly AttemptTrace[] {
  return [...trace.attempts.values()].filter(({ attempt }) => attempt.kind === 'call');
}

export function of(trace: Trace, { attempt }: AttemptTrace): string {
  const causes = [...new Set(attempt.tries.map(({ causeId }) => causeId))];
  const names = causes.length > 6 ? `${causes.slice(0, 6).join(' ')} …` : causes.join(' ');
  return `${shown(trace, attempt.begunAt)} ${attempt.kind} ${attempt.id} to ${attempt.userId}/${attempt.numberId} (${names})`;
}
