// A body that is too large is refused with 413, and ordinary clients read that response although they are still sending. One that
// a request does not need is not looked at.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { bearer, type EdgeServer, edgeServer } from '../../harness/server/edge-server.ts';
import { withoutProgram } from '../../harness/server/tools.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const large = Buffer.alloc(9 * 2 ** 20, 'x');
const headers = { ...bearer('writer'), 'content-type': 'application/json' };
const repetitions = 10;

type Send = (server: EdgeServer) => Promise<number>;

const byFetch: Send = async ({ url }) =>
  (await fetch(`${url}/api/v1/stations`, { method: 'POST', headers, body: large })).status;

const byFetchStream: Send = async ({ url }) => {
  const body = new Blob([large]).stream();
  return (await fetch(`${url}/api/v1/stations`, { method: 'POST', headers, body, duplex: 'half' })).status;
};

const byNodeHttp: Send = ({ port }) =>
  new Promise((resolve, reject) => {
    const sent = request({ port, method: 'POST', path: '/api/v1/stations', headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end(large);
  });

/** Reads the response only after the whole body was sent, as simple clients do. */
const byRawSocket: Send = ({ port }) =>
  new Promise((resolve, reject) => {
    const head = `POST /api/v1/stations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer writer\r\nContent-Type: application/json\r\n`;
    const socket = connect(port, '127.0.0.1').pause();
    let answer = '';
    socket.on('error', reject);
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('end', () => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(answer)?.[1])));
    socket.write(`${head}Content-Length: ${large.length}\r\n\r\n`);
    socket.write(large, () => socket.resume());
  });

async function repeat(t: TestContext, send: Send): Promise<void> {
  const server = await edgeServer(t);
  for (let n = 0; n < repetitions; n++) assert.equal(await send(server), 413);
  assert.deepEqual(server.seen, []);
}

test('fetch reads the 413 of a body of 9 MiB each time', (t) => repeat(t, byFetch));
test('fetch reads the 413 of a streamed body of 9 MiB each time', (t) => repeat(t, byFetchStream));
test('node:http reads the 413 of a body of 9 MiB each time', (t) => repeat(t, byNodeHttp));
test('a client that reads only after sending 9 MiB gets the 413 each time', (t) => repeat(t, byRawSocket));

test('curl reads the 413 of a body of 9 MiB each time', { skip: withoutProgram('curl') }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-curl-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'body');
  await writeFile(file, large);
  await repeat(t, async ({ url }) => {
    const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const status = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', 'Expect:'];
    const args = [...status, ...named, '--data-binary', `@${file}`, `${url}/api/v1/stations`];
    return Number((await promisify(execFile)('curl', args)).stdout);
  });
});

testOnAnyStore('a request that takes no body is not refused for the type of the one it has', async (t, kind) => {
  const site = await startSite(t, kind);
  const team = await site.team('Night', [await site.person('ana')]);
  const schedule = await site.schedule(team, '00:00', '24:00');
  const override = { teamId: team, userId: null, from: '2026-11-20T08:00', to: '2026-11-21T08:00', reason: 'swap' };
  const headers = [
    { 'content-type': 'text/plain' },
    { 'content-type': 'nonsense' },
    { 'content-encoding': 'nonsense' },
  ];
  for (const each of headers) {
    const options = { token: site.token, body: 'x', headers: { 'content-type': 'application/json', ...each } };
    const answer = await site.app.request('POST', '/api/v1/simulator/phones/1/answer', options);
    assert.equal(answer.status, 409, 'nothing rings');
    const path = `/api/v1/schedules/${schedule}/overrides/${await site.create(`/schedules/${schedule}/overrides`, override)}`;
    assert.equal((await site.app.request('DELETE', path, options)).status, 200, JSON.stringify(each));
  }
  assert.deepEqual((await site.list(`/schedules/${schedule}/overrides`)).items, []);
});
