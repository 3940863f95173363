// Takes what the receiver of a delivery reports later: that it was delivered or read, or what the person answers.

import type { CallAnswer } from '../../../domain/calls/call.ts';
import { AppError } from '../../../errors.ts';
import type { Operation } from '../../../store/store.ts';
import { keyed } from '../../keyed-operation.ts';
import { selectAttempt } from '../attempts.ts';
import { takeAnswer } from '../inbound/take-answer.ts';
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
  async run(tx, now, { providerId, attemptId, event, address }) {
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
    const outcome = await takeAnswer.run(tx, now, {
      channel: row.channel,
      who: { userId: row.user_id },
      attemptId,
      what: { answer: event.answer },
      caller: { actor: `provider:${providerId}`, stationIds: [], address },
    });
    return outcome.kind === 'answered' ? outcome : { taken: [], said: '' };
  },
};

/** A repeated report returns the outcome of the first and changes nothing. */
export const takeReportOnce = keyed(takeReport);
