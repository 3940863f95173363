// The same hub scenarios for every transport and protocol, run by the published clients against the SignalR server.

import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { type IStreamResult, Subject } from '@microsoft/signalr';
import { people, type Rig, startRig } from '../../packages/signalr/test/harness/rig.ts';
import { startProxy } from '../../packages/signalr/test/harness/tcp-proxy.ts';
import { untilEqual } from '../../packages/signalr/test/harness/until.ts';

/** A started client of the test hub, of either protocol family. */
export interface TransportClient {
  /** The id of its connection. */
  readonly id: string | null;
  /** `reconnecting`, `reconnected` and `disconnected`, in the order in which they happened. */
  readonly states: readonly string[];
  /** The error messages that its family defines. */
  readonly messages: {
    failed(method: string): string;
    refused(method: string, reason: string): string;
    unknown(method: string): string;
  };
  invoke(method: string, ...args: unknown[]): Promise<unknown>;
  /** Calls a method without waiting for its result. */
  send(method: string, ...args: unknown[]): Promise<void>;
  /** Sets the function that the server calls by that name; its result is sent back where the family can do that. */
  on(target: string, handler: (...args: unknown[]) => unknown): void;
  off(target: string): void;
  stream(method: string, ...args: unknown[]): IStreamResult<unknown>;
  stop(): Promise<void>;
}

/** Starts a client of the hub at the URL. */
export type Connect = (t: TestContext, url: string, token?: string) => Promise<TransportClient>;

/** A scenario that a transport cannot pass, and why. */
type Skip = { readonly test: string; readonly reason: string };

type Scene = {
  readonly t: TestContext;
  readonly rig: Rig;
  readonly client: TransportClient;
  /** Starts another client of the same kind, on this hub or on the one at the URL. */
  another(url?: string, token?: string): Promise<TransportClient>;
};

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

function itemsOf(stream: IStreamResult<unknown>): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const items: unknown[] = [];
    stream.subscribe({ next: (item) => items.push(item), complete: () => resolve(items), error: reject });
  });
}

const calls: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
  async 'a method returns its result, with its name in any case'({ client }) {
    const value = { text: 'Grüße\n\u2028', list: [1, null, true, 2.5], nested: { a: {} } };
    assert.deepEqual(await client.invoke('Echo', value), value);
    assert.equal(await client.invoke('nothing'), undefined);
    assert.equal(await client.invoke('myId'), client.id);
  },

  async 'a failed call reveals only the message of a HubException'({ client, rig }) {
    rig.errors.length = 0;
    await assert.rejects(client.invoke('fail'), { message: client.messages.failed('fail') });
    await assert.rejects(client.invoke('refuse'), { message: client.messages.refused('refuse', 'not today') });
    await assert.rejects(client.invoke('noSuch'), { message: client.messages.unknown('noSuch') });
    assert.deepEqual(rig.errors.map(String), ['Error: a secret of the server']);
  },

  async 'a call without a result runs, and the server calls the client'({ client }) {
    const pushed: unknown[][] = [];
    client.on('pushed', (...args) => pushed.push(args));
    await client.send('pushMe', 1, 'two', { three: 3 });
    await client.send('fail');
    await untilEqual(() => pushed, [[1, 'two', { three: 3 }]]);
  },

  async 'a hundred calls at once each get their own result'({ client }) {
    assert.deepEqual(await Promise.all(upTo(100).map((number) => client.invoke('echo', number))), upTo(100));
  },

  async 'the server sends to all, to some and to groups'({ client, rig, another }) {
    const other = await another();
    const heard: string[] = [];
    client.on('news', (text) => heard.push(`client ${text}`));
    other.on('news', (text) => heard.push(`other ${text}`));
    await client.invoke('join', 'first');
    await other.invoke('join', 'both');
    await client.invoke('join', 'both');
    await rig.live.broadcast('news', ['all']);
    await rig.live.broadcast('news', ['some'], ({ id }) => id === other.id);
    await rig.live.sendTo({ groups: ['first'] }, 'news', ['group']);
    await rig.live.sendTo({ groups: ['both'] }, 'news', ['both']);
    await other.invoke('leave', 'both');
    await rig.live.sendTo({ groups: ['both'] }, 'news', ['left']);
    await rig.live.sendTo({ groups: ['empty'] }, 'news', ['nobody']);
    await rig.live.broadcast('news', ['end']);
    await untilEqual(
      () => heard.toSorted(),
      [
        ...['client all', 'client both', 'client end', 'client group', 'client left'],
        ...['other all', 'other both', 'other end', 'other some'],
      ],
    );
    await other.stop();
  },

  async 'broadcasts arrive in order, each once'({ client, rig }) {
    const heard: unknown[] = [];
    client.on('news', (number) => heard.push(number));
    for (const number of upTo(50)) await rig.live.broadcast('news', [number]);
    await untilEqual(() => heard, upTo(50));
  },
};

