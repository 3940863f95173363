// Takes what the receiver of a delivery reports later: that it was delivered or read, or what the person answers.

import type { CallAnswer } from '../../../domain/calls/call.ts';
import { mostWrongCodes } from '../../../domain/calls/replies/inbound.ts';
import { AppError } from '../../../errors.ts';
import type { Operation } from '../../../store/store.ts';
import { keyed } from '../../keyed-operation.ts';
import { selectAttempt } from '../attempts.ts';
import { insertInbound } from '../inbound/inbound-rows.ts';
import { takeAnswer, wrongCodesOf } from '../inbound/take-answer.ts';
import { noteProgress } from './progress.ts';

type DeliveryReport = {
  readonly providerId: number;
  /** Chosen by the receiver. */
  readonly reportId: string;
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
  /** The code was wrong, or too many codes for this person were. Returned and not thrown, so that it is counted. */
  readonly refusal?: 'wrong-code' | 'too-many';
};

const nothing: ReportOutcome = { taken: [], said: '' };

/** The report must be known to come from the provider. */
const takeReport: Operation<DeliveryReport, ReportOutcome> = {
  name: 'take-report',
  async run(tx, now, { providerId, reportId, attemptId, event, address }) {
    const row = await tx.one(selectAttempt, { id: attemptId });
    if (row === undefined || row.provider_id !== providerId)
      throw new AppError('not-found', `The provider has no delivery ${attemptId}.`);
    if (event.kind !== 'answer') {
      await noteProgress.run(tx, now, { attemptId, progress: event });
      return nothing;
    }
    // A provider serves many people, and whoever runs the receiver of one could try the codes of another.
    if ((await wrongCodesOf(tx, now, row.user_id)) >= mostWrongCodes) return { ...nothing, refusal: 'too-many' };
    if (event.code === '' || event.code !== row.reply_code) {
      const message = { source: `provider:${providerId}`, key: `report ${attemptId} ${now} ${reportId}` };
      await tx.run(insertInbound, { ...message, userId: row.user_id, attemptId, outcome: 'nothing', now });
      return { ...nothing, refusal: 'wrong-code' };
    }
    const outcome = await takeAnswer.run(tx, now, {
      channel: row.channel,
      who: { userId: row.user_id },
      attemptId,
      what: { answer: event.answer },
      caller: { actor: `provider:${providerId}`, stationIds: [], address },
    });
    if (outcome.kind === 'repeated') return nothing;
    return { taken: outcome.kind === 'answered' ? outcome.taken : [], said: outcome.said };
  },
};

/** A repeated report returns the outcome of the first and changes nothing, except one that came too soon. */
export const takeReportOnce = keyed(takeReport, ({ refusal }) => refusal === 'too-many');
