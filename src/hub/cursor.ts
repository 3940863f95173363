// Event log positions as clients store them: signed, so that no client can forge one from before its first connection.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { LogPosition } from '../store/event-log.ts';

export function printPosition({ epoch, position }: LogPosition, key: string): string {
  const body = `${position}.${epoch}`;
  return `${body}.${signature(body, key).toString('base64url')}`;
}

/** Returns the position; undefined if it was not signed with this key. */
export function readPosition(text: string, key: string): LogPosition | undefined {
  const [, body = '', signed = ''] = /^(\d{1,16}\.[\w-]{1,64})\.([\w-]{43})$/.exec(text) ?? [];
  if (body === '' || !timingSafeEqual(signature(body, key), Buffer.from(signed, 'base64url'))) return undefined;
  const [position = '', epoch = ''] = body.split('.');
  return { epoch, position: Number(position) };
}

/** The prefix prevents a signature made for another purpose with the same key from being accepted here. */
function signature(body: string, key: string): Buffer {
  return createHmac('sha256', key).update(`alarm-position:${body}`).digest();
}
