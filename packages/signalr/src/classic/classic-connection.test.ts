// Tests of a classic connection between its hub and its transports, in particular messages in flight when a client
// resumes.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Cursor, defineHub } from '../hub.ts';
import { LiveHub } from '../live-hub.ts';
import { settingsOf } from '../options.ts';
import { SendScheduler } from '../send-scheduler.ts';
import { ClassicConnection } from './classic-connection.ts';
import { HubPushEncoding } from './messages.ts';
import type { ClassicTransport } from './transport.ts';

function transport(): ClassicTransport & { readonly sent: string[] } {
  const sent: string[] = [];
  return {
    ...{ name: 'WebSockets' as const, backlog: 0, isFull: false, sent },
    sendInit: (cursor) => void sent.push(`greeting ${cursor}`),
    push: ({ text }, cursor) => void sent.push(`${JSON.parse(text).A[0]} ${cursor}`),
    pushAll: (pushes) => void sent.push(`${pushes.length} again`),
    advance: (cursor) => void sent.push(`at ${cursor}`),
    setClientState: (text, cursor) => void sent.push(`keep ${text} at ${cursor}`),
    ...{ keepAlive: () => {}, end: () => {}, destroy: () => {}, tick: () => {}, isAbandoned: () => false },
  };
}

function connect(recovery: { onResumed(cursor: Cursor, clientState: string | undefined): void } | undefined) {
  const definition = defineHub({
    name: 'trades',
    ...(recovery && {
      recovery: {
        currentCursor: async () => '0',
        onResumed: (_connection, cursor, clientState) => recovery.onResumed(cursor, clientState),
      },
    }),
  });
  const onError = (error: unknown) => assert.fail(String(error));
  // A turn has time for one step, so that a second message waits for the next turn.
  let now = 0;
  const hub = new LiveHub(definition, new SendScheduler(1, onError, () => now++), onError);
  const settings = settingsOf({
    ...{ mounts: [], nodeId: 'n', tokenKeys: { current: 'k', all: ['k'] } },
    authenticate: async () => undefined,
  });
  const connection = new ClassicConnection({
    ...{ id: 'c', hub, principal: { id: 'anna' }, isListening: true, settings },
    encoding: new HubPushEncoding('trades'),
    ...{ onEnded: () => {}, onGone: () => {} },
  });
  return connection;
}

/** Runs five turns of one step each, enough for every message a test here sends. */
async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

it('messages queued before a client resumed are not sent after it', async () => {
  const resumed: string[] = [];
  const connection = connect({ onResumed: (cursor) => resumed.push(cursor) });
  const [first, second] = [transport(), transport()];
  connection.attach(first);
  await connection.initialize(first);
  await connection.start();
  connection.send('news', ['a'], '1');
  connection.send('news', ['b'], '2');
  connection.attach(second);
  connection.resume('1');
  connection.send('news', ['b again'], '2');
  await nextTurns();
  assert.deepEqual(first.sent, ['greeting 0', 'a 1']);
  assert.deepEqual(second.sent, ['b again 2']);
  assert.deepEqual(resumed, ['1']);
});

it('without recovery the last messages are buffered and sent again, queued ones included', async () => {
  const connection = connect(undefined);
  const [first, second] = [transport(), transport()];
  connection.attach(first);
  await connection.initialize(first);
  await connection.start();
  const cursor = first.sent[0]?.replace('greeting ', '');
  connection.send('news', ['a']);
  connection.send('news', ['b']);
  connection.attach(second);
  connection.resume(cursor);
  await nextTurns();
  assert.equal(first.sent.length, 2);
  assert.equal(second.sent[0], '1 again');
  assert.match(second.sent[1] ?? '', /^b /);
});

it('the client state is sent until the client has it, and comes back with the client', async () => {
  const resumed: unknown[] = [];
  const onResumed = (...args: unknown[]) => void resumed.push(args);
  const connection = connect({ onResumed });
  const lost = transport();
  connection.attach(lost);
  await connection.initialize(lost);
  await connection.start();
  for (const text of ['x', 'y', 'y']) connection.setClientState(text);
  await nextTurns();
  assert.deepEqual(lost.sent, ['greeting 0', 'keep 1.x at 0', 'keep 2.y at 0']);
  const [late, level, elsewhere] = [transport(), transport(), transport()];
  connection.attach(late);
  connection.resume('0', '1.x');
  connection.attach(level);
  connection.resume('0', '2.y');
  assert.deepEqual([late.sent, level.sent], [['keep 2.y at 0'], []]);
  const restarted = connect({ onResumed });
  restarted.attach(elsewhere);
  restarted.resume('0', '2.y');
  restarted.setClientState('z');
  await nextTurns();
  assert.deepEqual(elsewhere.sent, ['keep 3.z at 0']);
  connection.resume('0', '3.z');
  assert.deepEqual(
    resumed,
    ['y', 'y', 'y', 'z'].map((text) => ['0', text]),
  );
});

it('sends a cursor only when it changed', async () => {
  const connection = connect({ onResumed: () => {} });
  const only = transport();
  connection.attach(only);
  await connection.initialize(only);
  await connection.start();
  for (const cursor of ['0', '5', '5']) {
    connection.advance(cursor);
    await nextTurns();
  }
  assert.deepEqual(only.sent, ['greeting 0', 'at 5']);
});

it('a client that left before it started does not become a member', async () => {
  const connection = connect(undefined);
  connection.attach(transport());
  connection.destroy();
  assert.equal(await connection.start(), false);
  assert.equal(connection.hub.size, 0);
});