const lives: typeof calls = {
  async 'the hub learns of the connection and of its end'({ client, rig }) {
    const { id } = client;
    assert.equal(rig.seen.at(-1), `connected ${id}`);
    await client.stop();
    await untilEqual(() => rig.seen.at(-1), `disconnected ${id}`);
  },

  async 'a client without a valid token is refused, one with it is its principal'({ t, another }) {
    const rig = await startRig({ authenticate: people({ secret: { id: 'anna' } }) });
    t.after(() => rig.stop());
    await assert.rejects(another(rig.url));
    await assert.rejects(another(rig.url, 'wrong'));
    const client = await another(rig.url, 'secret');
    assert.equal(await client.invoke('whoAmI'), 'anna');
    await client.stop();
  },

  async 'a closed client reconnects if the server allows it'({ client }) {
    await client.send('goAway', true);
    await untilEqual(() => client.states, ['reconnecting', 'reconnected']);
    assert.equal(await client.invoke('echo', 'again'), 'again');
  },

  async 'a closed client stays away if the server does not allow reconnecting'({ client }) {
    await client.send('goAway', false);
    await untilEqual(() => client.states, ['disconnected']);
  },

  async 'a client whose connection is cut resumes it and misses nothing'({ t, rig, another }) {
    const proxy = await startProxy(rig.port);
    t.after(() => proxy.stop());
    const client = await another(rig.url.replace(String(rig.port), String(proxy.port)));
    const heard: unknown[] = [];
    client.on('news', (text) => heard.push(text));
    await rig.live.broadcast('news', ['before']);
    await untilEqual(() => heard, ['before']);
    const connectionsBefore = proxy.count;
    proxy.cut();
    for (const news of ['one', 'two']) await rig.live.broadcast('news', [news]);
    await untilEqual(() => proxy.count > connectionsBefore, true);
    await rig.live.broadcast('news', ['after']);
    await untilEqual(() => heard, ['before', 'one', 'two', 'after']);
    assert.equal(await client.invoke('myId'), client.id);
    assert.deepEqual(
      rig.seen.filter((line) => line.endsWith(` ${client.id}`)),
      [`connected ${client.id}`],
      'to the hub it is the same connection',
    );
    await client.stop();
  },
};

