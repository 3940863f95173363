// Strangers who hold connections shut nobody out: alarms and sign-ins go on beside them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { adminPassword, startTestApp, type TestApp } from '../../harness/site/app.ts';

const alive = 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n';
const half =
  'POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"user';

type Held = { readonly app: TestApp; readonly sockets: Socket[] };

/** Starts a server with few connections. What is held is closed before it stops, because it would wait for the rest of requests. */
async function start(t: TestContext, overrides: Readonly<Record<string, string>> = {}): Promise<Held> {
  const sockets: Socket[] = [];
  t.after(() => sockets.forEach((socket) => void socket.destroy()));
  const settings = { TOCSIN_MAX_CONNECTIONS: '60', ...overrides };
  return { app: await startTestApp(t, 'sqlite', { overrides: settings }), sockets };
}

/** Opens connections from an address and holds them; each sends `bytes` and waits for the response, if there is one. */
async function hold(
  { app: { url }, sockets }: Held,
  localAddress: string,
  count: number,
  bytes = alive,
): Promise<void> {
  for (let n = 0; n < count; n++) {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', localAddress }).on('error', () => {});
    sockets.push(socket);
    await once(socket, 'connect');
    await new Promise((sent) => socket.write(bytes, sent));
    if (bytes === alive) await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    socket.resume();
  }
}

type Asked = { readonly token?: string; readonly from?: string; readonly agent?: Agent };

/** Sends a request, on a new connection unless an agent has one, and returns its status and body. */
function ask({ url }: TestApp, path: string, body: object, { token = '', from = '127.0.0.1', agent }: Asked = {}) {
  return new Promise<{ readonly status: number | undefined; readonly body: unknown }>((resolve, reject) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const options = { method: 'POST', localAddress: from, headers, agent: agent ?? new Agent() };
    const sent = request(`${url}/api/v1${path}`, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode, body: JSON.parse(text) }));
    });
    sent.on('error', reject).end(JSON.stringify(body));
  });
}

const credentials = { grant_type: 'password', username: 'admin', password: adminPassword };

const attacks: Readonly<Record<string, (held: Held) => Promise<void>>> = {
  'idle connections from one address': (held) => hold(held, '127.0.0.2', 80),
  'idle connections from the address of everybody else': (held) => hold(held, '127.0.0.1', 80),
  'idle connections from many addresses': async (held) => {
    for (let n = 2; n < 12; n++) await hold(held, `127.0.0.${n}`, 12);
  },
  'connections with half a request': (held) => hold(held, '127.0.0.2', 80, half),
  'connections that have sent nothing': (held) => hold(held, '127.0.0.1', 80, ''),
};

for (const [name, attack] of Object.entries(attacks)) {
  test(`alarms and sign-ins go on beside a stranger: ${name}`, async (t) => {
    const held = await start(t);
    const { app } = held;
    const token = await app.signIn();
    await attack(held);
    for (let n = 0; n < 5; n++) {
      assert.equal((await ask(app, '/alarms', { path: `beside ${n}`, priority: 1 }, { token })).status, 200);
      assert.equal((await ask(app, '/auth/login', credentials)).status, 200);
      // Nobody has signed in from there before.
      assert.equal((await ask(app, '/auth/login', credentials, { from: `127.0.1.${n + 1}` })).status, 200);
    }
  });
}

test('the connection of a source that has sent a token is kept while strangers come', async (t) => {
  const held = await start(t);
  const { app } = held;
  const token = await app.signIn();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const send = () => ask(app, '/alarms', { path: 'pump', priority: 1 }, { token, agent });
  let connected = 0;
  agent.on('free', (socket: Socket) => socket.once('close', () => connected++));
  assert.equal((await send()).status, 200);
  await hold(held, '127.0.0.1', 80);
  await hold(held, '127.0.0.2', 80);
  assert.equal((await send()).status, 200);
  assert.equal(connected, 0, 'the same connection');
});

test('behind a proxy all connections may come from its address; those without a token go first', async (t) => {
  const held = await start(t, { TOCSIN_TRUSTED_PROXIES: '127.0.0.1' });
  const { app } = held;
  const token = await app.signIn();
  await hold(held, '127.0.0.1', 55);
  assert.equal(held.sockets.filter(({ closed }) => closed).length, 0, 'more than the share of another address');
  await hold(held, '127.0.0.1', 30);
  assert.equal((await ask(app, '/alarms', { path: 'pump', priority: 1 }, { token })).status, 200);
});
