// Tests clients on a slow link: whoever reads gets everything, however much waits, over every transport of both families.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { HttpTransportType } from '@microsoft/signalr';
import { cursorOf, HandClient } from './harness/classic-client.ts';
import { makeClient, type Protocol } from './harness/core-client.ts';
import { type Rig, startRig } from './harness/rig.ts';
import { startSlowLink } from './harness/slow-link.ts';
import { until } from './harness/until.ts';

/** Together more than the kernel buffers between server and client. */
const count = 1_000;
const filling = 'x'.repeat(10_000);
const bytesPerSecond = 8_000_000;
const withinMs = 60_000;

const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType;

/** Connects a client at the address; returns the numbers that it receives and how often its connection broke. */
type Connect = (
  t: TestContext,
  url: string,
) => Promise<{ readonly numbers: () => readonly number[]; breaks(): number }>;

const core =
  (transport: HttpTransportType, protocol: Protocol = 'json', isStateful = false): Connect =>
  async (t, url) => {
    const client = makeClient(url, { transport, protocol, isStateful });
    const numbers: number[] = [];
    let breaks = 0;
    client.on('news', (number) => numbers.push(number));
    client.onclose(() => {
      breaks += 1;
    });
    await client.start();
    t.after(() => client.stop());
    return { numbers: () => numbers, breaks: () => breaks };
  };

const numbersIn = (text: string): number[] => (JSON.parse(text).M ?? []).map(({ A }: { A: [number] }) => A[0]);

const classicFrames: Connect = async (t, url) => {
  const frames = await (await HandClient.negotiated(url)).started();
  t.after(() => frames.socket.terminate());
  const numbers: number[] = [];
  frames.socket.on('message', (data: Buffer) => numbers.push(...numbersIn(data.toString())));
  return { numbers: () => numbers, breaks: () => (frames.closeCode === undefined ? 0 : 1) };
};

const classicEvents: Connect = async (t, url) => {
  const client = await HandClient.negotiated(url);
  const events = await client.events();
  t.after(() => events.stop());
  await client.start('serverSentEvents');
  const numbers: number[] = [];
  let parsed = 0;
  const parseNew = () => {
    for (let end = events.text.indexOf('\n\n', parsed); end >= 0; end = events.text.indexOf('\n\n', parsed)) {
      const data = events.text.slice(parsed + 'data: '.length, end);
      if (data.startsWith('{')) numbers.push(...numbersIn(data));
      parsed = end + 2;
    }
    return numbers;
  };
  return { numbers: parseNew, breaks: () => (events.isOver ? 1 : 0) };
};

const classicPolls: Connect = async (t, url) => {
  const client = await HandClient.negotiated(url);
  const numbers: number[] = [];
  let isOver = false;
  let cursor = cursorOf((await client.poll('connect')).text);
  await client.start('longPolling');
  t.after(() => {
    isOver = true;
  });
  const poll = async () => {
    while (!isOver && numbers.length < count) {
      const { text } = await client.poll('poll', cursor);
      numbers.push(...numbersIn(text));
      cursor = cursorOf(text);
    }
  };
  void poll().catch(() => {});
  return { numbers: () => numbers, breaks: () => 0 };
};

const kinds: Readonly<Record<string, Connect>> = {
  'a WebSocket': core(WebSockets),
  'a WebSocket with MessagePack': core(WebSockets, 'messagepack'),
  'a WebSocket with stateful reconnect': core(WebSockets, 'json', true),
  'Server-Sent Events': core(ServerSentEvents),
  'long polling': core(LongPolling),
  'a classic WebSocket': classicFrames,
  'classic Server-Sent Events': classicEvents,
  'classic long polling': classicPolls,
};

async function connectSlowly(t: TestContext, rig: Rig, connect: Connect) {
  const link = await startSlowLink(rig.port, bytesPerSecond);
  t.after(() => link.stop());
  return connect(t, `http://127.0.0.1:${link.port}/hub`);
}

for (const [kind, connect] of Object.entries(kinds)) {
  test(`a client on a slow link gets every message of a burst over ${kind}`, async (t) => {
    const rig = await startRig();
    t.after(() => rig.stop());
    const client = await connectSlowly(t, rig, connect);
    await until(
      () => rig.live.size,
      (size) => size === 1,
    );
    for (let number = 1; number <= count; number++) void rig.live.broadcast('news', [number, filling]);
    const isOver = () => client.numbers().length >= count || client.breaks() > 0;
    await until(isOver, (is) => is, withinMs);
    const { numbers, breaks } = { numbers: client.numbers(), breaks: client.breaks() };
    assert.deepEqual({ received: numbers.length, breaks }, { received: count, breaks: 0 });
    assert.deepEqual(
      numbers,
      Array.from({ length: count }, (_, index) => index + 1),
    );
  });
}
