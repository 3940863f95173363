// Carries out a request that makes something, once for each idempotency key.

import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { callerOf, type Principal } from '../domain/access/access.ts';
import { fingerprintOf } from '../http/body/request-body.ts';
import type { CallOrigin } from '../http/route.ts';
import type { IdempotencyKey } from '../operations/alarms/intake/idempotency.ts';
import type { KeyedOperation } from '../operations/keyed-operation.ts';
import type { Store } from '../store/store.ts';

export const idempotencyHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(Type.String({ description: 'The same for each repetition of one request.' })),
});

const maxKeyLength = 255;

/** Accepts any key, because an alarm is not refused over it. An empty key counts as none. */
export function idempotencyKey({ headers, bytes }: CallOrigin): IdempotencyKey | undefined {
  const sent = String(headers['idempotency-key'] ?? '');
  if (sent === '') return undefined;
  const key = sent.length <= maxKeyLength ? sent : createHash('sha256').update(sent).digest('hex');
  return { key, bodyHash: fingerprintOf(bytes) };
}

type Requester = { readonly principal: Principal; readonly request: CallOrigin };

/** The parts of a request that an idempotency key stands for: the key belongs to one address, and covers this body. */
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

/** The body as text without passwords and PINs, because its fingerprint is stored. */
function withoutSecrets(body: object): string {
  return JSON.stringify(body, (name, value) => (name === 'password' || name === 'pin' ? undefined : value));
}
