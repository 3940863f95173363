// Tests live-list.ts of the client against a model: a server that changes at random, whose pages are slow and whose connection is cut.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ListPage, LiveList, readAfterIds } from '@tocsin/client';
import { type Chance, chanceOf } from './harness/chance.ts';
import { testSeed } from './harness/seed.ts';
import { soak } from './harness/soak.ts';

type Item = { readonly id: number; readonly version: number };
/** `item` is undefined when it left the list. */
type Event = { readonly id: number; readonly item: Item | undefined };

const pageSize = 3;
const ids = 12;

/** The list of the server, and every change of it. */
class ModelServer {
  readonly items = new Map<number, Item>();
  readonly log: Event[] = [];
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  change(): void {
    const id = this.#chance.int(1, ids + 1);
    const item = this.#chance.percent(60) ? { id, version: this.log.length } : undefined;
    if (item === undefined && !this.items.has(id)) return;
    if (item === undefined) this.items.delete(id);
    else this.items.set(id, item);
    this.log.push({ id, item });
  }

  page(afterId: number): ListPage<Item> {
    const rest = [...this.items.values()].filter(({ id }) => id > afterId).toSorted((a, b) => a.id - b.id);
    return { items: rest.slice(0, pageSize), paging: { total: rest.length } };
  }
}

type Request = {
  readonly afterId: number;
  readonly answer: PromiseWithResolvers<ListPage<Item>>;
  /** What the server found; undefined while the request is on its way. */
  found: ListPage<Item> | undefined;
};

/** A client of the list. `replays`: after a cut it gets the events it missed; otherwise it reads anew, as for calls. */
class ModelClient {
  readonly list = new LiveList<number, Item>({ idOf: ({ id }) => id });
  readonly requests: Request[] = [];
  readonly #server: ModelServer;
  readonly #replays: boolean;
  /** How many events of the log it was handed; undefined while it is cut off. */
  #handedOut: number | undefined = 0;
  #position = 0;
  isComplete = false;

  constructor(server: ModelServer, replays: boolean) {
    this.#server = server;
    this.#replays = replays;
    this.begin();
  }

  get isCut(): boolean {
    return this.#handedOut === undefined;
  }

  get hasAllEvents(): boolean {
    return this.#handedOut === this.#server.log.length;
  }

  begin(): void {
    this.isComplete = false;
    const reading = this.list.read();
    const read = (afterId: number): Promise<ListPage<Item>> => {
      const answer = Promise.withResolvers<ListPage<Item>>();
      this.requests.push({ afterId, answer, found: undefined });
      return answer.promise;
    };
    readAfterIds(reading, read).then(
      () => {
        if (reading.isCurrent()) this.isComplete = true;
      },
      () => {
        if (reading.isCurrent()) this.begin();
      },
    );
  }

  takeEvent(): void {
    const event = this.#handedOut === undefined ? undefined : this.#server.log[this.#handedOut];
    if (this.#handedOut === undefined || event === undefined) return;
    this.#handedOut++;
    if (event.item === undefined) this.list.remove(event.id);
    else this.list.put(event.item);
  }

  cut(): void {
    this.#position = this.#handedOut ?? this.#position;
    this.#handedOut = undefined;
  }

  connect(isRecovered: boolean): void {
    if (!this.isCut) return;
    const continues = this.#replays && isRecovered;
    this.#handedOut = continues ? this.#position : this.#server.log.length;
    if (!continues) this.begin();
  }
}

/** Lets the promises that were settled go on. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await undefined;
}

async function step(chance: Chance, server: ModelServer, client: ModelClient): Promise<void> {
  const request = client.requests[chance.int(0, Math.max(1, client.requests.length))];
  const what = chance.int(0, 100);
  if (what < 35) server.change();
  else if (what < 60) client.takeEvent();
  else if (what < 66) client.cut();
  else if (what < 76) client.connect(chance.percent(70));
  else if (what < 78) client.begin();
  else if (request !== undefined && request.found === undefined) request.found = server.page(request.afterId);
  else if (request !== undefined) {
    client.requests.splice(client.requests.indexOf(request), 1);
    if (chance.percent(90)) request.answer.resolve(request.found as ListPage<Item>);
    else request.answer.reject(new Error('lost'));
  }
  await settle();
}

/** Lets everything that is under way arrive. */
async function finish(server: ModelServer, client: ModelClient): Promise<void> {
  client.connect(true);
  while (!client.hasAllEvents) client.takeEvent();
  while (!client.isComplete) {
    for (const { afterId, answer } of client.requests.splice(0)) answer.resolve(server.page(afterId));
    await settle();
  }
}

const byId = (items: ReadonlyMap<number, Item>): readonly Item[] =>
  [...items.values()].toSorted((one, other) => one.id - other.id);

test('W1: a list that is read while it changes, is cut and read slowly ends equal to that of the server', async () => {
  const first = testSeed ?? Math.floor(Math.random() * 1e9);
  let compared = 0;
  for (let run = 0; run < soak(10_000); run++) {
    const chance = chanceOf(first + run);
    const server = new ModelServer(chance);
    for (let count = 0; count < 10; count++) server.change();
    server.log.length = 0;
    const client = new ModelClient(server, chance.percent(50));
    for (let count = chance.int(10, 80); count > 0; count--) {
      await step(chance, server, client);
      // What says that it is read, and has every event, is the list.
      if (!client.isComplete || !client.hasAllEvents) continue;
      assert.deepEqual(byId(client.list.items), byId(server.items), `seed ${first + run}`);
      compared++;
    }
    await finish(server, client);
    assert.deepEqual(byId(client.list.items), byId(server.items), `seed ${first + run}`);
  }
  assert.ok(compared > 0);
});

test('W1: an item that ended while an older page was on its way does not come back', () => {
  const list = new LiveList<number, Item>({ idOf: ({ id }) => id });
  const reading = list.read();
  list.remove(7);
  reading.add([{ id: 7, version: 1 }]);
  reading.end();
  assert.deepEqual([...list.items], []);
});

test('what a page knows more than an event is kept, what both know is as the event says', () => {
  type Known = { readonly id: number; readonly state: number; readonly reason?: string };
  const merge = (read: Known, event: Known): Known => ({ ...read, ...event });
  const list = new LiveList<number, Known>({ idOf: ({ id }) => id, merge });
  const reading = list.read();
  list.put({ id: 1, state: 2 });
  reading.add([{ id: 1, state: 3, reason: 'repair' }]);
  reading.end();
  assert.deepEqual([...list.items.values()], [{ id: 1, state: 2, reason: 'repair' }]);
});

test('a server that does not know `afterId` is asked for the same page once more, and not for ever', async () => {
  const list = new LiveList<number, Item>({ idOf: ({ id }) => id });
  let asked = 0;
  const samePage = async (): Promise<ListPage<Item>> => {
    if (++asked > 5) throw new Error('asked for ever');
    return { items: [{ id: 1, version: 1 }], paging: { total: 2 } };
  };
  await assert.rejects(readAfterIds(list.read(), samePage), /older than its client/);
  assert.equal(asked, 2);
});

test('what more is known of an item does not keep it in the list when it has left', () => {
  const list = new LiveList<number, Item>({ idOf: ({ id }) => id });
  const first = list.read();
  first.add([{ id: 1, version: 1 }]);
  first.end();
  const again = list.read();
  list.complete({ id: 1, version: 1 });
  list.complete({ id: 2, version: 1 });
  again.add([]);
  again.end();
  assert.deepEqual([...list.items.keys()], []);
});
