// Tests the JSON protocol: golden texts of every message, and messages that are rejected.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { jsonProtocol } from './json-protocol.ts';
import { type HubMessage, InvalidMessage } from './messages.ts';

const golden: readonly (readonly [HubMessage, string])[] = [
  [{ type: 1, target: 'onAlarm', args: [{ id: 1 }] }, '{"type":1,"target":"onAlarm","arguments":[{"id":1}]}'],
  [
    { type: 1, invocationId: '1', target: 'sum', args: [1, 'ä'], streamIds: ['2', '3'] },
    '{"type":1,"invocationId":"1","target":"sum","arguments":[1,"ä"],"streamIds":["2","3"]}',
  ],
  [{ type: 2, invocationId: '1', item: 42 }, '{"type":2,"invocationId":"1","item":42}'],
  [{ type: 3, invocationId: '1' }, '{"type":3,"invocationId":"1"}'],
  [{ type: 3, invocationId: '1', result: null }, '{"type":3,"invocationId":"1","result":null}'],
  [{ type: 3, invocationId: '1', result: { a: 1 } }, '{"type":3,"invocationId":"1","result":{"a":1}}'],
  [{ type: 3, invocationId: '1', error: 'no' }, '{"type":3,"invocationId":"1","error":"no"}'],
  [
    { type: 4, invocationId: '1', target: 'count', args: [] },
    '{"type":4,"invocationId":"1","target":"count","arguments":[]}',
  ],
  [{ type: 5, invocationId: '1' }, '{"type":5,"invocationId":"1"}'],
  [{ type: 6 }, '{"type":6}'],
  [{ type: 7 }, '{"type":7}'],
  [{ type: 7, error: 'no', allowReconnect: true }, '{"type":7,"error":"no","allowReconnect":true}'],
  [{ type: 8, sequenceId: 7 }, '{"type":8,"sequenceId":7}'],
  [{ type: 9, sequenceId: 7 }, '{"type":9,"sequenceId":7}'],
];

for (const [message, text] of golden) {
  it(`writes and reads ${text}`, () => {
    assert.equal(jsonProtocol.encode(message).toString(), `${text}\x1e`);
    assert.deepEqual(jsonProtocol.decode(Buffer.from(text)), message);
  });
}

it('reads fields in any order, and ignores headers and unknown fields', () => {
  const text = '{"arguments":[],"new":1,"headers":{"a":"b"},"target":"x","streamIds":[],"invocationId":null,"type":1}';
  assert.deepEqual(jsonProtocol.decode(Buffer.from(text)), { type: 1, target: 'x', args: [] });
  assert.equal(jsonProtocol.decode(Buffer.from('{"type":10}')), undefined);
});

for (const text of [
  '',
  'null',
  '[]',
  '{}',
  '{"type":"1"}',
  '{"type":1,"arguments":[]}',
  '{"type":1,"target":"x"}',
  '{"type":1,"target":"x","arguments":[],"invocationId":1}',
  '{"type":1,"target":"x","arguments":[],"streamIds":[1]}',
  '{"type":2,"item":1}',
  '{"type":3,"invocationId":"1","result":1,"error":"no"}',
  '{"type":3,"invocationId":"1","error":1}',
  '{"type":4,"target":"x","arguments":[]}',
  '{"type":5}',
  '{"type":8}',
  '{"type":9,"sequenceId":-1}',
  '{"type":9,"sequenceId":1.5}',
]) {
  it(`rejects ${text || 'an empty message'}`, () => {
    assert.throws(() => jsonProtocol.decode(Buffer.from(text)), InvalidMessage);
  });
}

it('rejects a message as soon as it is too large', () => {
  assert.deepEqual(jsonProtocol.findFirst(Buffer.from('12345\x1e6'), 5), { body: Buffer.from('12345'), length: 6 });
  assert.equal(jsonProtocol.findFirst(Buffer.from('12345'), 5), undefined);
  assert.throws(() => jsonProtocol.findFirst(Buffer.from('123456'), 5), InvalidMessage);
  assert.throws(() => jsonProtocol.findFirst(Buffer.from('123456\x1e'), 5), InvalidMessage);
});
