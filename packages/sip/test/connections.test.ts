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
async function startPeer(status: string, isAnswered: (line: string) => boolean = () => true) {
  const lines: string[] = [];
  /** The headers of each INVITE that its answers repeat. */
  const invites: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      const text = String(bytes);
      lines.push(text.split('\r\n', 1)[0] ?? '');
      const headers = text
        .split('\r\n')
        .filter((line) => /^(?:Via|From|To|Call-ID|CSeq):/.test(line))
        .join('\r\n');
      if (text.startsWith('INVITE')) invites.push(headers);
      if (!isAnswered(text)) return;
      const answer = text.startsWith('INVITE') ? status : '200 OK';
      socket.write(`SIP/2.0 ${answer}\r\n${headers}\r\nContent-Length: 0\r\n\r\n`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port, lines, invites, sockets, close };
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

describe('a connection that goes silent', () => {
  /** A peer that answers OPTIONS until it goes silent on the connections that it has; new ones it answers. */
  async function falling(answersPings: boolean) {
    const sockets: Socket[] = [];
    const silent = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        const text = String(bytes);
        if (silent.has(socket)) return;
        if (text === '\r\n\r\n') return void (answersPings && socket.write('\r\n'));
        const headers = text.split('\r\n').filter((line) => /^(?:Via|From|To|Call-ID|CSeq):/.test(line));
        socket.write(`SIP/2.0 200 OK\r\n${headers.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const fall = (): void => {
      for (const socket of sockets) silent.add(socket);
    };
    const close = (): void => {
      for (const socket of sockets) socket.destroy();
      server.close();
    };
    return { trunk: { host: '127.0.0.1', port, protocol: 'tcp' } as const, sockets, fall, close };
  }

  it('is left for a new one after a request that nobody answered', async () => {
    const quick = await UserAgent.start({ timing: { t1: 10, t2: 80, t4: 100 } });
    const { trunk, sockets, fall, close } = await falling(false);
    assert.equal((await quick.ask(trunk)).isAlive, true);
    fall();
    assert.equal((await quick.ask(trunk)).isAlive, false);
    assert.equal((await quick.ask(trunk)).isAlive, true, 'over a connection of its own');
    assert.equal(sockets.length, 2);
    close();
    await quick.close();
  });

  it('keeps the call that rings on it, when an OPTIONS is not answered', async () => {
    const quick = await UserAgent.start({ timing: { t1: 10, t2: 80, t4: 100 } });
    const peer = await startPeer('180 Ringing', (line) => !line.startsWith('OPTIONS'));
    const trunk = { host: '127.0.0.1', port: peer.port, protocol: 'tcp' } as const;
    const log = new CallLog(quick.invite({ to: '1', trunk, offer }));
    await log.first('ringing');
    assert.equal((await quick.ask(trunk)).isAlive, false);
    assert.equal((await quick.ask(trunk)).isAlive, false, 'over a connection of its own');
    assert.equal(peer.sockets.length, 2);
    const [headers = ''] = peer.invites;
    peer.sockets[0]?.write(`SIP/2.0 486 Busy Here\r\n${headers}\r\nContent-Length: 0\r\n\r\n`);
    const { by, status } = await log.ended();
    assert.deepEqual([by, status], ['remote', 486]);
    peer.close();
    await quick.close();
  });

  it('has the telephone that rings late cancelled', async () => {
    const quick = await UserAgent.start({ timing: { t1: 10, t2: 80, t4: 100 } });
    const peer = await startPeer('180 Ringing', (line) => !line.startsWith('INVITE'));
    const trunk = { host: '127.0.0.1', port: peer.port, protocol: 'tcp' } as const;
    const log = new CallLog(quick.invite({ to: '1', trunk, offer, responseTimeoutMs: 200 }));
    await log.ended();
    peer.sockets[0]?.write(`SIP/2.0 180 Ringing\r\n${peer.invites[0]}\r\nContent-Length: 0\r\n\r\n`);
    await until(
      () => peer.lines,
      (lines) => lines.some((line) => line.startsWith('CANCEL ')),
    );
    peer.close();
    await quick.close();
  });

  it('is closed when a ping is no longer answered', async () => {
    const quick = await UserAgent.start({ timing: { t1: 20, t2: 160, t4: 200 } });
    const { trunk, sockets, fall, close } = await falling(true);
    assert.equal((await quick.ask(trunk)).isAlive, true);
    let pongs = 0;
    sockets[0]?.on('data', (bytes) => (pongs += bytes.toString() === '\r\n\r\n' ? 1 : 0));
    await until(
      () => pongs,
      (count) => count >= 2,
    );
    fall();
    await until(
      () => sockets[0]?.destroyed,
      (isGone) => isGone === true,
    );
    assert.equal((await quick.ask(trunk)).isAlive, true);
    close();
    await quick.close();
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
