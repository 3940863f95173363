// Signs what is sent to webhooks and checks what their receivers report: HMAC-SHA256 over the time and the body.

import { createHmac, timingSafeEqual } from 'node:crypto';

export const signatureHeader = 'tocsin-signature';

/** A signature counts for as long before and after its time. */
const windowMs = 300_000;
/** A header with more values than this is not read. */
const mostValues = 10;

/** The first secret is the present one; while secrets are exchanged a former one signs as well. */
export type SigningSecrets = readonly [string, ...string[]];

/** Returns `t=1763298000,v1=5257…`, with a `v1` for each secret; `t` is in seconds since 1970. */
export function signatureOf(body: string | Uint8Array, secrets: SigningSecrets, now: number): string {
  const time = String(Math.floor(now / 1000));
  return [`t=${time}`, ...secrets.map((secret) => `v1=${digest(time, body, secret).toString('hex')}`)].join(',');
}

/** Whether one of the secrets has signed the body at about this time. Takes the same time whatever the signature is. */
export function isSigned(header: string | undefined, body: Uint8Array, secrets: SigningSecrets, now: number): boolean {
  const values = (header ?? '').split(',', mostValues).map((part) => part.trim());
  const time = values.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  if (!/^\d{1,12}$/.test(time) || Math.abs(Number(time) * 1000 - now) > windowMs) return false;
  const given = values
    .filter((part) => /^v1=[0-9a-f]{64}$/.test(part))
    .map((part) => Buffer.from(part.slice(3), 'hex'));
  const expected = secrets.map((secret) => digest(time, body, secret));
  const matches = given.flatMap((one) => expected.map((other) => timingSafeEqual(one, other)));
  return matches.includes(true);
}

function digest(time: string, body: string | Uint8Array, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest();
}
