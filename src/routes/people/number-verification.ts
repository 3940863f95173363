// The route by which a number that a person entered is verified: a code is sent there, and given back.

import { randomInt } from 'node:crypto';
import { Type } from 'typebox';
import type { Principals } from '../../access/principals.ts';
import { callerAt, type Principal } from '../../domain/access/access.ts';
import { mayCause, neededFor } from '../../domain/access/effects.ts';
import type { CodeMessage, Delivery } from '../../domain/calls/delivery.ts';
import { wordsIn } from '../../domain/calls/words/catalogue.ts';
import { englishReason } from '../../domain/channels/words/catalogue.ts';
import type { CodeFault } from '../../domain/people/verification.ts';
import { AppError } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { giveBackCode, startVerification } from '../../operations/people/users/verification.ts';
import type { Store } from '../../store/store.ts';
import { idOf, idParams, optionalText } from '../../wire/paging.ts';

type VerificationParts = {
  readonly store: Store;
  readonly principals: Principals;
  /** Tells somebody a code; never throws for what a provider rejects. */
  readonly sendCode: (message: CodeMessage) => Promise<Delivery>;
};

const [lowest, highest] = [100_000, 1_000_000];

const faults: Readonly<Record<CodeFault, string>> = {
  'none-sent': 'was not sent to this number: ask for one first',
  expired: 'is no longer valid: ask for another one',
  wrong: 'is not the one that was sent',
};

const verificationBody = Type.Object(
  { code: optionalText(16, { description: 'The code that was sent; not given: send one.' }) },
  { title: 'NumberVerificationBody', description: 'Asks for a code, or gives it back.', examples: [{}] },
);

const verificationSchema = Type.Object(
  {
    sent: Type.Boolean({ description: 'Whether a code was sent now.' }),
    verified: Type.Boolean({ description: 'Whether the number is verified.' }),
  },
  { title: 'NumberVerification', description: 'How far the verification of a number is.' },
);

export function numberVerificationRoute({ store, principals, sendCode }: VerificationParts): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/v1/users/:id/numbers/:numberId/verify',
    scope: 'signed-in',
    tag: 'Users',
    operationId: 'verifyNumber',
    summary: 'Verify a number',
    description:
      'Without a code, sends one of six digits by that number, at most five times an hour for each person; it is valid for 15 minutes and five guesses. With the code, the number is verified and is called from then on. For the own numbers, and with the scope `admin` for those of others.',
    params: Type.Object({ ...idParams('user').properties, numberId: idOf('number') }),
    body: verificationBody,
    responses: { 200: verificationSchema },
    refusals: ['not-found', 'scope-missing', 'already-done', 'too-many-requests', 'unavailable'],
    handle: async ({ params: { id: userId, numberId }, body, principal, request }) => {
      refuseOthers(principal, userId);
      const target = { caller: callerAt(principal, request), userId, numberId };
      if (body.code !== undefined && body.code !== '') {
        refuseFault(await store.write(giveBackCode, { ...target, code: body.code.trim() }));
        principals.onEvent({ kind: 'user.changed' });
        return { sent: false, verified: true };
      }
      const code = String(randomInt(lowest, highest));
      const { channel, address, language } = await store.write(startVerification, { ...target, code });
      const text = wordsIn(language).verificationCode(code);
      const delivery = await sendCode({ userId, channel, address, text, language });
      if (delivery.kind === 'delivered') return { sent: true, verified: false };
      const why = englishReason(delivery.reason);
      throw new AppError('unavailable', `The code could not be sent: ${why}.`, { retryAfterSeconds: 60 });
    },
  });
}

function refuseOthers(principal: Principal, userId: number): void {
  if (principal.kind === 'user' && principal.id === userId) return;
  if (mayCause(principal, 'use the phone of somebody else')) return;
  throw new AppError(
    'scope-missing',
    `To verify the number of somebody else needs ${neededFor('use the phone of somebody else')}.`,
  );
}

function refuseFault(fault: CodeFault | undefined): void {
  if (fault === undefined) return;
  const message = faults[fault];
  throw new AppError('unprocessable', `code ${message}.`, { errors: [{ field: 'code', message }] });
}
