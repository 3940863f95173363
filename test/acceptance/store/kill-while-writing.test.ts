// Kills the server with SIGKILL at random moments during writes: every acknowledged write is stored, and nothing that
// was not requested.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { adminPassword, freshStore, startOn } from '../../harness/app.ts';
import { startServer } from '../../harness/server-process.ts';
import { soak } from '../../harness/soak.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';

const kills = { sqlite: soak(50), postgres: soak(20) };
const clients = 8;

/** Every requested write and its response, recorded outside the process under test. */
type Ledger = { readonly asked: Set<string>; readonly answered: Map<string, number> };

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'admin', password: adminPassword });
  const answer = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Writes in sequence until the server is gone; the ids one client gets must increase. */
async function writeUntilGone(
  url: string,
  token: string,
  label: string,
  unit: Ledger,
  onAnswer: () => void,
): Promise<void> {
  let last = 0;
  for (let n = 0; ; n++) {
    const name = `${label}-${n}`;
    unit.asked.add(name);
    const id = await post(url, token, name);
    if (id === undefined) return;
    assert.ok(id > last, `${name}: ${id} after ${last}`);
    last = id;
    unit.answered.set(name, id);
    onAnswer();
  }
}

async function post(url: string, token: string, name: string): Promise<number | undefined> {
  try {
    const answer = await fetch(`${url}/api/v1/taggroups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    return answer.ok ? Number(await answer.text()) : undefined;
  } catch {
    return undefined;
  }
}

testOnStores('SIGKILL during writes loses no acknowledged write', async (t, kind) => {
  const environment: Record<string, string> = { ...(await freshStore(t, kind)), TOCSIN_LOG_LEVEL: 'silent' };
  const unit: Ledger = { asked: new Set(), answered: new Map() };
  let token: string | undefined;
  for (let round = 0; round < kills[kind]; round++) {
    const server = await startServer(environment);
    token ??= await signIn(server.url);
    let left = randomInt(1, 150);
    const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
    const onAnswer = (): void => void (--left === 0 && isEnough());
    const writers = Array.from({ length: clients }, (_, client) =>
      writeUntilGone(server.url, token ?? '', `${round}-${client}`, unit, onAnswer),
    );
    await enough;
    await server.end('SIGKILL');
    await Promise.all(writers);
    if (kind === 'sqlite') assert.equal(quickCheck(environment.TOCSIN_DATA_DIR ?? ''), 'ok');
  }
  const app = await startOn(t, environment);
  const stored = new Map<string, number>();
  const ids = new Set<number>();
  for (let offset = 0, total = 1; offset < total; offset += 1000) {
    const { body } = await app.request('GET', `/api/v1/taggroups?offset=${offset}`, { token: await app.signIn() });
    const page = body as { items: { id: number; name: string }[]; paging: { total: number } };
    total = page.paging.total;
    for (const { id, name } of page.items) {
      stored.set(name, id);
      ids.add(id);
    }
  }
  for (const [name, id] of unit.answered) assert.equal(stored.get(name), id, `${name} was answered and is lost`);
  for (const name of stored.keys()) assert.ok(unit.asked.has(name), `${name} was never asked for`);
  assert.equal(ids.size, stored.size);
  t.diagnostic(`${kills[kind]} kills, ${unit.answered.size} writes answered, ${stored.size} stored, 0 lost`);
});

function quickCheck(folder: string): unknown {
  const db = new DatabaseSync(join(folder, 'tocsin.db'));
  try {
    return db.prepare('PRAGMA quick_check').get()?.quick_check;
  } finally {
    db.close();
  }
}
