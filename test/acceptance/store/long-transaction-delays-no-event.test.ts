// PostgreSQL: a transaction that stays open for long does not delay the events of others, and its own event is not
// missed.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setInterval as everyMs } from 'node:timers/promises';
import { Client } from 'pg';
import { schema } from '../../../src/migrations/schema.ts';
import { alarmTopic } from '../../../src/operations/alarms/events.ts';
import { followEvents } from '../../../src/store/event-feed.ts';
import type { StoredEvent } from '../../../src/store/event-log.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { testThreads } from '../../harness/server/built-server.ts';
import { soak } from '../../harness/soak.ts';
import { freshPostgresDatabase, storesUnderTest } from '../../harness/stores/stores.ts';
import { keepNote } from '../../harness/stores/test-operations.ts';
import { until } from '../../harness/until.ts';

const heldMs = soak(60_000);
const mostDelayMs = 2_000;
const skip = storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL';

type Node = { readonly store: Store; readonly seen: StoredEvent[] };

async function startNode(t: TestContext, url: string): Promise<Node> {
  const store = await openPostgresStore({
    url,
    schema,
    startWorker: testThreads,
    now: Date.now,
    schemaChange: 'make-or-upgrade',
    onTrouble: () => {},
  });
  const feed = await followEvents(store, alarmTopic, () => {});
  t.after(async () => {
    await feed.stop();
    await store.close();
  });
  const seen: StoredEvent[] = [];
  feed.subscribe((event) => seen.push(event));
  return { store, seen };
}

async function connect(t: TestContext, url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  t.after(() => client.end());
  return client;
}

function hasSeen(node: Node, key: string): boolean {
  return node.seen.some(({ data }) => data.key === key);
}

function assertEachOnce(nodes: readonly Node[], keys: readonly string[]): void {
  for (const { seen } of nodes) {
    assert.deepEqual(seen.map(({ data }) => String(data.key)).toSorted(), keys.toSorted());
    assert.deepEqual(
      seen.map(({ position }) => position),
      seen.map((_, index) => index + 1),
    );
  }
}

test('a transaction held open for long delays no other event, and its own event is not missed', { skip }, async (t) => {
  const url = await freshPostgresDatabase(t);
  const nodes = [await startNode(t, url), await startNode(t, url)] as const;
  const late = await connect(t, url);
  await late.query('begin');
  await late.query(`insert into events (kind, at, actor, data) values ('test.note', 0, 'late', '{"key":"late"}')`);
  const keys: string[] = [];
  const delays: number[] = [];
  const end = Date.now() + heldMs;
  for await (const _ of everyMs(100)) {
    const key = `k${keys.length}`;
    keys.push(key);
    await nodes[keys.length % 2 === 0 ? 0 : 1].store.write(keepNote, { key, value: '' });
    const answered = performance.now();
    await until(async () => nodes.every((node) => hasSeen(node, key)), Boolean, mostDelayMs);
    delays.push(performance.now() - answered);
    if (Date.now() > end) break;
  }
  assert.ok(!nodes.some((node) => hasSeen(node, 'late')), 'nothing is seen before its commit');
  await late.query('commit');
  await until(async () => nodes.every((node) => hasSeen(node, 'late')), Boolean, mostDelayMs);
  assertEachOnce(nodes, [...keys, 'late']);
  const slowest = Math.max(...delays).toFixed(0);
  t.diagnostic(`${keys.length} events beside a transaction open for ${heldMs / 1000} s: slowest ${slowest} ms`);
});

test('events of transactions that commit late and out of order are each seen once', { skip }, async (t) => {
  const url = await freshPostgresDatabase(t);
  const nodes = [await startNode(t, url), await startNode(t, url)] as const;
  const writers = await Promise.all(Array.from({ length: 20 }, () => connect(t, url)));
  const keys: string[] = [];
  for (let round = 0; round < 10; round++) {
    const opened = writers.map((writer, n) => ({ writer, key: `${round}-${n}` }));
    for (const { writer, key } of opened) {
      await writer.query('begin');
      await writer.query(`insert into events (kind, at, actor, data) values ('test.note', 0, 'late', $1)`, [
        JSON.stringify({ key }),
      ]);
      keys.push(key);
    }
    // The last transaction to begin commits first, with other writes in between.
    for (const { writer } of opened.toReversed()) {
      const own = `own-${keys.length}`;
      keys.push(own);
      await Promise.all([
        writer.query('commit'),
        nodes[round % 2 === 0 ? 0 : 1].store.write(keepNote, { key: own, value: '' }),
      ]);
    }
  }
  await until(
    async () => nodes.map(({ seen }) => seen.length),
    (lengths) => lengths.every((length) => length >= keys.length),
  );
  assertEachOnce(nodes, keys);
});

test('when the node that assigns positions loses its connection, another node continues', { skip }, async (t) => {
  const url = await freshPostgresDatabase(t);
  const nodes = [await startNode(t, url), await startNode(t, url)] as const;
  const admin = await connect(t, url);
  const keys: string[] = [];
  for (let round = 0; round < 3; round++) {
    await admin.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and database = (select oid from pg_database where datname = current_database())`,
    );
    for (const { store } of nodes) {
      const key = `k${keys.length}`;
      keys.push(key);
      await store.write(keepNote, { key, value: '' });
      await until(async () => nodes.every((node) => hasSeen(node, key)), Boolean);
    }
  }
  assertEachOnce(nodes, keys);
});
