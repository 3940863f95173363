// The calling state of an alarm in a few words: who is called, who was reached, when the next round begins.

import type { OpenCall, PersonInCall } from '@tocsin/client';
import type { AlarmView } from '../data/alarm-views.tsx';
import { unknownFigure } from '../data/lists/list-state.ts';
import type { Names } from '../data/names.ts';
import { ageText } from '../words/times.ts';
import type { Words } from '../words/words.ts';

/** The people whose step says most come first; steps that are no part of it come last. */
function byTelling(one: PersonInCall, other: PersonInCall): number {
  const place = ({ step }: PersonInCall): number =>
    tellingSteps.includes(step) ? tellingSteps.indexOf(step) : tellingSteps.length;
  return place(one) - place(other);
}

export type CallingState = {
  readonly kind: 'calling' | 'reached' | 'waiting' | 'taken' | 'masked' | 'nobody' | 'none';
  readonly text: string;
};

/** What callingText is told besides the alarm. */
export type CallingFacts = {
  readonly names: Names;
  readonly now: number;
  /** Whether calls that are not among those of the alarm do not exist. */
  readonly areCallsKnown: boolean;
};

/** Returns undefined if there is nothing to say, such as for an alarm at rest. */
export function callingText(
  alarm: AlarmView,
  words: Words,
  { names, now, areCallsKnown }: CallingFacts,
): CallingState | undefined {
  if (alarm.masked) return { kind: 'masked', text: maskText(alarm, words, now) };
  if (alarm.ackUser !== '') return { kind: 'taken', text: names.byName(alarm.ackUser) };
  const states = alarm.openCalls.map((call) => stateOf(call, words, names, now));
  const best = states.toSorted((a, b) => rank(a) - rank(b))[0];
  if (best !== undefined) return best;
  if ((alarm.state & 2) === 0) return undefined;
  return { kind: 'none', text: areCallsKnown && !alarm.isUndecided ? words.calling.notCalled : unknownFigure };
}

function rank({ kind }: CallingState): number {
  return kind === 'calling' ? 0 : kind === 'reached' ? 1 : kind === 'waiting' ? 2 : 3;
}

const endingSoonMs = 600_000;

function maskText({ maskedUntil }: AlarmView, words: Words, now: number): string {
  if (maskedUntil === undefined) return words.alarms.masked;
  const leftMs = Date.parse(maskedUntil) - now;
  return leftMs < endingSoonMs ? words.calling.endsSoon(ageText(leftMs)) : words.calling.left(ageText(leftMs));
}

/** What says most of a call comes first. */
const tellingSteps: readonly PersonInCall['step'][] = [
  'calling',
  'reached',
  'callBack',
  'retrying',
  'lineInUse',
  'noLine',
  'throttled',
  'limited',
  'channelDown',
  'heard',
  'declined',
  'failed',
];

function stateOf(call: OpenCall, words: Words, names: Names, now: number): CallingState {
  const nextMs = call.next?.time === undefined ? undefined : Date.parse(call.next.time) - now;
  if (call.next?.step === 'start' && nextMs !== undefined)
    return { kind: 'waiting', text: words.calling.begins(ageText(nextMs)) };
  if (call.phase === 'pausing') {
    if (nextMs === undefined) return { kind: 'nobody', text: words.calling.nobodyTookIt };
    return { kind: 'waiting', text: words.calling.nextRound(ageText(nextMs)) };
  }
  const people = call.people.filter(({ notice }) => !notice);
  const [person] = people.toSorted(byTelling);
  if (person !== undefined) return personState(person, words, names, now);
  // Everybody of the last resort has heard it in the group.
  if (call.reasonCode === 'everybody-heard-in-group') return { kind: 'waiting', text: words.calling.nobodyTookIt };
  if (call.phase === 'waiting') return { kind: 'nobody', text: words.calling.nobodyOnCall };
  return { kind: 'waiting', text: words.calling.lastResort };
}

function personState(person: PersonInCall, words: Words, names: Names, now: number): CallingState {
  const { step, userId, attempt, nextTime } = person;
  const name = names.byId(userId);
  switch (step) {
    case 'calling':
      return { kind: 'calling', text: words.calling.calling(name, attempt ?? '') };
    case 'retrying':
      // Nobody rings between two tries.
      return {
        kind: 'waiting',
        text: words.calling.nextTry(
          name,
          nextTime === undefined ? '' : ageText(Math.max(0, Date.parse(nextTime) - now)),
        ),
      };
    case 'reached':
      return { kind: 'reached', text: words.calling.reached(name) };
    case 'heard':
      return { kind: 'reached', text: words.calling.heard(name) };
    case 'declined':
      return { kind: 'waiting', text: words.calling.declined(name) };
    case 'failed':
      return { kind: 'waiting', text: words.calling.notReached(name) };
    case 'callBack':
      return { kind: 'waiting', text: words.calling.later(name) };
    case 'lineInUse':
    case 'noLine':
    case 'limited':
    case 'throttled':
    case 'channelDown':
      return { kind: 'waiting', text: words.calling.waits(name) };
    default:
      return { kind: 'waiting', text: words.calling.waits(name) };
  }
}
