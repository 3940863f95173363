// PostgreSQL batches pipelined behind the COMMIT of another batch: stored in order, each once, and acknowledged only if
// stored.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { schema } from '../../../../src/migrations/schema.ts';
import { openPostgresStore } from '../../../../src/store/postgres/postgres-store.ts';
import { updateRows } from '../../../../src/store/row-batch.ts';
import { statement } from '../../../../src/store/statement.ts';
import type { Operation, Store } from '../../../../src/store/store.ts';
import { testThreads } from '../../../harness/server/built-server.ts';
import { startRelay } from '../../../harness/stores/relay.ts';
import { freshPostgresDatabase, storesUnderTest } from '../../../harness/stores/stores.ts';
import { keepNote, readNote } from '../../../harness/stores/test-operations.ts';

const skip = storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL';

const selectList = statement((db) => db.selectFrom('meta').select('value').where('key', '=', 'list'));
const updateList = updateRows('meta', { key: 'text' }, { value: 'text' });

/** Appends an item to a list. The update is sent together with the COMMIT, so its failure appears only there. */
const addItem: Operation<{ item: string; isFaulty?: true }, string> = {
  name: 'test-add-item',
  async run(tx, _now, { item, isFaulty }) {
    const list = (await tx.one(selectList, {}))?.value;
    // Null violates the NOT NULL constraint of the column.
    await tx.each(updateList, [{ key: 'list', value: isFaulty ? null : `${list},${item}` }]);
    return item;
  },
};

async function openStore(t: TestContext, url: string): Promise<Store> {
  const store = await openPostgresStore({
    url,
    schema,
    startWorker: testThreads,
    now: Date.now,
    schemaChange: 'make-or-upgrade',
    onTrouble: () => {},
  });
  t.after(() => store.close());
  return store;
}

async function itemsOf(store: Store): Promise<readonly string[]> {
  return (await store.read(readNote, { key: 'list' }))?.split(',').slice(1) ?? [];
}

test('a write that fails at its COMMIT is rejected and does not affect other writes', { skip }, async (t) => {
  const store = await openStore(t, await freshPostgresDatabase(t));
  await store.write(keepNote, { key: 'list', value: '' });
  await assert.rejects(store.write(addItem, { item: 'alone', isFaulty: true }), { code: '23502' });
  const items = Array.from({ length: 40 }, (_, n) => `i${n}`);
  // Some alone in a batch, some with others, some pipelined behind another batch.
  const answers = await Promise.allSettled(
    items.map(async (item, n) => {
      for (let turn = 0; turn < n % 5; turn++) await new Promise(setImmediate);
      return store.write(addItem, n % 4 === 3 ? { item, isFaulty: true } : { item });
    }),
  );
  const done = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  assert.deepEqual(
    done,
    items.filter((_, n) => n % 4 !== 3),
  );
  assert.deepEqual((await itemsOf(store)).toSorted(), done.toSorted());
});

test('batches that conflict with another node are retried in order, each stored once', { skip }, async (t) => {
  const url = await freshPostgresDatabase(t);
  const stores = [await openStore(t, url), await openStore(t, url)];
  await stores[0]?.write(keepNote, { key: 'list', value: '' });
  const perStore = 150;
  await Promise.all(
    stores.map(async (store, node) => {
      const writes: Promise<string>[] = [];
      for (let n = 0; n < perStore; n++) {
        writes.push(store.write(addItem, { item: `${node}-${n}` }));
        if (n % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await Promise.all(writes);
    }),
  );
  const items = await itemsOf(stores[0] as Store);
  for (const node of [0, 1]) {
    const own = items.filter((item) => item.startsWith(`${node}-`));
    assert.deepEqual(
      own,
      Array.from({ length: perStore }, (_, n) => `${node}-${n}`),
    );
  }
});

/** Makes the first COMMITs of transactions that write this item fail with a serialization error. */
async function failAtCommit(t: TestContext, url: string, item: string, times: number): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  t.after(() => client.end());
  await client.query(`create sequence failures;
    create function fail_first() returns trigger language plpgsql as $$ begin
      if new.value like '%,${item}' and nextval('failures') <= ${times} then raise exception using errcode = '40001'; end if;
      return null;
    end $$;
    create constraint trigger fail_first after update on meta deferrable initially deferred
      for each row execute function fail_first()`);
}

test('a batch pipelined behind a COMMIT that failed is still stored after it', { skip }, async (t) => {
  const url = await freshPostgresDatabase(t);
  const store = await openStore(t, url);
  await store.write(keepNote, { key: 'list', value: '' });
  await failAtCommit(t, url, 'again', 1);
  const items = ['again', 'b', 'c', 'd'];
  assert.deepEqual(await Promise.all(items.map((item) => store.write(addItem, { item }))), items);
  assert.deepEqual(await itemsOf(store), items);
});

test('a write that loses to another node for a second or two is stored', { skip }, async (t) => {
  const url = await freshPostgresDatabase(t);
  const store = await openStore(t, url);
  await store.write(keepNote, { key: 'list', value: '' });
  await failAtCommit(t, url, 'contended', 80);
  assert.equal(await store.write(addItem, { item: 'contended' }), 'contended');
  assert.deepEqual(await itemsOf(store), ['contended']);
});

test('a COMMIT whose reply is lost returns unavailable; batches pipelined behind it are stored once', {
  skip,
}, async (t) => {
  const relay = await startRelay(t, await freshPostgresDatabase(t));
  const store = await openStore(t, relay.url);
  await store.write(keepNote, { key: 'list', value: '' });
  relay.loseAnswersTo('in-doubt');
  const inDoubt = store.write(addItem, { item: 'in-doubt' });
  const behind = ['b', 'c', 'd'].map((item) => store.write(addItem, { item }));
  await assert.rejects(inDoubt, { code: 'unavailable' });
  assert.deepEqual(await Promise.all(behind), ['b', 'c', 'd']);
  assert.equal(relay.cuts, 1);
  // PostgreSQL received this COMMIT, so the item is stored, and stored once.
  assert.deepEqual(await itemsOf(store), ['in-doubt', 'b', 'c', 'd']);
});

test('a write that loses to other nodes for longer than ten seconds is refused with what is true', {
  skip,
}, async (t) => {
  const store = await openStore(t, await freshPostgresDatabase(t));
  let tries = 0;
  const begun = performance.now();
  // Each try takes three seconds of this clock.
  t.mock.method(performance, 'now', () => begun + tries * 3_000);
  const loses: Operation<Record<string, never>, void> = {
    name: 'test-loses',
    async run() {
      tries++;
      throw Object.assign(new Error('could not serialize access'), { code: '40001' });
    },
  };
  await assert.rejects(store.write(loses, {}), {
    code: 'unavailable',
    message: 'Other nodes keep changing the same rows. Try again shortly.',
  });
  assert.ok(tries > 3, `${tries} tries in ten seconds`);
});
