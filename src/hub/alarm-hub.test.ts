// Tests that each alarm is sent once, even if clients restart during catch-up.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HubConnection, HubContext } from '@tocsin/signalr';
import type { EventFeed } from '../store/event-feed.ts';
import type { StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { AlarmHub } from './alarm-hub.ts';
import { printPosition } from './cursor.ts';

const key = 'key';
const cursorAt = (position: number, epoch = 'e') => printPosition({ epoch, position }, key);

function eventAt(position: number, kind = 'alarm.raised'): StoredEvent {
  const texts = { message: '', attachedFile: '' };
  const alarm = {
    ...{ id: position, dataServerId: 1, dataServerName: 'API', path: `alarm ${position}`, name: '', priority: 1 },
    ...{ value: '', createdAt: 0, ackUser: '', comment: '' },
    definition: { names: {}, alarm: texts, reset: texts, ack: texts },
    life: { state: 3, mask: undefined, raisedAt: 0, lastChange: 0 },
  };
  const data = kind.startsWith('alarm.') ? { alarm, isAnnounced: true } : {};
  return { position, kind, at: 0, actor: 'system', stationId: 1, subjectId: position, data };
}

/** Creates a hub with an in-memory event log; each read waits until `settle` releases it. */
function createHub(options: { oldest?: number; events?: readonly StoredEvent[] } = {}) {
  const events = [...(options.events ?? Array.from({ length: 3 }, (_, index) => eventAt(index + 1)))];
  const waiting: (() => void)[] = [];
  const listeners = new Set<(event: StoredEvent) => void>();
  const newest = () => events.at(-1)?.position ?? 0;
  const store = {
    read: async ({ name }: { name: string }, args: { after: number; limit: number }) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      if (name === 'read-log-start') return { epoch: 'e', position: newest(), oldest: options.oldest ?? 1 };
      const page = events.filter(({ position }) => position > args.after).slice(0, args.limit);
      const last = page.at(-1)?.position ?? args.after;
      const isAlarm = ({ kind }: StoredEvent) => kind.startsWith('alarm.');
      return { events: page.filter(isAlarm), position: page.length < args.limit ? Math.max(last, newest()) : last };
    },
  } as unknown as Store;
  const feed: EventFeed = {
    subscribe: (listener: (event: StoredEvent) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    get position() {
      return newest();
    },
    stop: async () => {},
  };
  const onTrouble = (error: unknown) => assert.fail(String(error));
  const hub = new AlarmHub({ store, feed, clock: { now: () => 0 }, printing: { timeZone: 'UTC' }, key, onTrouble });
  const connections = new Set<HubConnection>();
  hub.attach(contextOf(connections));
  /** Releases pending reads until none is waiting. */
  const settle = async () => {
    for (let quiet = 0; quiet < 3; quiet++) {
      if (waiting.length > 0) quiet = 0;
      for (const release of waiting.splice(0)) release();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const append = (event: StoredEvent) => {
    events.push(event);
    for (const listener of listeners) listener(event);
  };
  return { connections, settle, append, definition: hub.definition };
}

/** Sends every broadcast at once to the connections that pass its filter. */
function contextOf(connections: ReadonlySet<HubConnection>): HubContext {
  return {
    get size() {
      return connections.size;
    },
    connections: () => connections,
    async broadcast(target, args, filter = () => true, cursor) {
      for (const connection of connections) if (filter(connection)) connection.send(target, args, cursor);
    },
    connection: () => assert.fail('the alarm hub keeps its connections itself'),
    sendTo: async () => assert.fail('the alarm hub broadcasts alone'),
  };
}

function listener(connections: Set<HubConnection>, query = '') {
  const received: [path: string, cursor: string | undefined][] = [];
  const cursors: string[] = [];
  const connection: HubConnection = {
    ...{ id: 'c', principal: { id: 'anna', stationIds: [] } as HubConnection['principal'] },
    request: { query: new URLSearchParams(query) } as HubConnection['request'],
    closed: new AbortController().signal,
    send: (_target, args, cursor) => void received.push([(args[0] as { path: string }).path, cursor]),
    advance: (cursor) => void cursors.push(cursor),
    untilSent: async () => {},
    invoke: async () => assert.fail('not expected'),
    ...{ close: () => {}, joinGroup: () => {}, leaveGroup: () => {} },
  };
  connections.add(connection);
  return { connection, received, cursors };
}

it('a resumed client receives the alarms after its cursor, each with its own cursor, and then live alarms', async () => {
  const { definition, connections, settle, append } = createHub();
  const { connection, received, cursors } = listener(connections);
  const resumed = definition.recovery?.onResumed(connection, cursorAt(1));
  await settle();
  await resumed;
  append(eventAt(4));
  assert.deepEqual(received, [
    ['alarm 2', cursorAt(2)],
    ['alarm 3', cursorAt(3)],
    ['alarm 4', cursorAt(4)],
  ]);
  assert.deepEqual(cursors, [cursorAt(3)]);
});

it('a client that resumes again during catch-up receives each alarm once, from the second catch-up', async () => {
  const { definition, connections, settle, append } = createHub();
  const { connection, received } = listener(connections);
  const first = definition.recovery?.onResumed(connection, cursorAt(0));
  const second = definition.recovery?.onResumed(connection, cursorAt(1));
  append(eventAt(4));
  await settle();
  await Promise.all([first, second]);
  assert.deepEqual(
    received.map(([path]) => path),
    ['alarm 2', 'alarm 3', 'alarm 4'],
  );
});

it('an up-to-date client that resumes receives exactly the alarms after its cursor', async () => {
  const { definition, connections, settle, append } = createHub();
  const { connection, received } = listener(connections);
  const connected = definition.onConnected?.(connection, cursorAt(3));
  await settle();
  await connected;
  append(eventAt(4));
  received.length = 0;
  const resumed = definition.recovery?.onResumed(connection, cursorAt(3));
  append(eventAt(5));
  await settle();
  await resumed;
  append(eventAt(6));
  assert.deepEqual(
    received.map(([path]) => path),
    ['alarm 4', 'alarm 5', 'alarm 6'],
  );
});

it('a client continues from now if its cursor is older than the log or not of this log', async () => {
  for (const cursor of [cursorAt(1), cursorAt(5, 'other'), 'forged', '']) {
    const { definition, connections, settle, append } = createHub({
      oldest: 6,
      events: [eventAt(6), eventAt(7, 'user.changed')],
    });
    const { connection, received, cursors } = listener(connections);
    const resumed = definition.recovery?.onResumed(connection, cursor);
    await settle();
    await resumed;
    append(eventAt(8));
    assert.deepEqual(received, [['alarm 8', cursorAt(8)]]);
    assert.deepEqual(cursors, [cursorAt(7)], 'the client receives the current cursor');
  }
});

it('a quiet client receives nothing before it subscribes, and then each alarm since its position in order', async () => {
  const { definition, connections, settle, append } = createHub();
  const { connection, received } = listener(connections, 'quiet=true');
  const connected = definition.onConnected?.(connection, undefined);
  await settle();
  await connected;
  append(eventAt(4));
  assert.equal(received.length, 0);
  const subscribe = definition.methods?.subscribe as (context: object, filter: object) => Promise<unknown>;
  const subscribed = subscribe({ connection }, { since: cursorAt(2) });
  await settle();
  await subscribed;
  append(eventAt(5));
  assert.deepEqual(
    received.map(([path]) => path),
    ['alarm 3', 'alarm 4', 'alarm 5'],
  );
});

it('a client that subscribes while it resumes gets the position that it has then, never one from before', async () => {
  for (const filter of [{}, { since: cursorAt(2) }]) {
    const { definition, connections, settle, append } = createHub();
    const { connection, received } = listener(connections);
    const connected = definition.onConnected?.(connection, cursorAt(3));
    await settle();
    await connected;
    append(eventAt(4));
    received.length = 0;
    const subscribe = definition.methods?.subscribe as (context: object, filter: object) => Promise<object>;
    const subscribed = subscribe({ connection }, filter);
    const resumed = definition.recovery?.onResumed(connection, cursorAt(3));
    await settle();
    assert.deepEqual(await subscribed, { position: cursorAt(4), recovered: 'since' in filter });
    await resumed;
    append(eventAt(5));
    assert.deepEqual(received.map(([path]) => path).slice(-2), ['alarm 4', 'alarm 5']);
  }
});

it('currentCursor returns the current position', async () => {
  const { definition, settle } = createHub();
  const cursor = definition.recovery?.currentCursor();
  await settle();
  assert.equal(await cursor, cursorAt(3));
});
