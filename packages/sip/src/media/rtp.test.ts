// RTP packets: header extensions, contributing sources and padding are skipped, and no bytes make the parser throw.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/harness/fast-check.ts';
import { soak } from '../../test/harness/soak.ts';
import { parseRtp, printRtp } from './rtp.ts';

const header = [0x80, 0x88, 0x12, 0x34, 0, 0, 1, 0, 0xde, 0xad, 0xbe, 0xef];

test('a packet is parsed to its parts', () => {
  assert.deepEqual(parseRtp(Uint8Array.of(...header, 7, 8)), {
    payloadType: 8,
    marker: true,
    sequence: 0x1234,
    timestamp: 256,
    ssrc: 0xdeadbeef,
    payload: Uint8Array.of(7, 8),
  });
});

test('sources, an extension and padding are not part of the payload', () => {
  const [, ...rest] = header;
  const sources = [0, 0, 0, 1, 0, 0, 0, 2];
  const extension = [0xbe, 0xde, 0, 1, 9, 9, 9, 9];
  const packet = parseRtp(Uint8Array.of(0x80 | 0x20 | 0x10 | 2, ...rest, ...sources, ...extension, 42, 0, 0, 3));
  assert.deepEqual(packet?.payload, Uint8Array.of(42));
});

for (const [name, bytes] of [
  ['a short datagram', header.slice(0, 11)],
  ['version 1', [0x40, ...header.slice(1)]],
  ['more sources than bytes', [0x8f, ...header.slice(1)]],
  ['an extension beyond the end', [0x90, ...header.slice(1), 0, 0, 0xff, 0xff]],
  ['an extension cut short', [0x90, ...header.slice(1), 0, 0]],
  ['more padding than payload', [0xa0, ...header.slice(1), 1, 2, 200]],
  ['padding of no bytes', [0xa0, ...header.slice(1), 1, 2, 0]],
] as const) {
  test(`${name} is no packet`, () => assert.equal(parseRtp(Uint8Array.from(bytes)), undefined));
}

test('what is printed is parsed to the same, and any bytes are parsed or refused', () => {
  const packets = fc.record(
    {
      payloadType: fc.nat(127),
      marker: fc.boolean(),
      sequence: fc.nat(0xffff),
      timestamp: fc.nat(0xffffffff),
      ssrc: fc.nat(0xffffffff),
      payload: fc.uint8Array({ maxLength: 320 }),
    },
    { noNullPrototype: true },
  );
  fc.assert(fc.property(packets, (packet) => assert.deepEqual(parseRtp(printRtp(packet)), packet)));
  const datagrams = fc.uint8Array({ maxLength: 64 }).map((bytes) => {
    if (bytes.length > 0) bytes[0] = 0x80 | ((bytes[0] ?? 0) & 0x3f);
    return bytes;
  });
  fc.assert(
    fc.property(fc.oneof(datagrams, fc.uint8Array({ maxLength: 64 })), (bytes) => {
      const parsed = parseRtp(bytes);
      assert.ok(parsed === undefined || parsed.payload.length <= bytes.length - 12);
    }),
    { numRuns: soak(3_000) },
  );
});
