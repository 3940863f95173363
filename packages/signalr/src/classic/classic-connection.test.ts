// Tests of a classic connection between its hub and its transports, in particular messages in flight when a client
// resumes.

import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { it } from 'node:test';
import { type Cursor, defineHub, type HubConnection } from '../hub.ts';
import { LiveHub } from '../live/live-hub.ts';
import { settingsOf } from '../options.ts';
import { SendScheduler } from '../sending/send-scheduler.ts';
import { ClassicConnection } from './classic-connection.ts';
import { HubService } from './hub-service.ts';
import { HubPushEncoding } from './messages.ts';
import type { ClassicTransport } from './transports/transport.ts';

function transport(): ClassicTransport & { readonly sent: string[] } {
  const sent: string[] = [];
  return {
    ...{ name: 'WebSockets' as const, hasRoom: true, sent },
    sendInit: (cursor) => void sent.push(`greeting ${cursor}`),
    push: ({ text }, cursor) => void sent.push(`${JSON.parse(text).A[0]} ${cursor}`),
    pushAll: (pushes) => void sent.push(`${pushes.length} again`),
    advance: (cursor) => void sent.push(`at ${cursor}`),
    setClientState: (text, cursor) => void sent.push(`keep ${text} at ${cursor}`),
    ...{
      keepAlive: () => {},
      end: () => {},
      giveUp: () => {},
      destroy: () => {},
      tick: () => {},
      isAbandoned: () => false,
    },
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
  const encodingOf = () => new HubPushEncoding('trades');
  const connection = new ClassicConnection({
    ...{ id: 'c', endpoint: hub, principal: { id: 'anna' }, settings },
    serve: (carrier) => new HubService(carrier, { hubs: [hub], subscribed: [hub], encodingOf, settings }),
    ...{ onEnded: () => {}, onGone: () => {} },
  });
  const attach = (one: ClassicTransport) => connection.attach(one, { headers: {} } as IncomingMessage);
  return { connection, attach, hub };
}

type Connected = ReturnType<typeof connect>;

/** Connects a client over the transport; returns the connection as the hub sees it. */
async function started({ connection, attach, hub }: Connected, over: ClassicTransport): Promise<HubConnection> {
  attach(over);
  await connection.initialize(over);
  await connection.start();
  const member = hub.connection('c');
  assert.ok(member);
  return member;
}

/** Runs five turns of one step each, enough for every message a test here sends. */
async function nextTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

it('messages queued before a client resumed are not sent after it', async () => {
  const resumed: string[] = [];
  const client = connect({ onResumed: (cursor) => resumed.push(cursor) });
  const [first, second] = [transport(), transport()];
  const member = await started(client, first);
  member.send('news', ['a'], '1');
  member.send('news', ['b'], '2');
  client.attach(second);
  client.connection.resume('1');
  member.send('news', ['b again'], '2');
  await nextTurns();
  assert.deepEqual(first.sent, ['greeting 0', 'a 1']);
  assert.deepEqual(second.sent, ['b again 2']);
  assert.deepEqual(resumed, ['1']);
});

it('without recovery the last messages are buffered and sent again, queued ones included', async () => {
  const client = connect(undefined);
  const [first, second] = [transport(), transport()];
  const member = await started(client, first);
  const cursor = first.sent[0]?.replace('greeting ', '');
  member.send('news', ['a']);
  member.send('news', ['b']);
  client.attach(second);
  client.connection.resume(cursor);
  await nextTurns();
  assert.equal(first.sent.length, 2);
  assert.equal(second.sent[0], '1 again');
  assert.match(second.sent[1] ?? '', /^b /);
});

it('the client state is sent until the client has it, and comes back with the client', async () => {
  const resumed: unknown[] = [];
  const onResumed = (...args: unknown[]) => void resumed.push(args);
  const client = connect({ onResumed });
  const lost = transport();
  const member = await started(client, lost);
  for (const text of ['x', 'y', 'y']) member.setClientState?.(text);
  await nextTurns();
  assert.deepEqual(lost.sent, ['greeting 0', 'keep 1.x at 0', 'keep 2.y at 0']);
  const [late, level, elsewhere] = [transport(), transport(), transport()];
  client.attach(late);
  client.connection.resume('0', '1.x');
  client.attach(level);
  client.connection.resume('0', '2.y');
  assert.deepEqual([late.sent, level.sent], [['keep 2.y at 0'], []]);
  const restarted = connect({ onResumed });
  restarted.attach(elsewhere);
  restarted.connection.resume('0', '2.y');
  restarted.hub.connection('c')?.setClientState?.('z');
  await nextTurns();
  assert.deepEqual(elsewhere.sent, ['keep 3.z at 0']);
  client.connection.resume('0', '3.z');
  assert.deepEqual(
    resumed,
    ['y', 'y', 'y', 'z'].map((text) => ['0', text]),
  );
});

it('sends a cursor only when it changed', async () => {
  const client = connect({ onResumed: () => {} });
  const only = transport();
  const member = await started(client, only);
  for (const cursor of ['0', '5', '5']) {
    member.advance(cursor);
    await nextTurns();
  }
  assert.deepEqual(only.sent, ['greeting 0', 'at 5']);
});

it('a client that left before it started does not become a member', async () => {
  const client = connect(undefined);
  client.attach(transport());
  client.connection.destroy();
  assert.equal(await client.connection.start(), false);
  assert.equal(client.hub.size, 0);
});
