// Tests the exact bytes of classic messages, as existing clients parse them.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HubPushEncoding, initialized, keepAlive, message } from './messages.ts';

const encoding = new HubPushEncoding('alarmHub');
const textOf = ({ bytes }: { bytes: Buffer }) => bytes.toString();

it('a call has the hub name as defined, the function, and its arguments', () => {
  assert.equal(encoding.encodeCall('onAlarm', [{ id: 1 }]).text, '{"H":"alarmHub","M":"onAlarm","A":[{"id":1}]}');
});

it('a message begins with its cursor and always has a list of calls', () => {
  const pushes = [encoding.encodeCall('a', [1]), encoding.encodeCall('b', [])];
  for (const [content, text] of [
    [{}, '{"C":"7.e.s","M":[]}'],
    [{ isFirst: true }, '{"C":"7.e.s","S":1,"M":[]}'],
    [{ isLast: true }, '{"C":"7.e.s","T":1,"M":[]}'],
    [{ isLast: true, delay: 1000 }, '{"C":"7.e.s","T":1,"L":1000,"M":[]}'],
    [{ error: 'no "more"' }, '{"C":"7.e.s","M":[],"E":"no \\"more\\""}'],
    [{ pushes }, '{"C":"7.e.s","M":[{"H":"alarmHub","M":"a","A":[1]},{"H":"alarmHub","M":"b","A":[]}]}'],
  ] as const) {
    assert.equal(textOf(message('7.e.s', content)), text);
  }
});

it('a message can carry the client state', () => {
  assert.equal(String(message('1', { clientState: '1.x' }).bytes), '{"C":"1","G":"1.x","M":[]}');
});

it('a message is framed for WebSockets and events; line feeds stay escaped', () => {
  assert.deepEqual(keepAlive().frame, Buffer.from([0x81, 2, 0x7b, 0x7d]));
  assert.equal(keepAlive().event.toString(), 'data: {}\n\n');
  assert.equal(initialized().event.toString(), 'data: initialized\n\n');
  const push = encoding.encodeCall('a', ['one\ntwo\r\u2028']);
  assert.equal(
    push.messageAt('1').event.toString(),
    'data: {"C":"1","M":[{"H":"alarmHub","M":"a","A":["one\\ntwo\\r\u2028"]}]}\n\n',
  );
});

it('a broadcast is serialized once for all connections at the same cursor', () => {
  const push = encoding.encodeCall('a', []);
  const [first, second] = [push.messageAt('1'), push.messageAt('1')];
  assert.equal(first, second);
  assert.equal(first.frame, second.frame);
  assert.equal(textOf(push.messageAt('2')), '{"C":"2","M":[{"H":"alarmHub","M":"a","A":[]}]}');
});
