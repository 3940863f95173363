// Checks of notices: every alarm a person is called for once per number, gathered to one message a minute; and of messages to one
// number alone.

import type { ContactNumber } from '../../../../src/domain/people/person.ts';
import { chainOf, isSpokenOn, numbersFor } from '../directory.ts';
import { type AttemptTrace, isOpenAt, isUnchanged, momentAt, shown, type Trace } from '../trace.ts';
import { overlaps, type View } from '../view.ts';
import { of } from './attempts.ts';

const second = 1_000;
/** Gathered for a minute, and tried again. */
const longestWaitMs = 130 * second;
/** One that failed is tried again after the pause of its number, five minutes at most. */
const failedMs = 400 * second;

/** A number gets no alarm twice unless it was raised again, and one message a minute at most. */
export function noticesComeOnce(view: View): readonly string[] {
  const { trace } = view;
  return [...byNumber(view).values()].flatMap((notices) =>
    notices.flatMap((notice, place) => {
      const sent = notices
        .slice(0, place)
        .filter(({ attempt: { end } }) => end === undefined || end.outcome === 'reached');
      const last = sent.at(-1);
      const sentences: string[] = [];
      if (last !== undefined && notice.attempt.begunAt - last.attempt.begunAt < 60 * second)
        sentences.push(`${of(trace, notice)} began within a minute of ${of(trace, last)}`);
      const toldAt = new Map(sent.flatMap(({ attempt }) => attempt.tries.map((one) => [one.causeId, attempt.begunAt])));
      const again = notice.attempt.tries.find(({ causeId }) => {
        const at = toldAt.get(causeId);
        const isNews = trace.causes.get(causeId)?.raisedAgainAt.some((one) => one >= (at ?? 0));
        return at !== undefined && isNews !== true;
      });
      if (again !== undefined) sentences.push(`${of(trace, notice)} tells of alarm ${again.causeId} again`);
      return sentences;
    }),
  );
}

/** Every alarm that a person is called for reaches each of their notice numbers that may be used. */
export function noticesComeAtAll(view: View): readonly string[] {
  const { trace } = view;
  const waitMs = trace.slackMs + longestWaitMs;
  const calls = [...trace.attempts.values()].filter(({ attempt }) => attempt.kind === 'call');
  const found = new Map<string, string>();
  for (const call of calls) {
    const { userId, begunAt, tries } = call.attempt;
    const until = begunAt + waitMs;
    if (until > trace.end || !isUnchanged(trace, begunAt, until)) continue;
    for (const { causeId, escalationId, level } of tries) {
      const cause = trace.causes.get(causeId);
      const target = trace.escalations.get(escalationId)?.target;
      // A level that has left the chain, as when its duty is locked, is sent nothing.
      if (target !== undefined && !chainOf(target, momentAt(trace, until)).includes(level)) continue;
      if (level === 'administrators' || cause === undefined || !isOpenAt(cause, until)) continue;
      if (cause.priority.during(begunAt, until).length > 1) continue;
      const [first, last] = [begunAt, until].map(
        (at) => numbersFor(userId, cause.priority.at(at), momentAt(trace, at)).notice,
      );
      for (const number of first ?? []) {
        const key = `${number.id} ${causeId}`;
        if (found.has(key) || !last?.some(({ id }) => id === number.id)) continue;
        if (isTold(view, number, causeId, until)) continue;
        if (isHeldBack(view, userId, number, cause.priority.at(begunAt) === 1, begunAt, until)) continue;
        const what = `number ${number.id} of ${userId} gets no notice of alarm ${causeId}`;
        found.set(key, `${what}, called for at ${shown(trace, begunAt)}`);
      }
    }
  }
  return [...found.values()];
}

/** A message to one number is sent, whatever else its person is called for. */
export function messagesToNumbersAreSent(view: View): readonly string[] {
  const { trace } = view;
  const waitMs = trace.slackMs + longestWaitMs;
  return [...trace.escalations.values()].flatMap(({ causeId, target, dueAt }) => {
    const until = dueAt + waitMs;
    const cause = trace.causes.get(causeId);
    if (target.kind !== 'number' || until > trace.end || !isUnchanged(trace, dueAt, until)) return [];
    const owner = ownerOf(trace, target.id, dueAt);
    const number = owner?.numbers.find(({ id }) => id === target.id);
    if (owner === undefined || number === undefined || !number.valid || !number.verified) return [];
    if (isTold(view, number, causeId, until)) return [];
    if (isHeldBack(view, owner.id, number, cause?.priority.at(dueAt) === 1, dueAt, until)) return [];
    return [`number ${number.id} of ${owner.id} does not get message ${causeId} of ${shown(trace, dueAt)}`];
  });
}

function ownerOf(trace: Trace, numberId: number, at: number) {
  return [...trace.snapshots.at(at).people.values()].find(({ numbers }) => numbers.some(({ id }) => id === numberId));
}

function isTold(view: View, number: ContactNumber, causeId: number, until: number): boolean {
  const all = byNumber(view).get(number.id) ?? [];
  return all.some(({ attempt }) => attempt.begunAt <= until && attempt.tries.some((it) => it.causeId === causeId));
}

/** Whether something kept the notice from being sent for a part of the span. */
function isHeldBack(
  view: View,
  userId: number,
  number: ContactNumber,
  isUrgent: boolean,
  from: number,
  until: number,
): boolean {
  // What providers failed counts together for calls and notices to a number.
  const hasFailed = view
    .attemptsOf(userId)
    .some(
      ({ attempt: { kind, numberId, begunAt: at, end } }) =>
        numberId === number.id &&
        end?.outcome === 'failed' &&
        (kind === 'notice' || !end.counts) &&
        at > from - failedMs &&
        at < until,
    );
  if (hasFailed || view.isCapped(userId, from, until)) return true;
  if (
    !view.hasLine(number, isUrgent, from, until) ||
    view.limitsReached(userId, number, isUrgent, from, until).length > 0
  )
    return true;
  return isSpokenOn(number.channel) && !isFreeOnce(view, userId, number, from, until);
}

/** Whether the telephone and its person were free for so long that a notice had to begin, once no other was gathered for. */
function isFreeOnce(view: View, userId: number, { id, address }: ContactNumber, from: number, until: number): boolean {
  const others = (byNumber(view).get(id) ?? []).filter(({ attempt }) => attempt.begunAt <= until);
  const gathered = others.map(({ attempt }) => attempt.begunAt + 60 * second);
  const spoken = view.attemptsOf(userId).filter(({ attempt }) => isSpokenOn(attempt.channel));
  const busy = [...spoken, ...view.onAddress(address)].filter((one) => overlaps(one, from, until));
  const ends = busy.map(({ attempt: { end } }) => end?.at ?? until);
  const waitMs = view.trace.slackMs + 3 * second;
  return [from, ...gathered, ...ends].some((at) => {
    const to = at + waitMs;
    return (
      at >= from && to < until && busy.every((one) => !overlaps(one, at, to)) && gathered.every((end) => end <= at)
    );
  });
}

function byNumber({ trace }: View): ReadonlyMap<number, readonly AttemptTrace[]> {
  const known = notices.get(trace);
  if (known !== undefined) return known;
  const all = [...trace.attempts.values()].filter(({ attempt }) => attempt.kind === 'notice');
  const found = Map.groupBy(all, ({ attempt }) => attempt.numberId);
  notices.set(trace, found);
  return found;
}

const notices = new WeakMap<Trace, ReadonlyMap<number, readonly AttemptTrace[]>>();