const streams: typeof calls = {
  async 'a stream arrives whole, and its failure without details'({ client }) {
    assert.deepEqual(await itemsOf(client.stream('count', 500)), upTo(500));
    await assert.rejects(itemsOf(client.stream('breaks')), {
      message: 'An error occurred on the server while streaming results.',
    });
  },

  async 'a stream is not called as a method, nor a method as a stream'({ client }) {
    await assert.rejects(client.invoke('count', 3), {
      message: "The client attempted to invoke the streaming 'count' method with a non-streaming invocation.",
    });
    await assert.rejects(itemsOf(client.stream('echo', 3)), {
      message: "The client attempted to invoke the non-streaming 'echo' method with a streaming invocation.",
    });
  },

  async 'a stream that the client cancels ends on the server'({ client, rig }) {
    rig.seen.length = 0;
    let items = 0;
    const subscription = client.stream('forever').subscribe({ next: () => items++, complete() {}, error() {} });
    await untilEqual(() => items > 20, true);
    subscription.dispose();
    await untilEqual(() => rig.seen, ['stream begun', 'stream ended']);
  },

  async 'the client uploads a stream, also while it receives one'({ client }) {
    const numbers = new Subject<number>();
    const sum = client.invoke('sum', numbers);
    for (const number of upTo(50)) numbers.next(number);
    numbers.complete();
    assert.equal(await sum, 1275);

    const more = new Subject<number>();
    const doubled = itemsOf(client.stream('double', more));
    for (const number of upTo(3)) more.next(number);
    more.complete();
    assert.deepEqual(await doubled, [2, 4, 6]);
  },

  async 'a failed upload reaches the method as an error with its text'({ client, rig }) {
    rig.errors.length = 0;
    const numbers = new Subject<number>();
    const sum = client.invoke('sum', numbers);
    numbers.next(1);
    numbers.error(new Error('no more'));
    await assert.rejects(sum, { message: client.messages.refused('sum', 'no more') });
    assert.deepEqual(rig.errors, []);
  },

  async 'a stream that throws before its first item fails like a method'({ client }) {
    await assert.rejects(itemsOf(client.stream('failAtOnce')), { message: client.messages.failed('failAtOnce') });
    const message = client.messages.refused('refuseAtOnce', 'not today');
    await assert.rejects(itemsOf(client.stream('refuseAtOnce')), { message });
  },
};

const results: typeof calls = {
  async 'the server gets the result of a client function, also during a call of the client'({ client, rig }) {
    client.on('answer', async (question) => `${question}? yes`);
    assert.equal(await client.invoke('askMe', 'ready'), 'ready? yes');
    const connection = [...rig.live.connections()].find(({ id }) => id === client.id);
    assert.equal(await connection?.invoke('answer', ['well']), 'well? yes');
    client.off('answer');
    await assert.rejects(async () => connection?.invoke('answer', ['well']), /Client didn't provide a result/);
  },

  async 'the server gets results of the client while its calls and its upload wait'({ client }) {
    client.on('answer', async (number) => Number(number) * 2);
    const numbers = new Subject<number>();
    const sum = client.invoke('sumOfAnswers', numbers);
    const asked = client.invoke('askMe', 21);
    const waiting = upTo(60).map((number) => client.invoke('echo', number));
    for (const number of upTo(60)) numbers.next(number);
    numbers.complete();
    assert.deepEqual([await sum, await asked, (await Promise.all(waiting)).length], [3660, 42, 60]);
  },
};

const scenarios = { ...calls, ...lives, ...streams, ...results };

/** The titles of the scenarios of one feature, for a transport that does not have it. */
export const scenariosOf = {
  streams: Object.keys(streams),
  clientResults: Object.keys(results),
  resuming: ['a client whose connection is cut resumes it and misses nothing'],
} as const;

/** Runs every scenario with clients that `connect` starts. A transport that differs names the scenario and the reason. */
export function transportConformance(name: string, connect: Connect, { skip = [] }: { skip?: readonly Skip[] } = {}) {
  for (const { test } of skip) assert.ok(Object.hasOwn(scenarios, test), `${name} skips an unknown test: ${test}`);
  describe(name, () => {
    let rig: Rig;
    before(async () => {
      rig = await startRig();
    });
    after(() => rig.stop());
    for (const [title, run] of Object.entries(scenarios)) {
      const reason = skip.find(({ test }) => test === title)?.reason ?? false;
      it(title, { skip: reason }, async (t) => {
        const another = async (url = rig.url, token?: string) => {
          const client = await connect(t, url, token);
          t.after(() => client.stop());
          return client;
        };
        const client = await another();
        await run({ t, rig, client, another });
        await client.stop();
        await untilEqual(() => [rig.server.connectionCount, rig.live.size], [0, 0]);
      });
    }
  });
}
