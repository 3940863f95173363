// Tests the MessagePack protocol: golden bytes of every message, and messages that are rejected.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { encode } from '@msgpack/msgpack';
import { fc } from '../../../test/harness/fast-check.ts';
import { messagePackProtocol } from './messagepack-protocol.ts';
import { checkShape } from './messagepack-shape.ts';
import { type HubMessage, InvalidMessage } from './messages.ts';

const golden: readonly (readonly [HubMessage, string])[] = [
  // 1, headers, no id, "onAlarm", [42], []
  [{ type: 1, target: 'onAlarm', args: [42] }, '0f 96 01 80 c0 a7 6f6e416c61726d 91 2a 90'],
  [
    { type: 1, invocationId: '1', target: 'sum', args: [], streamIds: ['2'] },
    '0d 96 01 80 a1 31 a3 73756d 90 91 a1 32',
  ],
  [{ type: 2, invocationId: '1', item: 42 }, '06 94 02 80 a1 31 2a'],
  [{ type: 3, invocationId: '1', error: 'no' }, '09 95 03 80 a1 31 01 a2 6e6f'],
  [{ type: 3, invocationId: '1' }, '06 94 03 80 a1 31 02'],
  [{ type: 3, invocationId: '1', result: null }, '07 95 03 80 a1 31 03 c0'],
  [{ type: 3, invocationId: '1', result: 42 }, '07 95 03 80 a1 31 03 2a'],
  [{ type: 4, invocationId: '1', target: 'x', args: [] }, '09 96 04 80 a1 31 a1 78 90 90'],
  [{ type: 5, invocationId: '1' }, '05 93 05 80 a1 31'],
  [{ type: 6 }, '02 91 06'],
  [{ type: 7, allowReconnect: false }, '04 93 07 c0 c2'],
  [{ type: 7, error: 'no', allowReconnect: true }, '06 93 07 a2 6e6f c3'],
  [{ type: 8, sequenceId: 7 }, '03 92 08 07'],
  [{ type: 9, sequenceId: 300 }, '05 92 09 cd 012c'],
];

const fromHex = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

for (const [message, hex] of golden) {
  it(`writes and reads ${hex}`, () => {
    const bytes = fromHex(hex);
    assert.equal(messagePackProtocol.encode(message).toString('hex'), bytes.toString('hex'));
    assert.deepEqual(messagePackProtocol.decode(bytes.subarray(1)), message);
  });
}

it('writes longer lengths in more bytes', () => {
  const bytes = messagePackProtocol.encode({ type: 2, invocationId: '1', item: 'x'.repeat(200) });
  assert.equal(bytes.subarray(0, 9).toString('hex'), 'cf01940280a131d9c8');
  assert.deepEqual(messagePackProtocol.findFirst(bytes, 1_000)?.length, bytes.length);
});

it('accepts messages without the fields that earlier client versions omit', () => {
  const bytes = Buffer.from(encode([1, {}, null, 'x', []]));
  assert.deepEqual(messagePackProtocol.decode(bytes), { type: 1, target: 'x', args: [] });
  assert.deepEqual(messagePackProtocol.decode(Buffer.from(encode([7, null]))), { type: 7 });
  assert.equal(messagePackProtocol.decode(Buffer.from(encode([10, 'new']))), undefined);
});

it('omits undefined fields, as JSON does', () => {
  const bytes = messagePackProtocol.encode({ type: 2, invocationId: '1', item: { a: undefined, b: 1 } });
  assert.deepEqual(messagePackProtocol.decode(bytes.subarray(1)), { type: 2, invocationId: '1', item: { b: 1 } });
});

for (const [what, bytes] of [
  ['nothing', Buffer.alloc(0)],
  ['a number', Buffer.from(encode(6))],
  ['an empty list', Buffer.from(encode([]))],
  ['an id that is a number', Buffer.from(encode([2, {}, 1, 2]))],
  ['arguments that are no list', Buffer.from(encode([1, {}, null, 'x', 'y']))],
  ['an outcome of no kind', Buffer.from(encode([3, {}, '1', 9]))],
  ['bytes to spare', Buffer.from('910600', 'hex')],
  ['a list that is too short', Buffer.from('9206', 'hex')],
  ['a type byte that does not exist', Buffer.from('c1', 'hex')],
  ['a key that would change prototypes', Buffer.from(encode([2, {}, '1', { ['__proto__']: 1 }]))],
] as const) {
  it(`rejects ${what}`, () => {
    assert.throws(() => messagePackProtocol.decode(bytes), InvalidMessage);
  });
}

it('rejects a message by its length prefix alone', () => {
  assert.throws(() => messagePackProtocol.findFirst(Buffer.from('8001', 'hex'), 127), InvalidMessage);
  assert.equal(messagePackProtocol.findFirst(Buffer.from('7f', 'hex'), 127), undefined);
});

it('the structure check accepts every MessagePack value, and no truncated one', () => {
  const value = fc.anything({
    maxDepth: 4,
    withTypedArray: false,
    values: [fc.jsonValue(), fc.uint8Array(), fc.double()],
  });
  fc.assert(
    fc.property(value, fc.nat(), (anything, at) => {
      let bytes: Buffer;
      try {
        bytes = Buffer.from(encode(anything));
      } catch {
        return;
      }
      checkShape(bytes);
      assert.throws(() => checkShape(bytes.subarray(0, at % bytes.length)), InvalidMessage);
    }),
  );
  for (const large of [
    new Uint8Array(70_000),
    'x'.repeat(70_000),
    Array.from({ length: 70_000 }, () => 1),
    new Date(),
  ]) {
    checkShape(Buffer.from(encode(large)));
  }
  checkShape(Buffer.from(encode(Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`k${index}`, 1])))));
});
