// The local address of a user agent: its sockets call from there, over UDP and over connections.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { InvalidValue, UserAgent, type UserAgentOptions } from '../src/index.ts';

async function startAgent(t: TestContext, options: UserAgentOptions): Promise<UserAgent> {
  const agent = await UserAgent.start(options);
  t.after(() => agent.close());
  return agent;
}

/** The top Via of the first request that comes to a UDP port, and where it came from. */
async function askedByUdp(agent: UserAgent, address: string) {
  const peer = createSocket(address.includes(':') ? 'udp6' : 'udp4').bind(0, address);
  await once(peer, 'listening');
  const asked = agent.ask({ host: address, port: peer.address().port });
  const [bytes, from] = await once(peer, 'message');
  peer.close();
  void asked.catch(() => {});
  return { via: /^Via: (.*?);/m.exec(String(bytes))?.[1], from: `${from.address}:${from.port}` };
}

test('requests leave from the local address over UDP, and name it', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const agent = await startAgent(t, { localAddress: '127.0.0.7' });
  const { via, from } = await askedByUdp(agent, '127.0.0.1');
  assert.match(from, /^127\.0\.0\.7:/);
  assert.equal(via, `SIP/2.0/UDP ${from}`);
  assert.equal(await agent.localAddressFor({ host: '127.0.0.1' }), '127.0.0.7');
});

test('connections leave from the local address', { skip: process.platform !== 'linux' }, async (t) => {
  const agent = await startAgent(t, { localAddress: '127.0.0.7' });
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  // A name that has addresses of both families.
  void agent.ask({ host: 'localhost', port, protocol: 'tcp' });
  const [socket] = (await once(server, 'connection')) as [Socket];
  t.after(() => socket.destroy());
  assert.equal(socket.remoteAddress, '127.0.0.7');
});

test('a peer of the other family is reached as without a local address', async (t) => {
  const agent = await startAgent(t, { localAddress: '127.0.0.7' });
  assert.match((await askedByUdp(agent, '::1')).from, /^::1:/);
});

test('an address that the machine lacks fails each request with that reason, and another text nothing but the start', async (t) => {
  const agent = await startAgent(t, { localAddress: '192.0.2.7' });
  for (const protocol of ['udp', 'tcp'] as const) {
    const { isAlive, reason } = await agent.ask({ host: '127.0.0.1', port: 5060, protocol });
    assert.deepEqual([isAlive, reason], [false, 'bind EADDRNOTAVAIL 192.0.2.7']);
  }
  await assert.rejects(UserAgent.start({ localAddress: 'eth0' }), InvalidValue);
});
