// How an attempt to reach a person stands, in the words of the screens. Delivered, reached and taken are never mixed. Pure.

import type { CallHistory } from '@tocsin/client';
import { isSpoken } from './spoken.ts';

export const outcomes = [
  'underWay',
  'taken',
  'confirmed',
  'reached',
  'delivered',
  'sent',
  'unanswered',
  'busy',
  'declined',
  'ended',
  'heldBack',
  'failed',
] as const;
export type AttemptOutcome = (typeof outcomes)[number];

/** `taken`: alarms were acknowledged in it; `confirmed`: the call was, and no alarm; `heldBack`: it was not made. */
export function outcomeOf(attempt: CallHistory): AttemptOutcome {
  const { acknowledged, ackTime, answerTime, endTime, deliveredTime, readTime, outcome, channel } = attempt;
  // A line in use and a limit hold an attempt back; it is made later.
  if (attempt.attempt === 0) return outcome === 'limited' || outcome === 'busy' ? 'heldBack' : 'failed';
  if (acknowledged.length > 0) return 'taken';
  if (ackTime !== undefined) return 'confirmed';
  switch (outcome) {
    case 'answered':
      return isSpoken(channel) ? 'reached' : 'delivered';
    case 'noAnswer':
    case 'voicemail':
      return 'unanswered';
    case 'busy':
      return 'busy';
    case 'declined':
      return 'declined';
    case 'cancelled':
      return 'ended';
    case 'limited':
    case 'locked':
      return 'heldBack';
    case undefined:
      break;
    default:
      return 'failed';
  }
  if (deliveredTime !== undefined || readTime !== undefined) return 'delivered';
  if (endTime === undefined) return answerTime !== undefined && isSpoken(channel) ? 'reached' : 'underWay';
  return isSpoken(channel) ? 'reached' : 'sent';
}
