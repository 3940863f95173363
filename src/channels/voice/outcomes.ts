// Maps the end of a SIP call to the outcome for the person who was called and for the trunk.

import { type Ended, NoFreePort } from '@tocsin/sip';
import type { Delivery } from '../../domain/calls/delivery.ts';
import { type ProviderReason, storedReason } from '../../domain/channels/words/provider-reason.ts';
import { networkProblem, type Reached } from '../network-problem.ts';
import { cancelled, type Failed, failedBy, internalFault, statusNames, verdictOf } from '../verdicts.ts';
import type { ConversationEnd } from './conversations.ts';
import type { TalkEnd } from './talk.ts';
import { voiceStages } from './voice-stages.ts';

/** Returns why the PBX cannot be reached; `error` may also be its message. */
export function unreachedReason(error: unknown, pbx: Reached): ProviderReason {
  const text = error instanceof Error ? error.message : String(error);
  return { code: 'pbx-unreached', why: networkProblem(error, pbx) ?? { code: 'said', text } };
}

/** Returns the outcome of a call that did not get as far as the PBX. */
export function unreached(error: unknown, pbx: Reached): Failed {
  if (error instanceof NoFreePort)
    return failedBy(voiceStages.reaching.other, { code: 'no-sound-port', ...error.range });
  return failedBy(voiceStages.reaching.other, unreachedReason(error, pbx));
}

/** Returns the outcome of a call that was answered in a way in which nobody can be spoken to; the next trunk is tried. */
export function unspeakable(reason: ProviderReason): Failed {
  return failedBy(voiceStages.answering.other, reason);
}

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
  if (verdict.blames === 'provider' && isLate) return failedBy(verdict, { code: 'pbx-rang-nobody' });
  if (status === undefined && verdict.blames === 'provider') return failedBy(verdict, unreachedReason(reason, pbx));
  return failedBy(verdict, reasons[verdict.outcome] ?? { code: 'pbx-answered', status: status ?? 0, said: reason });
}

/** Returns the outcome of a conversation. */
export function outcomeOfTalk(
  how: TalkEnd | 'vanished',
  { isHuman, hasHeard }: Pick<ConversationEnd, 'isHuman' | 'hasHeard'>,
  failures: readonly ProviderReason[],
): Delivery {
  const { lockedOut, noKey, vanished } = voiceStages.talking.answers;
  if (how === 'locked-out') return { ...failedBy(lockedOut, { code: 'wrong-pin' }), failure: 'wrong-pin' };
  const gone: ProviderReason = { code: 'vanished' };
  if (isHuman) {
    const code = hasHeard ? 'answered' : 'answered-without-pin';
    const notes = [...(how === 'vanished' ? [gone] : []), ...failures];
    return { kind: 'delivered', detail: storedReason({ code, failures: notes }) };
  }
  if (how === 'vanished') return failedBy(vanished, gone);
  if (how === 'hung-up') return { kind: 'delivered', detail: storedReason({ code: 'hung-up-without-key' }) };
  return failedBy(noKey, { code: 'no-key' });
}

/** What the telephone of the person did, in the place of a status. */
const reasons: Readonly<Partial<Record<Failed['outcome'], ProviderReason>>> = {
  busy: { code: 'busy' },
  declined: { code: 'rejected' },
  noAnswer: { code: 'no-answer' },
};
