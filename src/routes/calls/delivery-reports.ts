// The route for what receivers of messages report later, signed with the secret of the provider.

import { Type } from 'typebox';
import { wrongCodeWindowMs } from '../../domain/calls/replies/inbound.ts';
import { AppError } from '../../errors.ts';
import { fingerprintOf } from '../../http/body/request-body.ts';
import { type CallOrigin, defineRoute, type Route } from '../../http/route.ts';
import { takeReportOnce } from '../../operations/calls/delivery/take-report.ts';
import type { Store } from '../../store/store.ts';
import { reportBody, reportResponse } from '../../wire/channels/report.ts';
import { idParams } from '../../wire/paging.ts';

type ReportParts = {
  readonly store: Store;
  /** Whether the provider exists and the request was signed with its secret, not long ago. */
  readonly isReportOf: (providerId: number, request: Pick<CallOrigin, 'headers' | 'bytes'>) => boolean;
};

export function deliveryReportRoute({ store, isReportOf }: ReportParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/providers/:id/reports',
    scope: 'public',
    tag: 'Providers',
    operationId: 'reportDelivery',
    summary: 'Report what became of a delivery',
    description:
      'For the receivers of webhooks, which have no token: the header `Tocsin-Signature` has the form that messages are signed with (see docs/channels.md), with the secret of the provider, and is valid for five minutes. Any node takes it. Late and repeated reports take no step back.',
    params: idParams('provider', 2),
    headers: Type.Object({
      'Tocsin-Signature': Type.String({ description: '`t=` seconds since 1970, `v1=` HMAC-SHA256 in hexadecimal.' }),
    }),
    body: reportBody,
    responses: { 200: reportResponse },
    refusals: ['bad-signature', 'not-found', 'unprocessable', 'too-many-requests'],
    handle: async ({ params: { id: providerId }, body, request }) => {
      if (!isReportOf(providerId, request))
        throw new AppError(
          'bad-signature',
          `The report has no signature of a webhook provider ${providerId} that is at most five minutes old: check the id, the secret and the time.`,
        );
      const input = {
        providerId,
        reportId: body.id,
        attemptId: body.attempt,
        event: eventOf(body),
        address: request.remoteAddress,
      };
      const actor = `provider:${providerId}`;
      const once = { key: body.id, bodyHash: fingerprintOf(request.bytes) };
      const { outcome } = await store.write(takeReportOnce, { input, actor, once });
      if (outcome.refusal !== undefined) throw codeRefused(outcome.refusal);
      return { taken: [...outcome.taken], text: outcome.said };
    },
  });
}

function codeRefused(refusal: 'wrong-code' | 'too-many'): AppError {
  if (refusal === 'too-many')
    return new AppError('too-many-requests', 'Too many wrong codes came for this person: try again in an hour.', {
      retryAfterSeconds: wrongCodeWindowMs / 1000,
    });
  const errors = [{ field: 'code', message: 'is not the code of the message' }];
  return new AppError('unprocessable', 'The code is not that of the message.', { errors });
}

type Body = Readonly<{ event: string; answer?: string; code?: string }>;
type Event = Parameters<(typeof takeReportOnce)['run']>[2]['input']['event'];

function eventOf({ event, answer, code = '' }: Body): Event {
  if (event !== 'answer') return { kind: event as 'delivered' | 'read' };
  if (answer === undefined)
    throw new AppError('unprocessable', 'The answer is missing.', {
      errors: [{ field: 'answer', message: 'is missing' }],
    });
  return { kind: 'answer', answer: answer as 'take' | 'heard' | 'decline' | 'later', code };
}
