// The published client, unchanged, over every transport and protocol: calls, streams, results, pushes, groups.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { HttpTransportType, type HubConnection, Subject } from '@microsoft/signalr';
import { makeClient, type Protocol } from './harness/core-client.ts';
import { type Rig, startRig } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

const combinations: readonly (readonly [keyof typeof HttpTransportType, Protocol])[] = [
  ['WebSockets', 'json'],
  ['WebSockets', 'messagepack'],
  ['ServerSentEvents', 'json'],
  ['LongPolling', 'json'],
  ['LongPolling', 'messagepack'],
];

function collect(client: HubConnection, stream: string, ...args: unknown[]): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const items: unknown[] = [];
    client.stream(stream, ...args).subscribe({
      next: (item) => items.push(item),
      complete: () => resolve(items),
      error: reject,
    });
  });
}

for (const [transport, protocol] of combinations) {
  describe(`${protocol} over ${transport}`, () => {
    let rig: Rig;
    let client: HubConnection;
    before(async () => {
      rig = await startRig();
    });
    after(() => rig.stop());
    beforeEach(async () => {
      client = makeClient(rig.url, { protocol, transport: HttpTransportType[transport] });
      await client.start();
    });
    afterEach(async () => {
      await client.stop();
      await untilEqual(() => [rig.server.connectionCount, rig.live.size], [0, 0]);
    });

    it('returns what a method returns, in whatever case it is called', async () => {
      const value = { text: 'Grüße\n\u2028', list: [1, null, true, 2.5], nested: { a: {} } };
      assert.deepEqual(await client.invoke('Echo', value), value);
      assert.equal(await client.invoke('nothing'), undefined);
      assert.equal(await client.invoke('myId'), client.connectionId);
    });

    it('tells of failures no more than it should', async () => {
      await assert.rejects(client.invoke('fail'), {
        message: "An unexpected error occurred invoking 'fail' on the server.",
      });
      await assert.rejects(client.invoke('refuse'), {
        message: "An unexpected error occurred invoking 'refuse' on the server. HubException: not today",
      });
      await assert.rejects(client.invoke('noSuch'), { message: "Unknown hub method 'noSuch'" });
      await assert.rejects(client.invoke('count', 3), {
        message: "The client attempted to invoke the streaming 'count' method with a non-streaming invocation.",
      });
      await assert.rejects(collect(client, 'echo', 3), {
        message: "The client attempted to invoke the non-streaming 'echo' method with a streaming invocation.",
      });
    });

    it('takes what is sent without an answer, and pushes', async () => {
      const pushed: unknown[][] = [];
      client.on('pushed', (...args) => pushed.push(args));
      await client.send('pushMe', 1, 'two', { three: 3 });
      await client.send('fail');
      await untilEqual(() => pushed, [[1, 'two', { three: 3 }]]);
    });

    it('keeps calls in order, one at a time', async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, (_, number) => client.invoke('echo', number)));
      assert.deepEqual(
        answers,
        Array.from({ length: 100 }, (_, number) => number),
      );
    });

    it('streams down', async () => {
      assert.deepEqual(
        await collect(client, 'count', 500),
        Array.from({ length: 500 }, (_, index) => index + 1),
      );
      await assert.rejects(collect(client, 'breaks'), {
        message: 'An error occurred on the server while streaming results.',
      });
    });

    it('ends a stream that the client cancels', async () => {
      rig.seen.length = 0;
      let items = 0;
      const subscription = client.stream('forever').subscribe({ next: () => items++, complete() {}, error() {} });
      await untilEqual(() => items > 20, true);
      subscription.dispose();
      await untilEqual(() => rig.seen, ['stream begun', 'stream ended']);
    });

    it('streams up, and both ways at once', async () => {
      const numbers = new Subject<number>();
      const sum = client.invoke('sum', numbers);
      for (let number = 1; number <= 50; number++) numbers.next(number);
      numbers.complete();
      assert.equal(await sum, 1275);

      const more = new Subject<number>();
      const doubled = collect(client, 'double', more);
      for (const number of [1, 2, 3]) more.next(number);
      more.complete();
      assert.deepEqual(await doubled, [2, 4, 6]);
    });

    it('tells a method that its upload failed', async () => {
      const numbers = new Subject<number>();
      const sum = client.invoke('sum', numbers);
      numbers.error(new Error('no more'));
      await assert.rejects(sum, { message: "An unexpected error occurred invoking 'sum' on the server." });
    });

    it('asks the client, also from within a call of the client', async () => {
      client.on('answer', async (question) => `${question}? yes`);
      assert.equal(await client.invoke('askMe', 'ready'), 'ready? yes');
      const [connection] = rig.live.connections();
      assert.equal(await connection?.invoke('answer', ['well']), 'well? yes');
      client.off('answer');
      await assert.rejects(async () => connection?.invoke('answer', ['well']), /Client didn't provide a result/);
    });

    it('asks the client while its calls and its upload wait', async () => {
      client.on('answer', async (number) => Number(number) * 2);
      const numbers = new Subject<number>();
      const sum = client.invoke('sumOfAnswers', numbers);
      const asked = client.invoke('askMe', 21);
      const waiting = Array.from({ length: 60 }, (_, number) => client.invoke('echo', number));
      for (let number = 1; number <= 60; number++) numbers.next(number);
      numbers.complete();
      assert.deepEqual([await sum, await asked, (await Promise.all(waiting)).length], [3660, 42, 60]);
    });

    it('sends to all, to some and to groups', async () => {
      const other = makeClient(rig.url, { protocol, transport: HttpTransportType[transport] });
      await other.start();
      const heard: string[] = [];
      client.on('news', (text) => heard.push(`client ${text}`));
      other.on('news', (text) => heard.push(`other ${text}`));
      await client.invoke('join', 'first');
      await other.invoke('join', 'both');
      await client.invoke('join', 'both');
      await rig.live.broadcast('news', ['all']);
      await rig.live.broadcast('news', ['some'], ({ id }) => id === other.connectionId);
      await rig.live.sendToGroup('first', 'news', ['group']);
      await rig.live.sendToGroup('both', 'news', ['both']);
      await other.invoke('leave', 'both');
      await rig.live.sendToGroup('both', 'news', ['left']);
      await rig.live.sendToGroup('empty', 'news', ['nobody']);
      await rig.live.broadcast('news', ['end']);
      await untilEqual(
        () => heard.toSorted(),
        [
          ...['client all', 'client both', 'client end', 'client group', 'client left'],
          ...['other all', 'other both', 'other end', 'other some'],
        ],
      );
      await other.stop();
    });

    it('tells the hub of the end', async () => {
      const id = client.connectionId;
      await client.stop();
      await untilEqual(() => rig.seen.slice(-1), [`disconnected ${id}`]);
    });
  });
}
