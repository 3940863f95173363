// Tests payloads as WebSocket frames and as server-sent events.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Payload } from './payload.ts';

for (const [length, header] of [
  [0, '8100'],
  [125, '817d'],
  [126, '817e007e'],
  [65_535, '817effff'],
  [65_536, '817f0000000000010000'],
] as const) {
  it(`makes a frame of ${length} bytes`, () => {
    const bytes = Buffer.alloc(length, 'x');
    const text = Buffer.concat([Buffer.from(header, 'hex'), bytes]);
    assert.ok(new Payload(bytes, false).frame.equals(text));
    text[0] = 0x82;
    assert.ok(new Payload(bytes, true).frame.equals(text));
  });
}

it('a payload makes its frame and its event once', () => {
  const payload = new Payload(Buffer.from('x'), false);
  assert.equal(payload.frame, payload.frame);
  assert.equal(payload.event, payload.event);
});

it('an event has one field per line', () => {
  assert.equal(new Payload(Buffer.from('{}\x1e'), false).event.toString(), 'data: {}\x1e\r\n\r\n');
  for (const end of ['\n', '\r', '\r\n']) {
    assert.equal(new Payload(Buffer.from(`a${end}b`), false).event.toString(), 'data: a\r\ndata: b\r\n\r\n');
  }
});

it('payloads can be joined', () => {
  const joined = Payload.join([new Payload(Buffer.from('a'), true), new Payload(Buffer.from('b'), true)]);
  assert.deepEqual([joined.bytes.toString(), joined.isBinary], ['ab', true]);
});
