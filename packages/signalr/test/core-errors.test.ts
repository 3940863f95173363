// Tests the errors that clients of ASP.NET Core SignalR and classic SignalR 2 get for calls that fail or do not fit.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type HubConnection as Client, Subject } from '@microsoft/signalr';
import { defineHub, HubException } from '../src/hub.ts';
import { HandClient } from './harness/classic-client.ts';
import { makeClient, type Protocol } from './harness/core-client.ts';
import { HandSocket, json } from './harness/hand-socket.ts';
import { type Rig, startRig } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

const hub = defineHub({
  name: 'errors',
  methods: {
    add: { parameters: ['number', 'number'], run: (_call, a: number, b: number) => a + b },
    kinds: {
      parameters: ['string', 'boolean', 'list', 'object', 'bytes', 'any', (value) => value === 7],
      run: (_call, ...args) => args.length,
    },
    total: {
      parameters: ['number', 'stream'],
      run: async ({ uploads: [items] }, start: number) => {
        let sum = start;
        for await (const item of items ?? []) sum += Number(item);
        return sum;
      },
    },
    fail: () => {
      throw new RangeError('a secret of the server');
    },
    refuse: () => {
      throw new HubException('not today', { until: 'tomorrow' });
    },
  },
  streams: {
    few: {
      parameters: ['number'],
      async *run(_call, count: number) {
        for (let number = 1; number <= count; number++) yield number;
        throw new RangeError('a secret of the server');
      },
    },
  },
  onConnected: ({ request }) => {
    if (request.query.has('unwelcome')) throw new RangeError('a secret of the server');
  },
});

let rig: Rig;
let open: string;
before(async () => {
  const mounts = [
    { path: '/hub', hub },
    { path: '/detailed', hub, detailedErrors: true },
  ];
  rig = await startRig({ mounts });
  open = rig.url.replace('/hub', '/detailed');
});
after(() => rig.stop());

async function connected<T>(url: string, use: (client: Client) => Promise<T>, protocol: Protocol = 'json'): Promise<T> {
  const client = makeClient(url, { protocol });
  await client.start();
  try {
    return await use(client);
  } finally {
    await client.stop();
  }
}

/** The message of the error that a call is rejected with. */
async function failureOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    (result) => assert.fail(`resolved to ${result}`),
    (error: Error) => error.message,
  );
}

function streamed(client: Client, method: string, ...args: unknown[]): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const items: unknown[] = [];
    client
      .stream(method, ...args)
      .subscribe({ next: (item) => items.push(item), complete: () => resolve(items), error: reject });
  });
}

const failed = (method: string) => `Failed to invoke '${method}' due to an error on the server.`;
const unexpected = (method: string) => `An unexpected error occurred invoking '${method}' on the server.`;

