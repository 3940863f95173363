// A public address: peers are told it in place of the local one, and the port that reaches us.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { InvalidValue, UserAgent } from '../src/index.ts';
import { parseMessage } from '../src/message/parser.ts';
import { printMessage } from '../src/message/printer.ts';
import { responseTo } from '../src/message/response.ts';
import { withSource } from '../src/message/via.ts';
import { CallLog } from './harness/call-log.ts';
import { offer } from './harness/descriptions.ts';
import { MemoryNetwork, peerInvite } from './harness/memory-network.ts';
import { freePort } from './harness/ports.ts';

const trunk = { host: '192.0.2.9' };
const credentials = { username: 'desk', password: 's3cret' };
const publicAddress = '203.0.113.5';

/** The address translation shows another port than the local one. */
async function answerSeen(network: MemoryNetwork, seen: { address: string; port: number }): Promise<void> {
  const request = network.last('REGISTER');
  const [via] = request.vias;
  assert.ok(via !== undefined);
  await network.deliver(responseTo({ ...request, vias: [withSource(via, seen)] }, 200, { toTag: 'peer' }));
}

test('Via and Contact of requests and answers have the public address', async () => {
  const network = new MemoryNetwork();
  const agent = await network.agent({ publicAddress, onInvite: (call) => void call.ring() });
  const log = new CallLog(agent.invite({ to: '1', from: 'desk', trunk, offer }));
  await network.timers.advance(0);
  const { vias, headers } = network.last('INVITE');
  assert.deepEqual([vias[0]?.host, vias[0]?.port, headers.get('Contact')], [publicAddress, 5060, contact(5060)]);
  await network.deliver(peerInvite());
  assert.equal(network.responses(180)[0]?.headers.get('Contact'), `<sip:2000@${publicAddress}:5060>`);
  await network.closeAgent(agent);
  await log.ended();
});

const contact = (port: number, host = publicAddress) => `<sip:desk@${host}:${port}>`;

test('a port that nobody forwards is registered as the server sees it, behind the public address', async () => {
  const network = new MemoryNetwork();
  const agent = await network.agent({ publicAddress: 'nat.example.com' });
  agent.register({ trunk, credentials });
  await network.timers.advance(0);
  assert.equal(network.last('REGISTER').headers.get('Contact'), contact(5060, 'nat.example.com'));
  await answerSeen(network, { address: publicAddress, port: 61_234 });
  await network.timers.advance(0);
  assert.equal(network.last('REGISTER').headers.get('Contact'), contact(61_234, 'nat.example.com'));
  await network.closeAgent(agent);
});

/** A registrar that sees the agent at another port than it sends from; resolves with the Contact of each request. */
async function startRegistrar(t: TestContext) {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => t.after(() => void socket.close()));
  const contacts: (string | undefined)[] = [];
  socket.on('message', (bytes, from) => {
    const request = parseMessage(bytes);
    assert.equal(request.kind, 'request');
    if (request.kind !== 'request' || request.vias[0] === undefined) return;
    contacts.push(request.headers.get('Contact'));
    const vias = [withSource(request.vias[0], { address: publicAddress, port: 61_234 })];
    socket.send(printMessage(responseTo({ ...request, vias }, 200, { toTag: 'peer' })), from.port, from.address);
  });
  return { port: socket.address().port, contacts };
}

test('a port that listens is forwarded: it stays in the Contact, whatever the server sees', async (t) => {
  const registrar = await startRegistrar(t);
  const port = await freePort();
  const agent = await UserAgent.start({ publicAddress, listen: [{ protocol: 'udp', address: '0.0.0.0', port }] });
  t.after(() => agent.close());
  const account = { trunk: { host: '127.0.0.1', port: registrar.port }, credentials };
  const registration = agent.register(account);
  await once(registration, 'registered');
  await registration.close();
  assert.deepEqual(registrar.contacts, [contact(port), contact(port)]);
});

test('sound is announced at the public address and bound to the local one; other families are left alone', async (t) => {
  const addresses = async (host: string, known: string) => {
    const agent = await UserAgent.start({ publicAddress: known });
    t.after(() => agent.close());
    const { address, bindAddress } = await agent.mediaAddressesFor({ host });
    return [address, bindAddress];
  };
  assert.deepEqual(await addresses('127.0.0.1', publicAddress), [publicAddress, '127.0.0.1']);
  assert.deepEqual(await addresses('::1', publicAddress), ['::1', '::1']);
  assert.deepEqual(await addresses('::1', '2001:db8::5'), ['2001:db8::5', '::1']);
  assert.deepEqual(await addresses('127.0.0.1', 'localhost'), ['127.0.0.1', '127.0.0.1']);
  await assert.rejects(addresses('127.0.0.1', 'nat.invalid'), { hostname: 'nat.invalid' });
});

test('a peer of another family is told the local address', async () => {
  const network = new MemoryNetwork();
  const agent = await network.agent({ publicAddress: '2001:db8::5' });
  const asked = agent.ask(trunk);
  await network.timers.advance(0);
  assert.equal(network.last('OPTIONS').vias[0]?.host, '192.0.2.1');
  await network.answer('OPTIONS', 200);
  await asked;
  await network.closeAgent(agent);
});

test('what is no host is refused before anything is sent', async () => {
  for (const wrong of ['a b', '[::1]', 'nat.example.com:5060', '', 'x\r\ny'])
    await assert.rejects(UserAgent.start({ publicAddress: wrong }), InvalidValue, JSON.stringify(wrong));
});
