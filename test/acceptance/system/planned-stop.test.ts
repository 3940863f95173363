// A planned stop of a process whose parts stop slowly ends in time, as a success, with a sealed audit trail.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { startServer } from '../../harness/server/server-process.ts';
import { adminPassword, migratedStore } from '../../harness/site/app.ts';
import { until } from '../../harness/until.ts';

/** Takes connections and says nothing. */
async function silentServer(t: TestContext) {
  let asked = 0;
  const server = createServer((socket) => {
    asked++;
    t.after(() => socket.destroy());
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, asked: () => asked };
}

/** Opens a connection that says this, and then nothing more, however it is answered. */
async function says(t: TestContext, port: number, text: string): Promise<{ readonly isAnswered: Promise<unknown> }> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  t.after(() => socket.destroy());
  const isAnswered = new Promise((resolve) => socket.once('data', resolve));
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
  return { isAnswered };
}

test('a stop beside a half request, a client that does not close and a calendar that does not answer exits with 0 and a seal', async (t) => {
  const store = await migratedStore(t, 'sqlite');
  const calendar = await silentServer(t);
  const server = await startServer({ ...store, TOCSIN_PRIVATE_ADDRESSES: 'true' });
  t.after(() => server.end('SIGKILL'));
  const post = async (path: string, fields: object, token = ''): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const request = { method: 'POST', headers, body: JSON.stringify(fields) };
    const response = await fetch(`${server.url}/api/v1${path}`, request);
    assert.equal(response.status, 200);
    return response.json();
  };
  const credentials = { grant_type: 'password', username: 'admin', password: adminPassword };
  const { access_token } = (await post('/auth/login', credentials)) as { access_token: string };
  const holidays = { icalUrl: `http://127.0.0.1:${calendar.port}/holidays.ics` };
  await post('/schedules', { name: 'Weekdays', holidays }, access_token);
  // Calendars are looked at once a minute.
  await until(calendar.asked, (count) => count > 0);

  const port = Number(new URL(server.url).port);
  const from = `Host: a\r\nAuthorization: Bearer ${access_token}\r\n`;
  await says(t, port, `POST /api/v1/alarms HTTP/1.1\r\n${from}Content-Length: 100\r\n\r\n{"alarm`);
  const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n';
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
  await (await says(t, port, `GET /alarmHub HTTP/1.1\r\n${from}${upgrade}${key}\r\n`)).isAnswered;
  const { code, output } = await server.end('SIGTERM');
  assert.equal(code, 0, output);

  const db = new DatabaseSync(join(store.TOCSIN_DATA_DIR ?? '', 'tocsin.db'), { readOnly: true });
  const count = (rows: string): unknown => db.prepare(`SELECT count(*) AS n FROM audit_entries WHERE ${rows}`).get()?.n;
  const [sealed, unsealed] = [count('seal_id IS NOT NULL'), count('seal_id IS NULL')];
  db.close();
  assert.ok(Number(sealed) > 0);
  assert.equal(unsealed, 0);
});
