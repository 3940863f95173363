// Checks the structure of MessagePack before it is decoded, so that a few bytes cannot claim arrays that exhaust
// memory.

import { InvalidMessage } from './messages.ts';

/**
 * The meaning of a type byte: how many fixed bytes follow, how many bytes the length has, and whether it counts bytes
 * or values.
 */
type Shape = { readonly fixed: number; readonly lengthBytes: number; readonly perUnit: 'bytes' | number };

/**
 * Throws unless `body` is exactly one value. The decoder allocates an array or map when it reads its header, so the
 * values still expected by all open ones together must not exceed the remaining bytes.
 */
export function checkShape(body: Buffer): void {
  let at = 0;
  let expected = 1;
  while (expected > 0) {
    const { children, size } = readHead(body, at);
    at += size;
    expected += children - 1;
    if (expected > body.length - at) throw new InvalidMessage('A message claims more than it has');
  }
  if (at !== body.length) throw new InvalidMessage('A message has bytes to spare');
}

/** Returns how many values the one at `at` contains, and its own size without them. */
function readHead(body: Buffer, at: number): { readonly children: number; readonly size: number } {
  const type = body[at];
  if (type === undefined) throw new InvalidMessage('A message ends early');
  if (type >= 0x80 && type < 0x90) return { children: 2 * (type - 0x80), size: 1 };
  if (type >= 0x90 && type < 0xa0) return { children: type - 0x90, size: 1 };
  if (type >= 0xa0 && type < 0xc0) return { children: 0, size: 1 + type - 0xa0 };
  if (type < 0x80 || type >= 0xe0) return { children: 0, size: 1 };
  const { fixed, lengthBytes, perUnit } = shapes[type - 0xc0] ?? unknownShape;
  if (at + 1 + lengthBytes > body.length) throw new InvalidMessage('A message ends early');
  const length = lengthBytes === 0 ? 0 : body.readUIntBE(at + 1, lengthBytes);
  const size = 1 + lengthBytes + fixed;
  return perUnit === 'bytes' ? { children: 0, size: size + length } : { children: perUnit * length, size };
}

function fixed(bytes: number): Shape {
  return { fixed: bytes, lengthBytes: 0, perUnit: 'bytes' };
}

function counted(lengthBytes: number, perUnit: Shape['perUnit'], extra = 0): Shape {
  return { fixed: extra, lengthBytes, perUnit };
}

const unknownShape = fixed(0);

/** The types 0xc0 to 0xdf, in order. */
const shapes: readonly Shape[] = [
  ...[fixed(0), fixed(0), fixed(0), fixed(0)],
  ...[counted(1, 'bytes'), counted(2, 'bytes'), counted(4, 'bytes')],
  ...[counted(1, 'bytes', 1), counted(2, 'bytes', 1), counted(4, 'bytes', 1)],
  ...[fixed(4), fixed(8)],
  ...[fixed(1), fixed(2), fixed(4), fixed(8)],
  ...[fixed(1), fixed(2), fixed(4), fixed(8)],
  ...[fixed(2), fixed(3), fixed(5), fixed(9), fixed(17)],
  ...[counted(1, 'bytes'), counted(2, 'bytes'), counted(4, 'bytes')],
  ...[counted(2, 1), counted(4, 1)],
  ...[counted(2, 2), counted(4, 2)],
];
