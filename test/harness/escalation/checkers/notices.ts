// Checks of notices: every alarm a person is called for once per number, gathered to one message a minute.

import { numbersFor } from '../directory.ts';
import { type AttemptTrace, isOpenAt, momentAt, shown } from '../trace.ts';
import type { View } from '../view.ts';
import { of } from './attempts.ts';

const second = 1_000;

/** A number gets no alarm twice, and one message a minute at most. */
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
      const causeIds = new Set(sent.flatMap(({ attempt }) => attempt.tries.map(({ causeId }) => causeId)));
      const again = notice.attempt.tries.find(({ causeId }) => causeIds.has(causeId));
      if (again !== undefined) sentences.push(`${of(trace, notice)} tells of alarm ${again.causeId} again`);
      return sentences;
    }),
  );
}

/** Every alarm that a person is called for reaches each of their notice numbers that may be used. */
export function noticesComeAtAll(view: View): readonly string[] {
  const { trace } = view;
  const waitMs = trace.slackMs + 130 * second;
  const notices = byNumber(view);
  const calls = [...trace.attempts.values()].filter(({ attempt }) => attempt.kind === 'call');
  const found = new Map<string, string>();
  for (const call of calls) {
    const { userId, begunAt, tries } = call.attempt;
    const until = begunAt + waitMs;
    if (until > trace.end || trace.snapshots.during(begunAt, until).length > 1) continue;
    for (const { causeId, level } of tries) {
      const cause = trace.causes.get(causeId);
      if (level === 'administrators' || cause === undefined || !isOpenAt(cause, until)) continue;
      if (cause.priority.during(begunAt, until).length > 1) continue;
      const [first, last] = [begunAt, until].map(
        (at) => numbersFor(userId, cause.priority.at(at), momentAt(trace, at)).notice,
      );
      for (const number of first ?? []) {
        if (!last?.some(({ id }) => id === number.id) || !view.hasLine(number, begunAt, until)) continue;
        const all = notices.get(number.id) ?? [];
        const isTold = all.some(
          ({ attempt }) => attempt.begunAt <= until && attempt.tries.some((it) => it.causeId === causeId),
        );
        const hasFailed = all.some(
          ({ attempt: { begunAt: at, end } }) => end?.outcome === 'failed' && at > begunAt - 400 * second && at < until,
        );
        if (isTold || hasFailed || view.isCapped(userId, begunAt, until)) continue;
        const key = `${number.id} ${causeId}`;
        if (!found.has(key))
          found.set(
            key,
            `number ${number.id} of ${userId} gets no notice of alarm ${causeId}, called for at ${shown(trace, begunAt)}`,
          );
      }
    }
  }
  return [...found.values()];
}

function byNumber({ trace }: View): ReadonlyMap<number, readonly AttemptTrace[]> {
  const notices = [...trace.attempts.values()].filter(({ attempt }) => attempt.kind === 'notice');
  return Map.groupBy(notices, ({ attempt }) => attempt.numberId);
}
