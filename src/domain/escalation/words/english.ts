// The reasons of the calling engine in English. Pure.

import type { ReachedLimit } from '../../channels/toll-limits.ts';
import { durationText, type ReasonWords } from './words.ts';

export const english: ReasonWords = {
  raised: () => 'the alarm was raised',
  requested: () => 'sent by hand: a message, a test or a drill',
  'ack-expired': () => 'the acknowledgement expired',
  'new-round': ({ round }) => `round ${round} of calling begins`,
  'more-urgent': ({ priority }) => `the alarm has become more urgent: priority ${priority}`,
  unanswered: () => 'the call before was not answered',
  'not-acknowledged': () => 'reached before, but gave no answer',
  'next-number': () => 'the number before did not reach them',
  'called-later': () => 'asked to be called later',
  'tried-again': () => 'the provider could not carry the call before, which does not count',
  'in-turn': () => 'next in turn',
  relief: () => 'relief: the others have not taken it',
  'relief-per-person': () => 'relief: in place of somebody who was not reached',
  'on-duty-now': () => 'somebody is on call now',
  'last-resort': () => 'last resort: there is nobody else to call',
  bundled: ({ count }) =>
    `called as often as allowed: one message for ${count === 1 ? 'the alarm that waits' : `the ${count} alarms that wait`}`,
  notice: () => 'for information: this number is told without being asked to take it',
  'nobody-took-it': () => 'nobody has taken it',
  'not-taken-in-time': ({ seconds }) => `not taken within ${durationText(seconds)}`,
  escalated: ({ by }, show) => `escalated by ${show.actor(by)}`,
  rings: () => 'is being called now',
  'awaits-answer': ({ until }, show) => `reached, and has until ${show.time(until)} to answer`,
  rests: ({ until }, show) => `called a short while ago, and not again before ${show.time(until)}`,
  'asked-later': ({ until }, show) => `asked to be called later, at ${show.time(until)}`,
  'in-call-that-reads-it': () => 'is in a call that tells them of it as well',
  'in-another-call': ({ since }, show) => `is in another call; this one waits since ${show.time(since)}`,
  'line-in-use': ({ since }, show) => `another call uses the number; this one waits since ${show.time(since)}`,
  'no-free-line': ({ channel, since }, show) =>
    `no line is free for ${show.channel(channel)}; the call waits since ${show.time(since)}`,
  throttled: ({ until }, show) => `called as often as allowed, and not again before ${show.time(until)}`,
  toll: ({ limit, until }, show) => `${reachedLimit(limit)}; calls go on at ${show.time(until)}`,
  'channel-down': ({ channel }, show) => `no provider for ${show.channel(channel)} works`,
  'channel-not-set-up': ({ channel }, show) => `no provider for ${show.channel(channel)} is set up`,
  'number-not-served': ({ channel }, show) => `no provider for ${show.channel(channel)} serves the number`,
  heard: () => 'has heard it',
  declined: () => 'has declined it',
  'not-reached': () => 'all tries are used up without an answer',
  'no-number': () => 'has no number',
  'no-usable-number': () => 'has no number that may be used at this time',
  unverified: () => 'has no number that is valid and verified',
  'locked-number': () => 'the number is locked after wrong PINs',
  delayed: ({ until }, show) => `begins at ${show.time(until)}, after its delay`,
  'nobody-on-call': () => 'nobody is on call',
  'duty-locked': () => 'the duty is locked: nobody is called',
  'target-removed': () => 'the group or person to be called does not exist any more',
  discarded: () => 'dropped, because nobody is on call',
  'everybody-heard-in-group': () => 'everybody of the last resort has heard it already',
  'called-in-vain': ({ round }) => `round ${round} is over: everybody was called, and nobody took it`,
  taken: ({ by }, show) => `taken by ${show.actor(by)}`,
  masked: ({ by }, show) => `masked by ${show.actor(by)}`,
  'back-to-normal': () => 'back to normal',
  'alarm-removed': ({ by }, show) => `the alarm was removed by ${show.actor(by)}`,
  cancelled: ({ by }, show) => `the call was ended by ${show.actor(by)}`,
  'raised-again': () => 'raised again: called for anew',
  'not-named': () => 'the alarm names somebody else now',
  sent: () => 'sent; nothing more is to be done',
  'not-to-be-called': () => 'is not to be called any more',
  'person-removed': () => 'the person was removed',
  'number-removed': () => 'the number was removed',
};

function reachedLimit(limit: ReachedLimit): string {
  if (limit.of === 'person') return `limit of ${limit.most} a day to one person`;
  if (limit.of === 'country') return `limit of ${limit.most} a day to ${limit.country}`;
  return limit.of === 'budget' ? `budget of ${limit.most} a day` : 'limit of its providers for a day';
}