describe('calls that do not fit', () => {
  it('are refused in the words of ASP.NET, without details', async () => {
    rig.errors.length = 0;
    await connected(rig.url, async (client) => {
      assert.equal(await failureOf(client.invoke('none')), `${failed('none')} HubException: Method does not exist.`);
      assert.equal(await failureOf(client.invoke('add', 1)), failed('add'));
      assert.equal(await failureOf(client.invoke('add', 1, '2')), failed('add'));
      assert.equal(await failureOf(streamed(client, 'few')), failed('few'));
      assert.equal(
        await failureOf(client.invoke('total', 1)),
        `${unexpected('total')} HubException: Client sent 0 stream(s), Hub method expects 1.`,
      );
      assert.equal(await client.invoke('add', 1, 2), 3);
    });
    assert.deepEqual(rig.errors, [], 'the mistakes of clients are no errors of the server');
  });

  it('are refused with details where the mount reveals them', async () => {
    await connected(open, async (client) => {
      assert.equal(
        await failureOf(client.invoke('add', 1)),
        `${failed('add')} InvalidDataException: Invocation provides 1 argument(s) but target expects 2.`,
      );
      assert.equal(
        await failureOf(client.invoke('add', 1, null)),
        `${failed('add')} InvalidDataException: Error binding arguments. Make sure that the types of the provided ` +
          'values match the types of the hub method being invoked.',
      );
    });
  });

  it('every kind of parameter takes its own values and no others', async () => {
    const good = ['text', true, [], {}, new Uint8Array([1]), null, 7];
    await connected(
      rig.url,
      async (client) => {
        assert.equal(await client.invoke('kinds', ...good), 7);
        for (const [index, bad] of [1, 'true', {}, [], 'bytes', undefined, 8].entries()) {
          if (bad === undefined) continue;
          assert.equal(await failureOf(client.invoke('kinds', ...good.with(index, bad))), failed('kinds'), `${index}`);
        }
        assert.equal(await failureOf(client.invoke('kinds', ...good.with(3, null))), failed('kinds'), 'null');
        assert.equal(await failureOf(client.invoke('kinds', ...good.with(3, new Uint8Array()))), failed('kinds'));
      },
      'messagepack',
    );
  });

  it('uploads count as declared', async () => {
    await connected(rig.url, async (client) => {
      const items = new Subject<number>();
      const total = client.invoke('total', 1, items);
      items.next(2);
      items.complete();
      assert.equal(await total, 3);
      const unwanted = new Subject<number>();
      assert.equal(
        await failureOf(client.invoke('add', 1, 2, unwanted)),
        `${unexpected('add')} HubException: Client sent 1 stream(s), Hub method expects 0.`,
      );
    });
  });
});

describe('detailed errors', () => {
  it('name every error of methods and streams, and only where the mount reveals them', async () => {
    for (const [url, details] of [
      [rig.url, ''],
      [open, ' RangeError: a secret of the server'],
    ] as const) {
      await connected(url, async (client) => {
        assert.equal(await failureOf(client.invoke('fail')), `${unexpected('fail')}${details}`);
        assert.equal(await failureOf(streamed(client, 'few', 0)), `${unexpected('few')}${details}`);
        const later = await failureOf(streamed(client, 'few', 2));
        assert.equal(later, `An error occurred on the server while streaming results.${details}`);
      });
    }
  });

  it('name the error that closed the connection', async () => {
    for (const [url, details] of [
      [rig.url, ''],
      [open, ' RangeError: a secret of the server'],
    ] as const) {
      const hand = await HandSocket.connect(`${url}?unwelcome=1`);
      const error = `Connection closed with an error.${details}`;
      await untilEqual(() => hand.records[1], JSON.stringify({ type: 7, error }));
    }
    const garbled = await HandSocket.connect(open);
    garbled.socket.send(json.message('no message'));
    await untilEqual(() => garbled.closeCode, 1000);
    assert.match(garbled.records[1] ?? '', /Connection closed with an error\. \w+: A message is not a JSON object/);
  });

  it('and the data of a HubException reach classic clients', async () => {
    for (const [url, fail, kinds] of [
      [
        rig.url,
        "There was an error invoking Hub method 'errors.fail'.",
        "There was an error invoking Hub method 'errors.add'.",
      ],
      [open, 'a secret of the server', undefined],
    ] as const) {
      const client = await HandClient.negotiated(url, { connectionData: '[{"name":"errors"}]' });
      await client.poll('connect');
      await client.start('longPolling');
      const send = async (M: string, ...A: unknown[]) =>
        JSON.parse((await client.send('longPolling', { H: 'errors', M, A, I: 0 })).text);
      assert.deepEqual(await send('fail'), { I: '0', E: fail });
      assert.deepEqual(await send('refuse'), { I: '0', H: true, E: 'not today', D: { until: 'tomorrow' } });
      assert.deepEqual(await send('add', 1), { I: '0', E: "'add' method could not be resolved." });
      assert.equal((await send('add', 1, 2)).R, 3);
      const { E } = await send('add', 1, '2');
      if (kinds !== undefined) assert.equal(E, kinds);
      else assert.match(E, /^Error binding arguments\./);
      await client.ask('abort', { transport: 'longPolling' }, { method: 'POST' });
    }
  });
});
