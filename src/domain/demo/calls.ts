// The call history of the demo plant: who was called for the urgent alarms of the last two weeks, and how it ended. Pure.

import { dayMs } from '../on-call/civil-time.ts';
import type { Acknowledgement, DemoOccurrence } from './occurrence.ts';
import type { DemoGroup } from './people.ts';
import { demoTags } from './plant.ts';
import { type Random, randomFrom } from './random.ts';
import { isCalled } from './tag.ts';

const callHistoryMs = 14 * dayMs;

export type DemoAttempt = {
  readonly startedAt: number;
  readonly endedAt: number;
  /** Undefined if the person did not answer. */
  readonly answeredAt: number | undefined;
};

export type DemoCall = {
  /** The place of its occurrence in the list that was given. */
  readonly occurrence: number;
  readonly tag: number;
  readonly group: DemoGroup;
  readonly person: string;
  readonly raisedAt: number;
  readonly endedAt: number;
  /** Whether the person answered the telephone; if not, they took the alarm on a console. */
  readonly isAnswered: boolean;
  readonly attempts: readonly DemoAttempt[];
};

/** Returns the calls for the occurrences that are not older than two weeks at the instant `at`. */
export function demoCalls(seed: number, at: number, occurrences: readonly DemoOccurrence[]): readonly DemoCall[] {
  const random = randomFrom(seed + 1);
  return occurrences.flatMap(({ tag: place, raisedAt, ack }, occurrence) => {
    const tag = demoTags[place];
    if (tag === undefined || ack === undefined || !isCalled(tag) || raisedAt < at - callHistoryMs) return [];
    return [{ occurrence, tag: place, group: tag.group, raisedAt, ...callOf(raisedAt, ack, random) }];
  });
}

const ringMs = 30_000;
const retryMs = 60_000;
const conversationMs = 24_000;

function callOf(raisedAt: number, { at: ackAt, person }: Acknowledgement, random: Random) {
  const begin = raisedAt + Math.round(random.between(300, 1_500));
  const isAnswered = !random.chance(0.04);
  const attempts: DemoAttempt[] = [];
  let startedAt = begin;
  // Tries that ring out, until the one in which the person takes the alarm.
  while (startedAt + retryMs + conversationMs < ackAt && attempts.length < 2) {
    attempts.push({ startedAt, endedAt: startedAt + ringMs, answeredAt: undefined });
    startedAt += retryMs;
  }
  const answeredAt = Math.max(startedAt, ackAt - conversationMs);
  attempts.push({
    startedAt,
    endedAt: ackAt,
    answeredAt: isAnswered ? answeredAt : undefined,
  });
  return { person, endedAt: ackAt, isAnswered, attempts };
}
