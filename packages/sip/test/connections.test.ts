// Connections: when requests use them, and what their loss means.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { UserAgent } from '../src/index.ts';
import { CallLog } from './harness/call-log.ts';
import { offer } from './harness/descriptions.ts';
import { until } from './harness/until.ts';

let agent: UserAgent;

before(async () => {
  agent = await UserAgent.start();
});
after(() => agent.close());

describe('a connection that is closed', () => {
  it('fails the request that nobody has answered yet, at once', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.destroy())).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const log = new CallLog(agent.invite({ to: '1', trunk: { host: '127.0.0.1', port, protocol: 'tcp' }, offer }));
    const { by, reason } = await log.ended();
    server.close();
    assert.deepEqual({ by, reason }, { by: 'transport', reason: 'the connection was closed' });
  });
});

/** A server on a connection that answers each INVITE with this status line, and notes the first lines that it got. */
async function startPeer(status: string) {
  const lines: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const text = String(bytes);
      lines.push(text.split('\r\n', 1)[0] ?? '');
      const headers = text.split('\r\n').filter((line) => /^(?:Via|From|To|Call-ID|CSeq):/.test(line));
      const answer = text.startsWith('INVITE') ? status : '200 OK';
      socket.write(`SIP/2.0 ${answer}\r\n${headers.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port, lines, sockets, close };
}

describe('a connection that is reset while it rings', () => {
  it('ends the call at once by the transport, and the telephone is told over another one', async () => {
    const peer = await startPeer('180 Ringing');
    const call = agent.invite({ to: '1', trunk: { host: '127.0.0.1', port: peer.port, protocol: 'tcp' }, offer });
    const log = new CallLog(call);
    await log.first('ringing');
    peer.sockets[0]?.resetAndDestroy();
    const { by, reason, progress } = await log.ended();
    assert.deepEqual([by, reason, progress], ['transport', 'the connection was closed', 'ringing']);
    await until(
      () => peer.lines,
      (lines) => lines.some((line) => line.startsWith('CANCEL ')),
    );
    assert.equal(peer.sockets.length, 2);
    peer.close();
  });
});

describe('a large request', () => {
  it('goes by TCP when the trunk allows it', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const arrival = once(server, 'connection').then(async ([socket]) => {
      const [bytes] = await once(socket, 'data');
      socket.end();
      return String(bytes);
    });
    const trunk = { host: '127.0.0.1', port, switchToTcp: true };
    const call = agent.invite({ to: '1', trunk, offer: `${offer}a=x:${'y'.repeat(1_300)}\r\n` });
    const log = new CallLog(call);
    assert.match(await arrival, /^INVITE sip:1@127\.0\.0\.1 SIP\/2\.0\r\nVia: SIP\/2\.0\/TCP /);
    server.close();
    assert.equal((await log.ended()).by, 'transport');
  });
});
