// Maps the end of a SIP call to the outcome for the person who was called and for the trunk.

import type { Ended } from '@tocsin/sip';
import { networkProblem, type Reached } from '../network-problem.ts';
import { cancelled, type Failed, failedBy, ownFault, statusNames, verdictOf } from '../verdicts.ts';
import { voiceStages } from './voice-stages.ts';

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
  return failedBy(voiceStages.reaching.other, unreachedText(error, pbx));
}

/** Returns the outcome of a call that was answered in a way in which nobody can be spoken to; the next trunk is tried. */
export function unspeakable(reason: string): Failed {
  return failedBy(voiceStages.answering.other, `the telephone answered, but ${reason}`);
}

/** The outcome of a call in which this server made an error. */
export const internalFault = failedBy(ownFault, 'internal fault');

/** Returns the outcome of a call that nobody answered. */
export function outcomeOf(
  { by, cause, status, reason, progress }: Pick<Ended, 'by' | 'cause' | 'status' | 'reason' | 'progress'>,
  pbx: Reached,
): Failed {
  if (by === 'fault') return internalFault;
  if (by === 'local') return cancelled;
  // A call that was given up here ends with the 487 that confirms it.
  const isLate = cause === 'unanswered';
  const names = isLate ? ['timeout'] : status === undefined ? [by] : statusNames(status);
  const verdict = verdictOf(voiceStages[progress ?? 'reaching'], names);
  if (verdict.blames === 'provider' && isLate)
    return failedBy(verdict, `the PBX took the call and did not ring the number`);
  if (status === undefined && verdict.blames === 'provider') return failedBy(verdict, unreachedText(reason, pbx));
  return failedBy(verdict, texts[verdict.outcome] ?? answerText(status ?? 0, reason));
}

/** What the telephone of the person did, in the place of a status. */
const texts: Readonly<Partial<Record<Failed['outcome'], string>>> = {
  busy: 'busy',
  declined: 'rejected',
  noAnswer: 'no answer',
};
