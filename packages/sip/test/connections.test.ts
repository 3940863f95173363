// Connections: when requests use them, and what their loss means.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { UserAgent } from '../src/index.ts';
import { CallLog } from './harness/call-log.ts';
import { offer } from './harness/descriptions.ts';

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
