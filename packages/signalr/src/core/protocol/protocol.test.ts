// Tests reading messages from a stream: chunk boundaries make no difference.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { HandshakeReader } from './handshake.ts';
import { jsonProtocol } from './json-protocol.ts';
import { messagePackProtocol } from './messagepack-protocol.ts';
import type { HubMessage } from './messages.ts';
import { MessageReader } from './protocol.ts';

const id = fc.string({ minLength: 1, maxLength: 5 });
const value = fc
  .jsonValue({ maxDepth: 2 })
  .map((json) => JSON.stringify(json))
  .filter((text) => !text.includes('__proto__'))
  .map((text) => JSON.parse(text) as unknown);
const anyMessage: fc.Arbitrary<HubMessage> = fc.oneof(
  fc.record({ type: fc.constant(1 as const), target: fc.string(), args: fc.array(value, { maxLength: 3 }) }),
  fc.record({ type: fc.constant(4 as const), invocationId: id, target: fc.string(), args: fc.array(value) }),
  fc.record({ type: fc.constant(2 as const), invocationId: id, item: value }),
  fc.record({ type: fc.constant(3 as const), invocationId: id, result: value }),
  fc.record({ type: fc.constant(3 as const), invocationId: id, error: fc.string() }),
  fc.record({ type: fc.constant(5 as const), invocationId: id }),
  fc.constant({ type: 6 as const }),
  fc.record({ type: fc.constant(7 as const), error: fc.string(), allowReconnect: fc.boolean() }),
  fc.record({ type: fc.constant(9 as const), sequenceId: fc.nat() }),
);

const message = anyMessage.map((fields) => ({ ...fields }));

function* pieces(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let at = 0;
  for (let index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    // A copy, as each chunk from a socket is a buffer of its own.
    yield Buffer.from(bytes.subarray(at, at + size));
    at += size;
  }
}

for (const protocol of [jsonProtocol, messagePackProtocol]) {
  it(`reads ${protocol.name} the same whatever the chunk boundaries`, () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 6 }), sizes, (messages, cuts) => {
        const reader = new MessageReader(protocol, 32_768);
        const bytes = Buffer.concat(messages.map((one) => protocol.encode(one)));
        const read = [...pieces(bytes, cuts)].flatMap((piece) => [...reader.read(piece)]);
        assert.deepEqual(read, messages);
      }),
    );
  });

  it(`accepts a chunk of many small ${protocol.name} messages, but no message over the limit`, () => {
    const reader = new MessageReader(protocol, 50);
    const ping = protocol.encode({ type: 6 });
    assert.equal([...reader.read(Buffer.concat(Array.from({ length: 100 }, () => ping)))].length, 100);
    const long = protocol.encode({ type: 2, invocationId: '1', item: 'x'.repeat(60) });
    assert.throws(() => [...reader.read(long.subarray(0, 55))]);
  });

  it(`reset drops an incomplete ${protocol.name} message`, () => {
    const reader = new MessageReader(protocol, 50);
    const ping = protocol.encode({ type: 6 });
    assert.deepEqual([...reader.read(ping.subarray(0, -1))], []);
    reader.reset();
    assert.deepEqual([...reader.read(ping)], [{ type: 6 }]);
  });
}

it('reads a handshake the same whatever the chunk boundaries, and returns the bytes after it', () => {
  const first = Buffer.from('{"protocol":"json","version":1}\x1e');
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), fc.uint8Array(), (cuts, after) => {
      const reader = new HandshakeReader(32_768);
      const rest: Buffer[] = [];
      let request: unknown;
      for (const piece of pieces(Buffer.concat([first, after]), cuts)) {
        if (request !== undefined) {
          rest.push(piece);
          continue;
        }
        const found = reader.read(piece);
        request = found?.request;
        if (found !== undefined) rest.push(found.rest);
      }
      assert.deepEqual(request, { protocol: 'json', version: 1 });
      assert.deepEqual(Buffer.concat(rest), Buffer.from(after));
    }),
  );
});
