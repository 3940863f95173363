// The contract of src/store/store.ts as a suite that every database must pass.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { AppError } from '../../src/errors.ts';
import { alarmTopic } from '../../src/operations/alarms/events.ts';
import { followEvents } from '../../src/store/event-feed.ts';
import { readEvents, readLogPosition, type StoredEvent } from '../../src/store/event-log.ts';
import type { Store } from '../../src/store/store.ts';
import { type FakeClock, fakeClock } from '../harness/site/clock.ts';
import {
  countTwice,
  countUp,
  endThread,
  holdComputation,
  holdList,
  keepNote,
  keepNotes,
  keepTexts,
  readNote,
  readNoteQuickly,
  takeIds,
  tellOfAlarm,
  useRowSets,
} from '../harness/stores/test-operations.ts';
import { until } from '../harness/until.ts';

/**
 * Opens stores on one new, empty database that is removed after the test: the first as the server, others beside it.
 */
export type OpenStores = (t: TestContext, clock: FakeClock) => Promise<() => Promise<Store>>;

export function storeConformance(name: string, open: OpenStores): void {
  const suite = (
    title: string,
    run: (store: Store, more: { clock: FakeClock; another: () => Promise<Store>; t: TestContext }) => Promise<void>,
  ) =>
    test(`${name}: ${title}`, async (t) => {
      const clock = fakeClock();
      const another = await open(t, clock);
      await run(await another(), { clock, another, t });
    });

  suite('a write that was acknowledged can be read', async (store) => {
    await store.write(keepNote, { key: 'a', value: '1' });
    assert.equal(await store.read(readNote, { key: 'a' }), '1');
    assert.equal(await store.read(readNote, { key: 'b' }), undefined);
  });

  suite('a computation that takes long delays no write, no quick query, no list and not the event loop', async (store) => {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const held = store.read(holdComputation, { cell });
    await store.write(keepNote, { key: 'a', value: '1' });
    assert.equal(await store.read(readNoteQuickly, { key: 'a' }), '1');
    assert.equal(await store.read(readNote, { key: 'a' }), '1');
    Atomics.store(cell, 0, 1);
    Atomics.notify(cell, 0);
    assert.notEqual(await held, 'timed-out', 'it was still running');
  });

  const sqliteSuite = name === 'sqlite' ? suite : () => {};

  // On PostgreSQL a list occupies a connection of the database, not a thread of ours.
  sqliteSuite('a list that takes long delays no write and no quick query', async (store) => {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const held = store.read(holdList, { cell });
    await store.write(keepNote, { key: 'a', value: '1' });
    assert.equal(await store.read(readNoteQuickly, { key: 'a' }), '1');
    Atomics.store(cell, 0, 1);
    Atomics.notify(cell, 0);
    assert.notEqual(await held, 'timed-out', 'it was still running');
  });

  suite('too many computations of one kind at once are refused until there is room', async (store) => {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const held = Array.from({ length: 8 }, () => store.read(holdComputation, { cell }));
    await assert.rejects(store.read(holdComputation, { cell }), { code: 'unavailable', retryAfterSeconds: 1 });
    Atomics.store(cell, 0, 1);
    Atomics.notify(cell, 0);
    await Promise.all(held);
    assert.equal(await store.read(holdComputation, { cell }), 'not-equal');
  });

  suite('a thread of computations that fails is started again', async (store) => {
    await assert.rejects(store.read(endThread, {}), { code: 'unavailable', retryAfterSeconds: 1 });
    const cell = new Int32Array(new SharedArrayBuffer(4)).fill(1);
    assert.equal(await store.read(holdComputation, { cell }), 'not-equal');
    await store.write(keepNote, { key: 'a', value: '1' });
  });

  suite('a failed operation is rolled back alone, whatever operations share its commit', async (store) => {
    const endings = [undefined, undefined, 'refuse', 'refuse-first', undefined, 'fault'] as const;
    const jobs = Array.from({ length: 120 }, (_, n) => ({ key: `k${n}`, ending: endings[n % endings.length] }));
    const settled = await Promise.allSettled(
      jobs.map(({ key, ending }) => store.write(keepNote, { key, value: 'v', ...(ending && { ending }) })),
    );
    for (const [n, { key, ending }] of jobs.entries()) {
      const expected = ending === undefined ? 'fulfilled' : 'rejected';
      assert.equal(settled[n]?.status, expected, key);
      assert.equal(await store.read(readNote, { key }), ending === undefined ? 'v' : undefined, key);
    }
    const told = await until(
      () => store.read(readEvents, { after: 0, limit: 1_000 }),
      (list) => list.length === 60,
    );
    assert.deepEqual(
      new Set(told.map(({ data }) => data.key)),
      new Set(jobs.filter(({ ending }) => !ending).map(({ key }) => key)),
    );
  });

  suite('operations of a set are independent to their callers: a failed one does not affect the others', async (store) => {
    for (const [round, endings] of [
      [undefined, 'refuse', undefined, undefined],
      [undefined, 'refuse', 'fault', undefined],
    ].entries()) {
      const jobs = Array.from({ length: 60 }, (_, n) => ({
        key: `${round}-${n}`,
        ending: endings[n % endings.length],
      }));
      const settled = await Promise.allSettled(
        jobs.map(({ key, ending }) =>
          store.write(keepNotes, { key, value: 'v', ...(ending && { ending: ending as 'refuse' | 'fault' }) }),
        ),
      );
      for (const [n, { key, ending }] of jobs.entries()) {
        assert.equal(settled[n]?.status, ending === undefined ? 'fulfilled' : 'rejected', key);
        assert.equal(await store.read(readNote, { key }), ending === undefined ? 'v' : undefined, key);
      }
      const together = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      assert.equal(Math.max(...together) > 1, round === 0, 'taken together, unless one has a bug');
    }
  });

  suite('sets of rows are inserted, incremented, updated and deleted; reserved ids are never assigned again', async (store) => {
    assert.deepEqual(await store.write(useRowSets, {}), [
      { level: 0, step: 1, entries: 5, min_id: 2, max_id: 9 },
      { level: 0, step: 2, entries: 1, min_id: 4, max_id: 4 },
    ]);
    const first = await store.write(takeIds, { count: 3 });
    const second = await store.write(takeIds, { count: 2 });
    assert.equal(new Set([...first, ...second]).size, 5);
    assert.deepEqual(
      [...first, ...second],
      [...first, ...second].toSorted((a, b) => a - b),
    );
  });

  suite('rows written as a set are read back unchanged: any text, negative and large numbers, null', async (store) => {
    const row = { alarm_id: 1, tag_name: '', message: '', last_entry_id: null };
    const rows = [
      { ...row, id: 1, tag_name: 'Straße "7"\\{1,2},NULL', message: "温度 🔥\n\t'%" },
      { ...row, id: 2, alarm_id: -1, last_entry_id: Number.MAX_SAFE_INTEGER },
      { ...row, id: 3, alarm_id: -(2 ** 32), tag_name: 'x'.repeat(10_000), last_entry_id: 2 ** 32 },
      { ...row, id: 2 ** 40 + 1, alarm_id: Number.MIN_SAFE_INTEGER, message: 'NULL', last_entry_id: 2 ** 31 },
    ];
    assert.deepEqual(await store.write(keepTexts, { rows }), rows);
  });

  suite('a refusal keeps its code, message, fields and retry time; a fault keeps its type and message', async (store) => {
    const refused = await store.write(keepNote, { key: 'x', value: '', ending: 'refuse' }).catch((error) => error);
    assert.ok(refused instanceof AppError);
    assert.deepEqual(
      [refused.code, refused.message, refused.errors, refused.retryAfterSeconds],
      ['unprocessable', 'no x', [{ field: 'key', message: 'is refused' }], 7],
    );
    const fault = await store.write(keepNote, { key: 'y', value: '', ending: 'fault' }).catch((error) => error);
    assert.ok(fault instanceof TypeError);
    assert.equal(fault.message, 'a bug met y');
  });

  suite('a violated unique key fails only its own operation', async (store) => {
    const twice = await Promise.allSettled([
      store.write(keepNote, { key: 'same', value: '1' }),
      store.write(keepNote, { key: 'same', value: '2' }),
      store.write(keepNote, { key: 'other', value: '3' }),
    ]);
    assert.deepEqual(
      twice.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.equal(await store.read(readNote, { key: 'same' }), '1');
  });

  suite('operations are isolated: no update is lost, also between two stores', async (store, { another }) => {
    const other = await another();
    await Promise.all(
      Array.from({ length: 300 }, (_, n) => (n % 2 === 0 ? store : other).write(countUp, { key: 'sum' })),
    );
    assert.equal(await store.read(readNote, { key: 'sum' }), '300');
  });

  suite('a query reads one snapshot during concurrent writes', async (store) => {
    const counting = store.read(countTwice, { steps: 300_000 });
    for (let n = 0; n < 50; n++) await store.write(keepNote, { key: `k${n}`, value: '' });
    const [first, second] = await counting;
    assert.equal(first, second);
  });

  suite('the time passed to operations never goes back', async (store, { clock }) => {
    const first = await store.write(keepNote, { key: 'a', value: '' });
    clock.advance(-3_600_000);
    assert.equal(await store.write(keepNote, { key: 'b', value: '' }), first);
    clock.advance(3_600_001);
    assert.equal(await store.write(keepNote, { key: 'c', value: '' }), first + 1);
  });

  suite('every event reaches every follower once, in the same order, after it can be read', async (store, {
    another,
  }) => {
    const other = await another();
    // Feeds must stop before their stores close.
    await using feeds = new AsyncDisposableStack();
    const seen: [StoredEvent[], StoredEvent[]] = [[], []];
    for (const [n, follower] of [store, other].entries()) {
      const feed = await followEvents(follower, alarmTopic, assert.ifError);
      feeds.defer(() => feed.stop());
      feed.subscribe((event) => seen[n]?.push(event));
    }
    const total = 400;
    await Promise.all(
      Array.from({ length: total }, (_, n) =>
        (n % 2 === 0 ? store : other).write(keepNote, { key: `k${n}`, value: '' }),
      ),
    );
    await until(
      async () => seen.map(({ length }) => length),
      (lengths) => lengths.every((length) => length >= total),
    );
    assert.equal(new Set(seen[0].map(({ data }) => data.key)).size, total);
    assert.deepEqual(seen[0], seen[1]);
    assert.deepEqual(
      seen[0].map(({ position }) => position),
      seen[0].map(({ position }) => position).toSorted((a, b) => a - b),
    );
    const { position } = await store.read(readLogPosition, {});
    assert.equal(position, seen[0].at(-1)?.position);
  });

  suite('a listener of the event log that throws is reported, and the others get every event once', async (store) => {
    await using feeds = new AsyncDisposableStack();
    const troubles: string[] = [];
    const feed = await followEvents(store, alarmTopic, (error) => troubles.push(String(error)));
    feeds.defer(() => feed.stop());
    const told: unknown[] = [];
    feed.subscribe(({ data }) => {
      if (data.key === 'k1') throw new Error('broken');
    });
    feed.subscribe(({ data }) => told.push(data.key));
    for (const key of ['k0', 'k1', 'k2']) await store.write(keepNote, { key, value: '' });
    await until(
      async () => told,
      ({ length }) => length >= 3,
    );
    assert.deepEqual(told, ['k0', 'k1', 'k2']);
    assert.equal(troubles.length, 1);
    assert.match(troubles[0] ?? '', /internal fault in a listener of the event/);
  });

  suite('a follower of all events but alarms gets each once, in order, beside refused and concurrent writes', async (store, {
    another,
  }) => {
    const beside = await another();
    await using feeds = new AsyncDisposableStack();
    const feed = await followEvents(store, alarmTopic, assert.ifError);
    feeds.defer(() => feed.stop());
    const told: unknown[] = [];
    feed.subscribe(({ data }) => told.push(data.key), 'but-frequent');
    const rounds = Array.from({ length: 40 }, (_, n) => `k${n}`);
    for (const [n, key] of rounds.entries()) {
      const raise = store.write(tellOfAlarm, { key: `${key} raised` });
      const note = (n % 4 === 0 ? beside : store).write(keepNote, { key, value: '' });
      const refused = n % 4 === 1 ? store.write(tellOfAlarm, { key: `${key} not raised`, ending: 'refuse' }) : note;
      await Promise.allSettled([raise, note, refused]);
    }
    await until(
      async () => told.length,
      (length) => length >= rounds.length,
    );
    assert.deepEqual(told, rounds);
  });

  suite('alarm events without a follower are skipped, and a later follower gets only later events', async (store) => {
    await using feeds = new AsyncDisposableStack();
    const feed = await followEvents(store, alarmTopic, assert.ifError);
    feeds.defer(() => feed.stop());
    const [others, all]: [unknown[], unknown[]] = [[], []];
    feed.subscribe(({ data }) => others.push(data.key), 'but-frequent');
    await store.write(keepNote, { key: 'first', value: '' });
    await until(
      async () => others,
      ({ length }) => length === 1,
    );
    const { position: before } = feed;
    const { reads } = store.stats();
    for (let n = 0; n < 20; n++) await store.write(tellOfAlarm, { key: 'passed over' });
    // SQLite knows without a query that there were no other events.
    if (store.kind === 'sqlite') assert.equal(store.stats().reads, reads);
    await until(
      async () => feed.position,
      (reached) => reached === before + 20,
    );
    feed.subscribe(({ data }) => all.push(data.key));
    await store.write(tellOfAlarm, { key: 'heard' });
    await store.write(keepNote, { key: 'last', value: '' });
    await until(
      async () => all,
      ({ length }) => length >= 2,
    );
    assert.deepEqual(
      [others, all],
      [
        ['first', 'last'],
        ['heard', 'last'],
      ],
    );
  });

  suite('writes in progress when the store closes are completed', async (store) => {
    const writes = Array.from({ length: 50 }, (_, n) => store.write(keepNote, { key: `k${n}`, value: '' }));
    await store.close();
    assert.equal((await Promise.all(writes)).length, 50);
  });

  suite('reads and writes on a closed store are rejected without waiting', async (store) => {
    const closed = store.close();
    const refused = () =>
      Promise.allSettled([store.read(readNote, { key: 'a' }), store.write(keepNote, { key: 'a', value: '' })]);
    // During the close either of them may still succeed.
    await refused();
    await closed;
    for (const { status } of await refused()) assert.equal(status, 'rejected');
  });

  suite('concurrent writes share commits', async (store) => {
    await Promise.all(Array.from({ length: 500 }, (_, n) => store.write(keepNote, { key: `k${n}`, value: '' })));
    const { writes, commits } = store.stats();
    assert.equal(writes, 500);
    assert.ok(commits * 4 <= writes, `${commits} commits for ${writes} writes`);
  });

  suite('writes beyond the queue limit are refused with a retry time, and accepted writes are stored', async (store) => {
    const settled = await Promise.allSettled(
      Array.from({ length: 8_000 }, (_, n) => store.write(keepNote, { key: `k${n}`, value: '' })),
    );
    const refused = settled.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as AppError);
    assert.ok(refused.length > 0 && refused.length < 8_000, `${refused.length} refused`);
    for (const { code, retryAfterSeconds } of refused) assert.deepEqual([code, retryAfterSeconds], ['unavailable', 1]);
    assert.equal((await store.read(countTwice, { steps: 1 }))[0], 8_000 - refused.length);
    await store.write(keepNote, { key: 'after', value: '' });
  });
}
