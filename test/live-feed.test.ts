// Tests live-feed.ts of the client at hubs that do not answer as one of its own version does.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type FeedState, LiveFeed } from '@tocsin/client';
import { defineHub, HubException, SignalRServer } from '@tocsin/signalr';
import { until } from './harness/until.ts';

type Ping = () => unknown;
type Subscribe = (filter: Readonly<Record<string, unknown>>) => unknown;

/** A feed that asks for health, at a hub that answers its subscriptions like this. */
async function feedAt(
  t: TestContext,
  subscribe: Subscribe,
  onState?: (state: FeedState) => void,
  ping?: Ping,
): Promise<LiveFeed> {
  const hub = defineHub({
    name: 'alarmHub',
    methods: {
      subscribe: (_, filter) => subscribe(filter as Readonly<Record<string, unknown>>),
      ...(ping === undefined ? {} : { ping }),
    },
  });
  const server = new SignalRServer({ mounts: [{ path: '/alarmHub', hub }] });
  const http = createServer();
  server.attach(http);
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/alarmHub`;
  const listener = onState === undefined ? {} : { onState };
  const filter = { changes: true, health: true };
  const feed = new LiveFeed({ url, token: () => 'any', filter, listener, pausesMs: [0] });
  t.after(async () => {
    await feed.stop();
    await server.close();
    http.closeAllConnections();
    await new Promise((done) => http.close(done));
  });
  feed.start();
  return feed;
}

test('a hub that is older than the client and does not know `health` tells it all the rest', async (t) => {
  const asked: unknown[] = [];
  const answer: Subscribe = (filter) => {
    asked.push(filter);
    if ('health' in filter) throw new HubException('The filter has no field health: it knows changes, since.');
    return { position: 'p1', recovered: false };
  };
  const states: FeedState['kind'][] = [];
  const feed = await feedAt(t, answer, ({ kind }) => states.push(kind));
  await until(
    () => feed.state.kind,
    (kind) => kind === 'live' || states.length > 6,
  );
  assert.deepEqual(states, ['connecting', 'live']);
  assert.deepEqual(asked, [{ changes: true, health: true }, { changes: true }]);
});

test('a hub that is there and answers no subscription gives no news', async (t) => {
  let lost = 0;
  const refuse: Subscribe = () => {
    throw new HubException('The database does not answer.');
  };
  const feed = await feedAt(t, refuse, ({ kind }) => {
    if (kind === 'lost') lost++;
  });
  await until(
    () => lost,
    (times) => times > 2,
  );
  assert.equal(feed.quietMs, undefined);
});

const subscribed: Subscribe = () => ({ position: 'p1', recovered: false });

test('a quiet hub is asked whether it is there, and what it does not answer is told', async (t) => {
  const feed = await feedAt(t, subscribed, undefined, () => new Promise(() => {}));
  await until(
    () => feed.unansweredMs,
    (ms) => ms > 200,
  );
  assert.ok((feed.quietMs ?? 0) >= 3_000);
});

test('the refusal of a hub that does not know the question is an answer', async (t) => {
  const feed = await feedAt(t, subscribed);
  await until(
    () => feed.quietMs ?? 0,
    (ms) => ms >= 3_000,
  );
  await until(
    () => feed.quietMs ?? Number.POSITIVE_INFINITY,
    (ms) => ms < 1_000,
  );
  assert.equal(feed.unansweredMs, 0);
});
