// The order of received packets: late, doubled and lost ones, and streams that begin anew.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/harness/fast-check.ts';
import { PacketOrder } from './packet-order.ts';
import type { RtpPacket } from './rtp.ts';

function packet(sequence: number, ssrc = 1): RtpPacket {
  const payload = new Uint8Array();
  return { payloadType: 8, marker: false, sequence: sequence & 0xffff, timestamp: sequence * 160, ssrc, payload };
}

/** The sequence numbers that come out, in order, when these come in 20 ms apart. */
function ordered(packets: readonly RtpPacket[]): number[] {
  const order = new PacketOrder();
  return packets.flatMap((one, at) => order.push(one, at * 20)).map(({ packet: { sequence } }) => sequence);
}

function inOrder(...sequences: readonly number[]): number[] {
  return ordered(sequences.map((sequence) => packet(sequence)));
}

test('packets that overtook each other are put in order, also where the numbers wrap', () => {
  assert.deepEqual(inOrder(65_534, 0, 65_535, 1), [65_534, 65_535, 0, 1]);
});

test('doubled packets come once', () => {
  assert.deepEqual(inOrder(1, 2, 2, 4, 4, 3, 1), [1, 2, 3, 4]);
});

test('a lost packet delays those after it by 60 ms at most, and is not taken any more', () => {
  assert.deepEqual(inOrder(1, 3, 4, 5, 6), [1, 3, 4, 5, 6]);
  assert.deepEqual(inOrder(1, 3, 4, 5, 6, 2, 7), [1, 3, 4, 5, 6, 7]);
  const order = new PacketOrder();
  order.push(packet(1), 0);
  assert.deepEqual(order.push(packet(3), 0), []);
  assert.deepEqual(order.expire(59), []);
  assert.equal(order.expire(60).length, 1);
});

test('a stream begins anew with its second packet; a stray one changes nothing', () => {
  const stray = [packet(1), packet(900, 2), packet(2)];
  assert.deepEqual(ordered(stray), [1, 2]);
  const order = new PacketOrder();
  const [first, second, third] = [packet(1), packet(900, 2), packet(901, 2)];
  const out = [first, second, third].flatMap((one) => order.push(one, 0));
  assert.deepEqual(
    out.map(({ packet: { sequence }, isNewStream }) => [sequence, isNewStream]),
    [
      [1, true],
      [900, true],
      [901, false],
    ],
  );
});

test('a sender that counts from another number goes on being heard', () => {
  assert.deepEqual(inOrder(20_000, 20_001, 5, 6, 7), [20_000, 20_001, 5, 6, 7]);
});

test('whatever arrives, numbers only rise within a stream and nothing is held for long', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 2 })), { maxLength: 60 }), (steps) => {
      const order = new PacketOrder();
      let last = -1;
      steps.forEach(([sequence, ssrc], at) => {
        for (const { packet: out, isNewStream } of order.push(packet(sequence, ssrc), at * 20)) {
          assert.ok(isNewStream || out.sequence > last);
          last = out.sequence;
        }
      });
      const end = steps.length * 20 + 60;
      order.expire(end);
      assert.deepEqual(order.expire(end), []);
    }),
  );
});
