// Maps the end of a SIP call to the outcome for the person who was called and for the trunk.

import type { Ended } from '@tocsin/sip';
import type { Delivery } from '../../domain/calls/delivery.ts';
import { networkProblem, type Reached } from '../network-problem.ts';

export type Failed = Extract<Delivery, { kind: 'failed' }>;

/** The meaning of the final answers that are no fault of the person's telephone, for administrators. */
const meanings: Readonly<Record<number, string>> = {
  401: 'the password is wrong, or the account does not exist',
  403: 'the account may not call this number',
  404: 'there is no such number',
  407: 'the password is wrong, or the account does not exist',
  410: 'the number is no longer in use',
  415: 'it takes no G.711 audio',
  484: 'the number is incomplete',
  488: 'it takes no G.711 audio',
  503: 'it is overloaded or out of service',
  604: 'the number exists nowhere',
};

/** Returns in words what a final answer of the PBX means. */
export function answerText(status: number, reason: string): string {
  return `the PBX answered ${status}: ${meanings[status] ?? reason}`;
}

/** Returns in words why the PBX cannot be reached; `error` may also be its message. */
export function unreachedText(error: unknown, pbx: Reached): string {
  const reason = networkProblem(error, pbx) ?? (error instanceof Error ? error.message : String(error));
  return `the PBX cannot be reached: ${reason}`;
}

/** Returns the outcome of a call that did not get as far as the PBX. */
export function unreached(error: unknown, pbx: Reached): Failed {
  return { ...failed('providerDown', unreachedText(error, pbx)), fault: 'down' };
}

/** Returns the outcome of a call that was answered in a way in which nobody can be spoken to; the next trunk is tried. */
export function unspeakable(reason: string): Failed {
  return { ...failed('undeliverable', `the telephone answered, but ${reason}`), fault: 'refused' };
}

/** The outcome of a call in which this server made an error. */
export const internalFault = failed('failed', 'internal fault');

/** Returns the outcome of a call that nobody answered. */
export function outcomeOf({ by, status, reason }: Pick<Ended, 'by' | 'status' | 'reason'>, pbx: Reached): Failed {
  if (by === 'fault') return internalFault;
  if (by === 'local') return failed('cancelled', 'cancelled');
  if (status === undefined) {
    if (by === 'timeout' && reason !== 'no response') return failed('noAnswer', 'no answer');
    return unreached(reason, pbx);
  }
  const text = answerText(status, reason);
  if (status === 486 || status === 600) return failed('busy', 'busy');
  if (status === 603) return failed('declined', 'rejected');
  if (status === 480 || status === 408 || status === 487) return failed('noAnswer', 'no answer');
  if (status === 404 || status === 410 || status === 484 || status === 604)
    return { ...failed('badNumber', text), retry: 'never' };
  if (status === 401 || status === 403 || status === 407 || status === 415 || status === 488)
    return { ...failed('undeliverable', text), fault: 'refused' };
  if (status >= 500 && status < 600) return { ...failed('providerDown', text), fault: 'down' };
  return failed('failed', text);
}

function failed(outcome: Failed['outcome'], reason: string): Failed {
  return { kind: 'failed', retry: 'later', outcome, reason };
}
