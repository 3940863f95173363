// Keys through packets that get lost, doubled and out of order, and how long a key counts as held.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/harness/fast-check.ts';
import { soak } from '../../test/harness/soak.ts';
import { PacketOrder } from './packet-order.ts';
import { parseRtp, type RtpPacket } from './rtp.ts';
import { RtpSender } from './rtp-sender.ts';
import { EventReceiver, type Key, type KeyEvent, parseEvent, printEvent } from './telephone-events.ts';

function pushed(receiver: EventReceiver, timestamp: number, key: Key, duration: number, isEnd: boolean, now: number) {
  return receiver.push(timestamp, false, printEvent({ key, isEnd, duration }), now);
}

const pressed = (key: Key): KeyEvent => ({ kind: 'pressed', key });
const released = (key: Key, durationMs: number): KeyEvent => ({ kind: 'released', key, durationMs });

test('a key is pressed with its first packet and released with its first end', () => {
  const receiver = new EventReceiver();
  assert.deepEqual(pushed(receiver, 1000, '5', 160, false, 0), [pressed('5')]);
  assert.deepEqual(pushed(receiver, 1000, '5', 320, false, 20), []);
  assert.deepEqual(pushed(receiver, 1000, '5', 800, true, 40), [released('5', 100)]);
  assert.deepEqual(pushed(receiver, 1000, '5', 800, true, 60), []);
  assert.deepEqual(pushed(receiver, 1000, '5', 640, false, 80), []);
});

test('the same key again is a second press, because its timestamp is another', () => {
  const receiver = new EventReceiver();
  pushed(receiver, 1000, '1', 800, true, 0);
  assert.deepEqual(pushed(receiver, 4000, '1', 800, true, 200), [pressed('1'), released('1', 100)]);
  assert.deepEqual(pushed(receiver, 1000, '1', 800, true, 220), [], 'a late packet of the first');
});

test('a key whose end was lost is released by the next key, or after 200 ms', () => {
  const receiver = new EventReceiver();
  pushed(receiver, 1000, '1', 480, false, 0);
  assert.deepEqual(pushed(receiver, 4000, '2', 160, false, 20), [released('1', 60), pressed('2')]);
  assert.deepEqual(receiver.expire(220), []);
  assert.deepEqual(receiver.expire(221), [released('2', 20)]);
  assert.deepEqual(receiver.expire(999), []);
  assert.deepEqual(pushed(receiver, 4000, '2', 800, true, 1000), [], 'the end came after all');
});

test('a key held for twenty seconds is one press of twenty seconds', () => {
  const receiver = new EventReceiver();
  const events: KeyEvent[] = [];
  for (let at = 160; at <= 160_000; at += 160) {
    const segment = Math.floor(at / 65_535);
    const duration = at - segment * 65_535;
    if (duration === 0) continue;
    events.push(...pushed(receiver, 1000 + segment * 65_535, '#', duration, at === 160_000, at / 8));
  }
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['pressed', 'released'],
  );
  const last = events.at(-1);
  assert.ok(last?.kind === 'released' && Math.abs(last.durationMs - 20_000) < 60, JSON.stringify(last));
});

test('events that are no key, and payloads that are no event, are passed over', () => {
  assert.equal(parseEvent(Uint8Array.of(16, 0, 0, 160)), undefined);
  assert.equal(parseEvent(Uint8Array.of(1, 0, 0)), undefined);
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(0xffffffff), fc.uint8Array({ maxLength: 8 }), fc.boolean())), (packets) => {
      const receiver = new EventReceiver();
      const kinds = packets
        .flatMap(([timestamp, payload, marker], at) => receiver.push(timestamp, marker, payload, at * 20))
        .concat(receiver.expire(1e9))
        .map(({ kind }) => kind);
      // Presses and releases alternate, whatever came.
      assert.ok(kinds.every((kind, at) => kind === (at % 2 === 0 ? 'pressed' : 'released')));
      assert.equal(kinds.length % 2, 0);
    }),
    { numRuns: soak(1_000) },
  );
});

/** The packets of silence, then the keys, as a session sends them. */
function packetsOf(keys: readonly Key[]): RtpPacket[] {
  const sender = new RtpSender();
  const packets: RtpPacket[] = [];
  const next = (): void => {
    const packet = parseRtp(sender.next({ codec: 'PCMA', codecType: 8, eventType: 96 }));
    if (packet !== undefined) packets.push(packet);
  };
  for (let n = 0; n < 5; n++) next();
  void sender.sendKeys(keys, 80);
  for (let n = 0; n < keys.length * 11 + 10; n++) next();
  return packets;
}

type Fate = { readonly isLost: boolean; readonly isDoubled: boolean; readonly lateBy: number };

/** The packets after a bad network: a packet of each key survives, and none is overtaken by more than three. */
function afterNetwork(packets: readonly RtpPacket[], fates: readonly Fate[]): RtpPacket[] {
  const kept = new Set<number>();
  const arrivals = packets.flatMap((packet, at) => {
    const { isLost, isDoubled, lateBy } = fates[at % fates.length] ?? { isLost: false, isDoubled: false, lateBy: 0 };
    const isLast = packets[at + 1]?.timestamp !== packet.timestamp && packet.payloadType === 96;
    if (isLost && at > 0 && !(isLast && !kept.has(packet.timestamp))) return [];
    if (packet.payloadType === 96) kept.add(packet.timestamp);
    const arrival = { packet, at: at === 0 ? 0 : at + lateBy };
    return isDoubled ? [arrival, { packet, at: at + 2.5 }] : [arrival];
  });
  return arrivals.sort((one, other) => one.at - other.at).map(({ packet }) => packet);
}

test('keys survive a network that loses, doubles and reorders, each once and in order', () => {
  const fate = fc.record({
    isLost: fc.boolean(),
    isDoubled: fc.boolean(),
    lateBy: fc.constantFrom(0, 0, 0, 1.1, 2.1, 3.1),
  });
  const allKeys = fc.array(fc.constantFrom<Key>('0', '1', '2', '9', '*', '#', 'D'), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(allKeys, fc.array(fate, { minLength: 1, maxLength: 97 }), (keys, fates) => {
      const order = new PacketOrder();
      const receiver = new EventReceiver();
      const heard = afterNetwork(packetsOf(keys), fates)
        .flatMap((packet, at) => order.push(packet, at * 20))
        .concat(order.expire(1e9))
        .filter(({ packet }) => packet.payloadType === 96)
        .flatMap(({ packet }, at) => receiver.push(packet.timestamp, packet.marker, packet.payload, at * 20))
        .filter(({ kind }) => kind === 'pressed');
      assert.equal(heard.map(({ key }) => key).join(''), keys.join(''));
    }),
    { numRuns: soak(1_000) },
  );
});
