// Asks a registrar once whether it accepts an account, and registers nothing.

import { DigestClient } from '../auth/digest-client.ts';
import type { Endpoint } from './endpoint.ts';
import { type AccountOptions, failureText, registerDraft } from './registration.ts';
import { inTime } from './supervision.ts';
import { destinationOf } from './trunk.ts';

export type AccountCheck = { readonly isAccepted: boolean; readonly status?: number; readonly reason: string };

/** A REGISTER without a Contact only asks where the account is registered (RFC 3261, 10.2.3), with the same proof. */
export async function checkAccount(endpoint: Endpoint, options: AccountOptions): Promise<AccountCheck> {
  const draft = registerDraft(options);
  let sequence = 1;
  const asked = endpoint.send(
    { ...draft, cseq: { number: sequence, method: 'REGISTER' } },
    {
      destination: destinationOf(options.trunk),
      switchToTcp: options.trunk.switchToTcp === true,
      digest: new DigestClient(options.credentials),
      nextSeq: () => ++sequence,
    },
  );
  const outcome = await inTime(asked, endpoint.timers);
  if (outcome.kind === 'failure') return { isAccepted: false, reason: failureText(outcome) };
  const { status, reason } = outcome.response;
  return { isAccepted: status < 300, status, reason };
}
