// Telling each alarm once, where clients start over in the middle of catching up.

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

/** A log in memory; each read waits until it is let go. */
function setScene(options: { oldest?: number; events?: readonly StoredEvent[] } = {}) {
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
  const hub = new AlarmHub({ store, feed, printing: { timeZone: 'UTC' }, key, onTrouble });
  const connections = new Set<HubConnection>();
  hub.attach(contextOf(connections));
  /** Lets everything go until nothing waits any more. */
  const settle = async () => {
    for (let quiet = 0; quiet < 3; quiet++) {
      if (waiting.length > 0) quiet = 0;
      for (const letGo of waiting.splice(0)) letGo();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const happen = (event: StoredEvent) => {
    events.push(event);
    for (const listener of listeners) listener(event);
  };
  return { connections, settle, happen, definition: hub.definition };
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
    sendToGroup: async () => assert.fail('the alarm hub has no groups'),
  };
}

function listener(connections: Set<HubConnection>) {
  const heard: [path: string, cursor: string | undefined][] = [];
  const cursors: string[] = [];
  const connection: HubConnection = {
    ...{ id: 'c', principal: { id: 'anna', stationIds: [] } as HubConnection['principal'] },
    closed: new AbortController().signal,
    send: (_target, args, cursor) => void heard.push([(args[0] as { path: string }).path, cursor]),
    advance: (cursor) => void cursors.push(cursor),
    untilSent: async () => {},
    invoke: async () => assert.fail('not asked for'),
    ...{ close: () => {}, joinGroup: () => {}, leaveGroup: () => {} },
  };
  connections.add(connection);
  return { connection, heard, cursors };
}

it('tells from the cursor on, with the cursor of each, and then goes on with what happens', async () => {
  const { definition, connections, settle, happen } = setScene();
  const { connection, heard, cursors } = listener(connections);
  const resumed = definition.recovery?.onResumed(connection, cursorAt(1));
  await settle();
  await resumed;
  happen(eventAt(4));
  assert.deepEqual(heard, [
    ['alarm 2', cursorAt(2)],
    ['alarm 3', cursorAt(3)],
    ['alarm 4', cursorAt(4)],
  ]);
  assert.deepEqual(cursors, [cursorAt(3)]);
});

it('a client that starts over while it catches up is told by the second time alone', async () => {
  const { definition, connections, settle, happen } = setScene();
  const { connection, heard } = listener(connections);
  const first = definition.recovery?.onResumed(connection, cursorAt(0));
  const second = definition.recovery?.onResumed(connection, cursorAt(1));
  happen(eventAt(4));
  await settle();
  await Promise.all([first, second]);
  assert.deepEqual(
    heard.map(([path]) => path),
    ['alarm 2', 'alarm 3', 'alarm 4'],
  );
});

it('a client that was told everything and starts over is told again from its cursor, and nothing beside', async () => {
  const { definition, connections, settle, happen } = setScene();
  const { connection, heard } = listener(connections);
  const connected = definition.onConnected?.(connection, cursorAt(3));
  await settle();
  await connected;
  happen(eventAt(4));
  heard.length = 0;
  const resumed = definition.recovery?.onResumed(connection, cursorAt(3));
  happen(eventAt(5));
  await settle();
  await resumed;
  happen(eventAt(6));
  assert.deepEqual(
    heard.map(([path]) => path),
    ['alarm 4', 'alarm 5', 'alarm 6'],
  );
});

it('goes on from now where the log does not reach back to the cursor, or the cursor is not of this log', async () => {
  for (const cursor of [cursorAt(1), cursorAt(5, 'other'), 'forged', '']) {
    const { definition, connections, settle, happen } = setScene({
      oldest: 6,
      events: [eventAt(6), eventAt(7, 'user.changed')],
    });
    const { connection, heard, cursors } = listener(connections);
    const resumed = definition.recovery?.onResumed(connection, cursor);
    await settle();
    await resumed;
    happen(eventAt(8));
    assert.deepEqual(heard, [['alarm 8', cursorAt(8)]]);
    assert.deepEqual(cursors, [cursorAt(7)], 'it learns where it stands');
  }
});

it('greets with the position of now', async () => {
  const { definition, settle } = setScene();
  const cursor = definition.recovery?.currentCursor();
  await settle();
  assert.equal(await cursor, cursorAt(3));
});
