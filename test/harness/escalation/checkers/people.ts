// Checks that nobody waits in vain: who is owed a call gets it once nothing keeps it back.

import { chainOf, numbersFor, peopleOf, picksPeople } from '../directory.ts';
import { isOpenAt, momentAt, shown, type Trace } from '../trace.ts';
import type { Asked, Pass, View } from '../view.ts';

const second = 1_000;
const sampleMs = 45 * second;

/** Returns the people of the levels entered by then who are called for certain: in turn and per person those picked. */
export function calledIn(
  { escalation, entered }: Pass,
  trace: Trace,
  at: number,
): readonly { level: string; userId: number }[] {
  const moment = momentAt(trace, at);
  const { picked } = escalation.states.at(at);
  // A level that left the chain, as when its duty is locked, calls nobody.
  const chain = chainOf(escalation.target, moment);
  return entered
    .filter((level) => level.at <= at && chain.includes(level.key))
    .flatMap(({ key }) => {
      const people = peopleOf(key, moment);
      const picks = picksPeople(key, moment.snapshot);
      const called = picks ? people.filter((id) => picked.some((one) => one.key === key && one.userId === id)) : people;
      return called.map((userId) => ({ level: key, userId }));
    });
}

export function passes(view: View, isWanted: (causeId: number) => boolean): readonly Pass[] {
  return [...view.trace.escalations.values()]
    .filter(({ causeId }) => isWanted(causeId))
    .flatMap((one) => view.passesOf(one));
}

export function asksIn({ trace }: View): (causeId: number) => boolean {
  return (causeId) => trace.causes.get(causeId)?.asks ?? false;
}

/** Whoever wants a call, with a number that has a line and does not rest, is called within the slack. */
export function callsWhoWants(view: View): readonly string[] {
  const { trace } = view;
  const limitMs = trace.slackMs + 8 * second;
  const found = new Map<string, string>();
  for (const pass of passes(view, asksIn(view))) {
    const { causeId } = pass.escalation;
    const first = pass.entered[0]?.at ?? pass.end;
    const end = Math.min(pass.end, trace.causes.get(causeId)?.endedAt ?? pass.end);
    for (let at = first + second; at + limitMs < end; at += sampleMs) {
      const states = pass.escalation.states.during(at, at + limitMs);
      if (states.some(({ state, pausedUntil }) => state !== 'open' || pausedUntil !== undefined)) continue;
      for (const { level, userId } of calledIn(pass, trace, at)) {
        const key = `${pass.escalation.id} ${pass.round} ${userId}`;
        if (found.has(key) || !isLeftWaiting(view, pass, userId, at, at + limitMs)) continue;
        found.set(
          key,
          `alarm ${causeId}: ${userId} of ${level} is not called from ${shown(trace, at)} although nothing keeps it back`,
        );
      }
    }
  }
  return [...found.values()];
}

function isLeftWaiting(view: View, pass: Pass, userId: number, from: number, to: number): boolean {
  const { trace } = view;
  const asked: Asked = { causeId: pass.escalation.causeId, userId, since: view.sinceOf(pass, from) };
  const part = view.partAt(asked, from);
  const [number] = part.left;
  if (part.kind !== 'wants' || number === undefined || part.perhaps[0]?.id !== number.id) return false;
  const priority = trace.causes.get(asked.causeId)?.priority;
  if (priority === undefined || priority.during(from, to).length > 1) return false;
  if (!calledIn(pass, trace, to).some((one) => one.userId === userId)) return false;
  if (view.rests(userId, number, from, to) || heardElsewhere(view, asked, to)) return false;
  if (view.obstacle(userId, number, priority.at(from) === 1, from, to) !== undefined) return false;
  const after = view.partAt(asked, to);
  const isCalled = view.attemptsOf(userId).some(({ attempt: { begunAt } }) => begunAt > from && begunAt <= to);
  return !isCalled && after.kind === 'wants' && after.left[0]?.id === number.id;
}

/** Whether the person answered in the present round of another escalation of the alarm. */
export function heardElsewhere(view: View, asked: Asked, at: number): boolean {
  const others = [...view.trace.escalations.values()].filter(({ causeId }) => causeId === asked.causeId);
  const since = Math.min(...others.map(({ states }) => states.at(at).roundSince));
  const answers = view.answersOf({ ...asked, since }, at);
  // Later a third time counts as heard.
  return answers.length >= 3 || answers.some(({ answer }) => answer !== 'later');
}

/** The first call for an alarm of priority 1 begins within 5 s of the person being free. */
export function urgentAtOnce(view: View): readonly string[] {
  const { trace } = view;
  const limitMs = 5 * second + Math.max(500, trace.slackMs - 2 * second);
  return passes(view, asksIn(view)).flatMap((pass) => {
    const { causeId } = pass.escalation;
    const [level] = pass.entered;
    if (level === undefined || pass.round !== 1) return [];
    const people = calledIn({ ...pass, entered: [level] }, trace, level.at).map(({ userId }) => userId);
    return people.flatMap((userId) => {
      const late = waitsInVain(view, pass, userId, level.at, limitMs);
      return late === undefined
        ? []
        : [`alarm ${causeId} of priority 1: ${userId} is free from ${shown(trace, late)} and not called`];
    });
  });
}

function waitsInVain(view: View, pass: Pass, userId: number, from: number, limitMs: number): number | undefined {
  const { trace } = view;
  const asked: Asked = { causeId: pass.escalation.causeId, userId, since: pass.since };
  let freeSince = from;
  for (let at = from; at < Math.min(pass.end, from + 900 * second); at += second / 2) {
    if (trace.causes.get(asked.causeId)?.priority.at(at) !== 1 || !isOpenAt(trace.causes.get(asked.causeId), at))
      return undefined;
    if (!calledIn(pass, trace, at).some((one) => one.userId === userId)) return undefined;
    if (view.attemptsFor(asked.causeId, userId).some(({ attempt }) => attempt.begunAt <= at)) return undefined;
    const [number] = numbersFor(userId, 1, momentAt(trace, at)).ring;
    if (number === undefined || heardElsewhere(view, asked, at)) return undefined;
    const isExemptSoon = view
      .attemptsOf(userId)
      .some(({ attempt }) => attempt.isExempt && attempt.begunAt <= at && attempt.begunAt > at - 61 * second);
    const isHeldBack = view.obstacle(userId, number, true, at, at) !== undefined;
    if (isExemptSoon || isHeldBack) freeSince = at;
    else if (at - freeSince > limitMs) return freeSince;
  }
  return undefined;
}
