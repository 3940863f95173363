// The lengths before MessagePack messages: seven bits per byte, lowest first; the eighth bit says that more follow.

import { InvalidMessage } from './messages.ts';

const maxBytes = 5;

export function writeVarInt(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  do {
    const bits = rest % 128;
    rest = Math.floor(rest / 128);
    bytes.push(rest > 0 ? bits + 128 : bits);
  } while (rest > 0);
  return Buffer.from(bytes);
}

/** Returns the number at the start of `bytes` and its size; undefined while it is incomplete. */
export function readVarInt(bytes: Buffer): { readonly value: number; readonly size: number } | undefined {
  let value = 0;
  let size = 0;
  for (const byte of bytes.subarray(0, maxBytes)) {
    value += (byte % 128) * 128 ** size;
    size += 1;
    if (byte < 128) return { value, size };
  }
  if (size === maxBytes) throw new InvalidMessage('A length has too many bytes');
  return undefined;
}
