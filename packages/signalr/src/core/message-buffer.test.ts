// Tests stateful reconnect between two sides over a link that loses messages in flight: none is lost or processed
// twice.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../test/harness/fast-check.ts';
import { Backlog } from '../sending/backlog.ts';
import { Payload } from '../sending/payload.ts';
import { MessageBuffer } from './message-buffer.ts';
import { jsonProtocol } from './protocol/json-protocol.ts';
import { type HubMessage, InvalidMessage } from './protocol/messages.ts';
import { CoreEncoding, MessageReader } from './protocol/protocol.ts';

const encoding = new CoreEncoding(jsonProtocol);
const call = (number: number): HubMessage => ({ type: 1, target: 'x', args: [number] });

/** One side: its buffer, and the numbers it accepted. */
class Side {
  readonly backlog = new Backlog(1_000_000, () => 0);
  readonly buffer = new MessageBuffer(
    encoding,
    this.backlog.share(() => {}),
  );
  readonly acted: unknown[] = [];

  /** Returns the bytes of the next messages, which are joined if there are several. */
  send(...numbers: readonly number[]): Buffer {
    const payloads = numbers.map((number) => encoding.encode(call(number)));
    const payload = Payload.join(payloads);
    this.buffer.add(payload);
    return payload.bytes;
  }

  /** Returns the bytes that the other side gets after a cut. */
  replay(): Buffer {
    return Payload.join(this.buffer.replay()).bytes;
  }

  receive(bytes: Buffer): void {
    for (const message of new MessageReader(jsonProtocol, 1_000).read(bytes)) {
      if (!this.buffer.isNew(message)) continue;
      if (message.type === 1) this.acted.push(message.args[0]);
      if (message.type === 8) this.buffer.acknowledge(message.sequenceId);
      if (message.type === 9) this.buffer.expectFrom(message.sequenceId);
    }
  }
}

it('no message is lost or processed twice, whatever the link loses', () => {
  const step = fc.constantFrom('send', 'send', 'send joined', 'deliver', 'ack', 'cut');
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const from = new Side();
      const to = new Side();
      let forth: Buffer[] = [];
      let back: Buffer[] = [];
      let sent = 0;
      const deliver = () => {
        for (const bytes of forth.splice(0)) to.receive(bytes);
        for (const bytes of back.splice(0)) from.receive(bytes);
      };
      const cut = () => {
        forth = [from.replay()];
        back = [to.replay()];
      };
      for (const what of steps) {
        if (what === 'send') forth.push(from.send(++sent));
        if (what === 'send joined') {
          forth.push(from.send(sent + 1, sent + 2, sent + 3));
          sent += 3;
        }
        if (what === 'deliver') deliver();
        if (what === 'ack') {
          const ack = to.buffer.takeAck();
          if (ack !== undefined) back.push(ack.bytes);
        }
        if (what === 'cut') cut();
      }
      deliver();
      assert.deepEqual(
        to.acted,
        Array.from({ length: sent }, (_, index) => index + 1),
      );
    }),
  );
});

it('buffers unacknowledged messages and counts their bytes', () => {
  const side = new Side();
  const { buffer } = side;
  const payloads = [1, 2, 3].map((number) => encoding.encode(call(number)));
  for (const payload of payloads) buffer.add(payload);
  const size = payloads[0]?.bytes.length ?? 0;
  assert.equal(buffer.bufferedBytes, 3 * size);
  buffer.acknowledge(2);
  assert.equal(buffer.bufferedBytes, size);
  buffer.acknowledge(1);
  assert.equal(buffer.bufferedBytes, size);
  buffer.acknowledge(99);
  assert.equal(buffer.bufferedBytes, 0);
  assert.equal(side.replay().toString(), '{"type":9,"sequenceId":4}\x1e');
  side.send(4, 5);
  assert.equal(buffer.acknowledge(4), false, 'joined messages are dropped together');
  assert.match(side.replay().toString(), /^\{"type":9,"sequenceId":4\}.*\[4\].*\[5\]/);
  assert.equal(buffer.acknowledge(5), true);
  side.send(6);
  buffer.clear();
  assert.deepEqual([buffer.bufferedBytes, side.backlog.bytes], [0, 0]);
});

it('acknowledges received messages once, and again after a cut', () => {
  const { buffer } = new Side();
  assert.equal(buffer.takeAck(), undefined);
  for (const message of [call(1), { type: 6 } as const, call(2)]) assert.equal(buffer.isNew(message), true);
  assert.equal(buffer.takeAck()?.bytes.toString(), '{"type":8,"sequenceId":2}\x1e');
  assert.equal(buffer.takeAck(), undefined);
  buffer.replay();
  assert.equal(buffer.takeAck()?.bytes.toString(), '{"type":8,"sequenceId":2}\x1e');
});

it('rejects a sequence message that skips numbers', () => {
  const { buffer } = new Side();
  buffer.isNew(call(1));
  buffer.expectFrom(2);
  assert.throws(() => buffer.expectFrom(3), InvalidMessage);
});
