// A call to one number: it only sends notices there, such as who took an alarm, and ends when they are sent. Pure.

import { ownerOfNumber } from '../../people/call-group.ts';
import { isOpen } from '../call.ts';
import { sendNotice } from '../notice-cycle.ts';
import type { CallDraft } from './call-draft.ts';

export function beginNotice(draft: CallDraft, reason: string): void {
  const { context, now } = draft;
  const numberId = draft.call.target.id;
  draft.change({ phase: 'calling', round: 1 });
  draft.note({ kind: 'begun', reason });
  const owner = ownerOfNumber(numberId, context.snapshot);
  if (owner !== undefined) {
    const contact = { userId: owner.id, groupId: undefined, level: 0, isRelief: false };
    const notice = draft.addNotice(contact, numberId);
    draft.storeCycle(notice, sendNotice(notice, reason, context, now));
  }
  endWhenSent(draft);
}

/** Nobody else is called, whether the notice arrived or not. */
export function endWhenSent(draft: CallDraft): void {
  const { phase, cycles } = draft.call;
  if (phase !== 'ended' && !cycles.some(isOpen))
    draft.end(cycles.at(-1)?.reason ?? 'the number does not exist any more');
}
