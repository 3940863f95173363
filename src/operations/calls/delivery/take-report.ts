// Takes what the receiver of a delivery reports later: that it was delivered or read, or what the person answers.

import type { CallAnswer } from '../../../domain/calls/call.ts';
import { sayFate } from '../../../domain/calls/words/alarm-fate.ts';
import { wordsIn } from '../../../domain/calls/words/catalogue.ts';
import { languageOf } from '../../../domain/calls/words/wording.ts';
import { AppError } from '../../../errors.ts';
import type { Instant, Operation, Tx } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { keyed } from '../../keyed-operation.ts';
import { answerCall } from '../answer.ts';
import { selectAttempt } from '../attempts.ts';
import { noteProgress } from './progress.ts';

type DeliveryReport = {
  readonly providerId: number;
  readonly attemptId: number;
  readonly event:
    | { readonly kind: 'delivered' | 'read' }
    /** The code stands in the message, and proves that the answer is to it. */
    | { readonly kind: 'answer'; readonly answer: CallAnswer | 'take'; readonly code: string };
  /** The network address of the receiver. */
  readonly address: string;
};

type ReportOutcome = {
  /** The alarms that the answer took. */
  readonly taken: readonly number[];
  /** The response to the person, in their language; empty for a receipt. */
  readonly said: string;
};

/** The report must be known to come from the provider. */
const takeReport: Operation<DeliveryReport, ReportOutcome> = {
  name: 'take-report',
  async run(tx, now, report) {
    const { providerId, attemptId, event } = report;
    const row = await tx.one(selectAttempt, { id: attemptId });
    if (row === undefined || row.provider_id !== providerId)
      throw new AppError('not-found', `The provider has no delivery ${attemptId}.`);
    if (event.kind !== 'answer') {
      await noteProgress.run(tx, now, { attemptId, progress: event });
      return { taken: [], said: '' };
    }
    if (event.code !== row.reply_code) {
      const errors = [{ field: 'code', message: 'is not the code of the message' }];
      throw new AppError('unprocessable', 'The code is not that of the message.', { errors });
    }
    return answer(tx, now, report, event.answer, row.user_id);
  },
};

/** A repeated report returns the outcome of the first and changes nothing. */
export const takeReportOnce = keyed(takeReport);

async function answer(
  tx: Tx,
  now: Instant,
  { providerId, attemptId, address }: DeliveryReport,
  said: CallAnswer | 'take',
  userId: number,
): Promise<ReportOutcome> {
  const caller = { actor: `provider:${providerId}`, stationIds: [], address };
  const { taken, fates } = await answerCall.run(tx, now, { attemptId, answer: said, caller });
  const { snapshot, policy } = await readCallConfiguration(tx);
  const words = wordsIn(languageOf(snapshot.people.get(userId), policy.wording));
  if (taken.length > 0) return { taken, said: words.taken(taken.length) };
  if (fates.length > 0) return { taken, said: [...new Set(fates.map((fate) => sayFate(fate, words)))].join(' ') };
  return { taken, said: words.thanks };
}
