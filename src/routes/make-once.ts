// Carries out a request that makes something, once for each idempotency key.

import { callerOf, type Principal } from '../domain/access/access.ts';
import { fingerprintOf } from '../http/request-body.ts';
import type { CallOrigin } from '../http/route.ts';
import type { KeyedOperation } from '../operations/keyed-operation.ts';
import type { Store } from '../store/store.ts';
import { idempotencyKey } from './alarms.ts';

type Requester = { readonly principal: Principal; readonly request: CallOrigin };

/** What tells requests apart: a key of one address says nothing about another, and secrets of the body are left out. */
type Sent = { readonly address: string; readonly body: object };

export async function makeOnce<I, O>(
  store: Store,
  operation: KeyedOperation<I, O>,
  input: I,
  { principal, request }: Requester,
  { address, body }: Sent,
): Promise<O> {
  const sent = idempotencyKey(request);
  const once = sent && { key: `${address}\r${sent.key}`, bodyHash: fingerprintOf(Buffer.from(withoutSecrets(body))) };
  return (await store.write(operation, { input, actor: callerOf(principal).actor, once })).outcome;
}

/** The fingerprint of the text is stored. */
function withoutSecrets(body: object): string {
  return JSON.stringify(body, (name, value) => (name === 'password' || name === 'pin' ? undefined : value));
}
