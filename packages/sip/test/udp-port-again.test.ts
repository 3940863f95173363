// A UDP port that cannot be bound is asked for again with the next request: the trunk is not dead for ever.

import assert from 'node:assert/strict';
import { createSocket, Socket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import { UserAgent } from '../src/index.ts';
import { HeaderFields } from '../src/message/header-fields.ts';
import { parseMessage } from '../src/message/parser.ts';
import { printMessage } from '../src/message/printer.ts';
import { responseTo } from '../src/message/response.ts';

test('a trunk is reached again after its UDP port could not be bound once', async (t) => {
  const peer = createSocket('udp4').bind(0, '127.0.0.1');
  await once(peer, 'listening');
  t.after(() => void peer.close());
  peer.on('message', (bytes, from) => {
    const request = parseMessage(bytes);
    assert.equal(request.kind, 'request');
    if (request.kind !== 'request') return;
    const answer = responseTo(request, 200, { toTag: 'peer', headers: new HeaderFields() });
    peer.send(printMessage(answer), from.port, from.address);
  });
  const agent = await UserAgent.start();
  t.after(() => agent.close());
  const tooMany = Object.assign(new Error('bind EMFILE'), { code: 'EMFILE' });
  const bind = t.mock.method(Socket.prototype, 'bind', function failing(this: Socket) {
    queueMicrotask(() => this.emit('error', tooMany));
    return this;
  });
  const trunk = { host: '127.0.0.1', port: peer.address().port };
  const [first, atTheSameTime] = await Promise.all([agent.ask(trunk), agent.ask(trunk)]);
  assert.deepEqual([first.isAlive, first.reason, atTheSameTime.isAlive], [false, 'bind EMFILE', false]);
  bind.mock.restore();
  assert.deepEqual(await agent.ask(trunk), { isAlive: true, status: 200, reason: 'OK' });
});
