// The errors that Node really throws, in words for administrators.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { makeCertificate } from '../../test/harness/server/certificate.ts';
import { providerReasonIn } from '../domain/channels/words/catalogue.ts';
import { isOfNetwork, networkProblem } from './network-problem.ts';

const at = (host: string, port: number) => ({ host, port, advice: 'smtp' }) as const;

function saidOf(...asked: Parameters<typeof networkProblem>): string | undefined {
  const problem = networkProblem(...asked);
  return problem && providerReasonIn('en', problem);
}

async function listening(t: TestContext, server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function errorOf(socket: ReturnType<typeof connect>): Promise<unknown> {
  const [error] = await once(socket, 'error');
  return error;
}

test('a name that does not exist is said to be unknown', async () => {
  const error = await lookup('pbx.invalid').catch((reason: unknown) => reason);
  assert.ok(isOfNetwork(error));
  assert.match(String(saidOf(error, at('pbx.invalid', 5060))), /^the name pbx\.invalid (is not known|cannot be)/);
});

test('a name that is not that of the server is said to be unknown itself', () => {
  const error = { code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND nat.invalid', hostname: 'nat.invalid' };
  assert.equal(saidOf(error, at('pbx', 5060)), 'the name nat.invalid is not known');
});

test('a port where nothing listens is named', async (t) => {
  const server = createServer();
  const port = await listening(t, server);
  server.close();
  const error = await errorOf(connect(port, '127.0.0.1'));
  assert.ok(isOfNetwork(error));
  assert.equal(saidOf(error, at('127.0.0.1', port)), `nothing listens on 127.0.0.1:${port}`);
});

test('an address that this machine lacks is named', async () => {
  const socket = createSocket('udp4');
  socket.bind(5060, '192.0.2.7');
  const [error] = await once(socket, 'error');
  socket.close();
  assert.ok(isOfNetwork(error));
  const from = '192.0.2.7';
  assert.equal(saidOf(error, { ...at('pbx', 5060), from }), 'this machine has no address 192.0.2.7');
  assert.equal(networkProblem(error, at('pbx', 5060)), undefined, 'one that nobody has set');
});

test('a server without TLS is told apart from one whose certificate nobody vouches for', async (t) => {
  const plain = await listening(
    t,
    createServer((socket) => void socket.on('error', () => {}).end('220 mail.plant.example ESMTP\r\n')),
  );
  const spoken = await errorOf(connectTls({ port: plain, host: '127.0.0.1' }));
  assert.equal(
    saidOf(spoken, at('127.0.0.1', plain)),
    `127.0.0.1:${plain} does not speak TLS: try the security starttls`,
  );
  const secure = createTlsServer(makeCertificate(t, 'ec'));
  secure.on('tlsClientError', () => {});
  const port = await listening(t, secure);
  const refused = await errorOf(connectTls({ port, host: 'localhost' }));
  assert.equal(
    saidOf(refused, at('localhost', port)),
    `the certificate of localhost:${port} is not trusted: name the file of its authority in NODE_EXTRA_CA_CERTS and restart`,
  );
});

test('an error that is none of the network is left to others', () => {
  assert.equal(networkProblem(new Error('espeak-ng is not installed'), at('pbx', 5060)), undefined);
  assert.equal(isOfNetwork(new Error('connect ECONNREFUSED is only text here')), false);
});
