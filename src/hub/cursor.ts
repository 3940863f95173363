// Event log positions as clients store them: sealed, so that no client can forge one from before its first connection, or count how
// much happens in stations that it may not see.

import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import type { LogPosition } from '../store/event-log.ts';

const cipher = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

export function printPosition({ epoch, position }: LogPosition, key: string): string {
  const body = `${position}.${epoch}`;
  // The same for the same position and no other, so that it may be derived from it.
  const iv = keyed('alarm-position-iv', body, key).subarray(0, ivBytes);
  const sealing = createCipheriv(cipher, keyed('alarm-position-key', '', key), iv);
  return Buffer.concat([iv, sealing.update(body), sealing.final(), sealing.getAuthTag()]).toString('base64url');
}

/** Returns the position; undefined if it was not sealed, or signed by an earlier version, with this key. */
export function readPosition(text: string, key: string): LogPosition | undefined {
  const body = text.includes('.') ? signedBody(text, key) : sealedBody(text, key);
  const [, position = '', epoch = ''] = /^(\d{1,16})\.([\w-]{1,64})$/.exec(body ?? '') ?? [];
  return position === '' ? undefined : { epoch, position: Number(position) };
}

function sealedBody(text: string, key: string): string | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length <= ivBytes + tagBytes) return undefined;
  const opening = createDecipheriv(cipher, keyed('alarm-position-key', '', key), bytes.subarray(0, ivBytes));
  opening.setAuthTag(bytes.subarray(-tagBytes));
  try {
    return opening.update(bytes.subarray(ivBytes, -tagBytes), undefined, 'utf8') + opening.final('utf8');
  } catch {
    // Sealed with another key, or changed on its way.
    return undefined;
  }
}

/** Versions before 0.2 printed the position and signed it; their clients go on with it after an upgrade. */
function signedBody(text: string, key: string): string | undefined {
  const [, body = '', signed = ''] = /^(\d{1,16}\.[\w-]{1,64})\.([\w-]{43})$/.exec(text) ?? [];
  const isOurs = body !== '' && timingSafeEqual(keyed('alarm-position', body, key), Buffer.from(signed, 'base64url'));
  return isOurs ? body : undefined;
}

/** The prefix prevents what was made for another purpose with the same key from being accepted here. */
function keyed(purpose: string, text: string, key: string): Buffer {
  return createHmac('sha256', key).update(`${purpose}:${text}`).digest();
}
