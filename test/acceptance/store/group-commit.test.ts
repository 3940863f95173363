// Group commit, measured by counting sync system calls: with many clients, one sync serves several writes.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../../harness/server/server-process.ts';
import { withoutProgram } from '../../harness/server/tools.ts';
import { migratedStore, startOn } from '../../harness/site/app.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';

const connections = 64;
const rounds = 20;
const skip = (storesUnderTest().includes('sqlite') ? false : 'needs SQLite') || withoutProgram('strace');

function post(url: string, agent: Agent, token: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end(body);
  });
}

function syncsIn(trace: string): number {
  return readFileSync(trace, 'utf8').match(/\b(fsync|fdatasync)\(\d+\)\s+= 0/g)?.length ?? 0;
}

/** Sends a write on each connection while the server stands still, so that however slow the machine is they wait together. */
async function writeTogether(server: { readonly pid: number }, write: (n: number) => Promise<number>): Promise<void> {
  process.kill(-server.pid, 'SIGSTOP');
  const answers = Array.from({ length: connections }, (_, n) => write(n));
  // What was sent is in the buffers of the kernel when the sockets have taken it.
  await new Promise((resolve) => setImmediate(resolve));
  process.kill(-server.pid, 'SIGCONT');
  for (const status of await Promise.all(answers)) assert.equal(status, 200);
}

test(`${connections} connections need at most one sync per four writes`, { skip }, async (t) => {
  const environment = await migratedStore(t, 'sqlite');
  const first = await startOn(t, environment);
  const token = await first.signIn();
  await first.stop();
  const trace = join(environment.TOCSIN_DATA_DIR ?? '', 'trace');
  const under = ['strace', '-f', '-qq', '-e', 'trace=fsync,fdatasync', '-e', 'signal=none', '-o', trace];
  const server = await startServer(environment, { under });
  const before = syncsIn(trace);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  for (let round = 0; round < rounds; round++)
    await writeTogether(server, (n) =>
      post(`${server.url}/api/v1/taggroups`, agent, token, JSON.stringify({ name: `g${round} ${n}` })),
    );
  const syncs = syncsIn(trace) - before;
  agent.destroy();
  await server.end('SIGTERM');
  const writes = connections * rounds;
  t.diagnostic(`${writes} writes, ${syncs} syncs`);
  assert.ok(syncs > 0, 'a write that was answered was synced');
  assert.ok(syncs * 4 <= writes, `${syncs} syncs for ${writes} writes`);
});
