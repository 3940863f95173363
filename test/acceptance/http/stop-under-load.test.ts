// A server that stops answers every request it has received and resets no connection.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { chanceOf } from '../../harness/chance.ts';
import { edgeServer } from '../../harness/server/edge-server.ts';
import { startLoad } from '../../harness/server/load-clients.ts';
import { startServer } from '../../harness/server/server-process.ts';
import { adminPassword, migratedStore } from '../../harness/site/app.ts';
import { soak } from '../../harness/soak.ts';
import { until } from '../../harness/until.ts';

const body = '{"name":"North"}';
const request = `POST /api/v1/stations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer writer\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

test('stops under load lose no request and announce the end of each connection', async (t) => {
  const chance = chanceOf(9);
  const stops = soak(100);
  let [answered, announced] = [0, 0];
  for (let n = 0; n < stops; n++) {
    const { close, port } = await edgeServer(t, { stopGraceMs: 2_000 });
    const { tally, done } = startLoad(20, { port, request, chance, pauseMs: 5 });
    const connecting = startLoad(5, { port, request, chance, pauseMs: 0, reconnects: true });
    const sent = chance.int(0, 500);
    await until(
      () => tally.answered,
      (count) => count > sent,
    );
    await close();
    await Promise.all([done, connecting.done]);
    assert.deepEqual([tally.lost, connecting.tally.lost], [[], []], `stop ${n}`);
    answered += tally.answered + connecting.tally.answered;
    announced += tally.announced;
  }
  t.diagnostic(`${stops} stops, ${answered} requests answered, ${announced} with Connection: close`);
  assert.ok(announced >= 20 * stops, 'every connection in use was told');
});

test('a server process that gets SIGTERM while alarms arrive answers all of them and exits with 0', async (t) => {
  const environment = await migratedStore(t, 'sqlite');
  const server = await startServer(environment);
  const { port } = new URL(server.url);
  const credentials = JSON.stringify({ grant_type: 'password', username: 'admin', password: adminPassword });
  const headers = { 'content-type': 'application/json' };
  const login = await fetch(`${server.url}/api/v1/auth/login`, { method: 'POST', headers, body: credentials });
  const { access_token } = (await login.json()) as { access_token: string };
  const alarm = '{"alarmMessage":"stopped"}';
  const bytes = `POST /api/v1/alarms HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${access_token}\r\nContent-Type: application/json\r\nContent-Length: ${alarm.length}\r\n\r\n${alarm}`;
  const { tally, done } = startLoad(20, { port: Number(port), request: bytes, chance: chanceOf(1), pauseMs: 5 });
  await until(
    () => tally.answered,
    (count) => count > 200,
  );
  const { code, output } = await server.end('SIGTERM');
  assert.equal(code, 0, output);
  await done;
  assert.deepEqual(tally.lost, []);
  assert.equal(tally.announced, 20);
  const db = new DatabaseSync(join(environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db'), { readOnly: true });
  const stored = new Set(
    db
      .prepare('SELECT id FROM alarms')
      .all()
      .map(({ id }) => String(id)),
  );
  db.close();
  assert.deepEqual(
    tally.bodies.filter((id) => !stored.has(id)),
    [],
    'every id that was returned is stored',
  );
});
