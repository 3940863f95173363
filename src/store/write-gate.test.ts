// Parts of long lists: their size, their order, and how much of them is in the store at a time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../errors.ts';
import { listOperation } from './list-operation.ts';
import { type Operation, type Store, setOperation } from './store.ts';
import { WriteGate, writeInParts } from './write-gate.ts';

const echo = setOperation<number, number>('echo', async (_tx, jobs) =>
  jobs.map(({ input }) => ({ kind: 'done', outcome: input })),
);
const echoList = listOperation('echo-list', echo);

/** A store that holds each write until `next` lets the oldest one through. */
function heldStore() {
  const held: { readonly input: readonly number[]; readonly go: PromiseWithResolvers<void> }[] = [];
  const write = async <I, O>(operation: Operation<I, O>, input: I): Promise<O> => {
    const go = Promise.withResolvers<void>();
    held.push({ input: input as readonly number[], go });
    await go.promise;
    return operation.run(undefined as never, 0, input);
  };
  const next = async (error?: unknown): Promise<readonly number[]> => {
    const oldest = held.shift();
    if (error === undefined) oldest?.go.resolve();
    else oldest?.go.reject(error);
    await new Promise(setImmediate);
    return oldest?.input ?? [];
  };
  return { held, next, store: { write } as Pick<Store, 'write'> };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const numbers = Array.from({ length: 600 }, (_, n) => n);

test('a list is written in parts, one after another and in order', async () => {
  const { held, next, store } = heldStore();
  const written = writeInParts(store, new WriteGate(), echoList, numbers, () => 1);
  const sizes: number[] = [];
  for (let part = 0; part < 3; part++) {
    await turn();
    assert.equal(held.length, 1);
    sizes.push((await next()).length);
  }
  assert.deepEqual(sizes, [256, 256, 88]);
  assert.deepEqual(
    (await written).map((result) => 'outcome' in result && result.outcome),
    numbers,
  );
});

test('heavy inputs make small parts, and one that is too heavy for a part is written alone', async () => {
  const { next, store } = heldStore();
  const weigh = (n: number): number => (n === 3 ? 9_999 : 100);
  const written = writeInParts(store, new WriteGate(), echoList, [1, 2, 3, 4, 5, 6], weigh);
  const parts: (readonly number[])[] = [];
  for (let part = 0; part < 4; part++) parts.push(await next());
  assert.deepEqual(parts, [[1, 2], [3], [4, 5], [6]]);
  await written;
});

test('the parts of several lists take turns, two of full weight at a time', async () => {
  const { held, next, store } = heldStore();
  const gate = new WriteGate();
  const lists = [0, 1_000, 2_000].map((from) =>
    writeInParts(
      store,
      gate,
      echoList,
      numbers.slice(0, 512).map((n) => n + from),
      () => 1,
    ),
  );
  const order: number[] = [];
  for (let part = 0; part < 6; part++) {
    await turn();
    assert.ok(held.length <= 2, `${held.length} parts in the store`);
    order.push((await next())[0] ?? -1);
  }
  assert.deepEqual(order, [0, 1_000, 2_000, 256, 1_256, 2_256]);
  await Promise.all(lists);
});

test('when a part cannot be stored, its inputs and the later ones result in that error', async () => {
  const { next, store } = heldStore();
  const written = writeInParts(store, new WriteGate(), echoList, numbers, () => 1);
  await next();
  const away = new AppError('unavailable', 'The store is away.');
  await next(away);
  const results = await written;
  assert.equal(results.length, 600);
  assert.equal(results.filter((result) => result === away).length, 344);
  assert.notEqual(results[255], away);
});

test('when the first part cannot be stored, the whole list fails', async () => {
  const { next, store } = heldStore();
  const written = writeInParts(store, new WriteGate(), echoList, numbers, () => 1);
  const away = new AppError('unavailable', 'The store is away.');
  const refused = assert.rejects(written, away);
  await next(away);
  await refused;
});

test('an empty list is not sent to the store', async () => {
  const { held, store } = heldStore();
  assert.deepEqual(await writeInParts(store, new WriteGate(), echoList, [], () => 1), []);
  assert.equal(held.length, 0);
});
