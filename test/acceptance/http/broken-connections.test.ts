// Connections that break at a bad moment end nothing but themselves.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startServer } from '../../harness/server/server-process.ts';
import { migratedStore } from '../../harness/site/app.ts';

const upgrade =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';

/** Sends bytes and resets the connection at once. */
async function sendAndReset(port: number, bytes: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  socket.resetAndDestroy();
  await once(socket, 'close');
}

test('a refused upgrade whose connection is reset does not end the server', async (t) => {
  const server = await startServer(await migratedStore(t, 'sqlite'));
  t.after(() => server.end('SIGTERM'));
  const port = Number(new URL(server.url).port);
  const hosts = { two: 'Host: a\r\nHost: b\r\n', none: '', one: 'Host: a\r\n' };
  for (const [name, host] of Object.entries(hosts)) {
    const request = `GET /alarmHub HTTP/1.1\r\n${host}${upgrade}\r\n`;
    for (let n = 0; n < 50; n++) await sendAndReset(port, request);
    assert.equal((await fetch(`${server.url}/health/live`)).status, 200, `after upgrades with ${name} Host header`);
  }
});
