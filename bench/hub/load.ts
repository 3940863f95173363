// The process of the many light clients: connects them and records how many messages they receive and when.

import type { Socket } from 'node:net';
import { handleRequests } from './asking.ts';
import { inTurns } from './in-turns.ts';
import { openRawClient } from './raw-client.ts';
import { now } from './time.ts';

export type ClientGroup = { readonly url: string; readonly token: string; readonly count: number };
/** When the first and the last of the messages arrived. */
export type Received = { readonly firstAt: number; readonly lastAt: number };
export type Latencies = { readonly p50: number; readonly p99: number; readonly most: number };

const connectingAtOnce = 100;

const sockets: Socket[] = [];
let received = 0;
let firstAt = 0;
let lost = 0;
/** The number of messages waited for, and the callback when they have arrived. */
let wanted = Number.POSITIVE_INFINITY;
let onAll: () => void = () => {};
/** The arrival times of each client's messages, when they are recorded. */
let arrivals: number[][] | undefined;

/** Negotiates as the stock clients do, reading only the connection token. */
async function negotiate({ url, token }: ClientGroup): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/alarmHub/negotiate?negotiateVersion=1`, { method: 'POST', headers });
  const { connectionToken } = (await response.json()) as { connectionToken: string };
  return `/alarmHub?id=${connectionToken}`;
}

async function connectOne(group: ClientGroup, index: number): Promise<void> {
  const onMessages = (count: number): void => {
    if (received === 0) firstAt = now();
    received += count;
    if (arrivals !== undefined) {
      const at = now();
      for (let n = 0; n < count; n++) arrivals[index]?.push(at);
    }
    if (received >= wanted) onAll();
  };
  const onLost = () => {
    lost += 1;
  };
  const path = group.token === '' ? '/' : await negotiate(group);
  sockets.push(await openRawClient({ ...group, path, onMessages, onLost }));
}

/** Waits until `count` messages have arrived. */
function untilReceived(count: number): Promise<Received> {
  wanted = count;
  return new Promise((resolve) => {
    onAll = () => resolve({ firstAt, lastAt: now() });
    if (received >= wanted) onAll();
  });
}

/** Returns how long after it was sent each message arrived; `sentAt` is in the order of arrival. */
function latencies(sentAt: readonly number[]): Latencies {
  const all = (arrivals ?? []).flatMap((times) => times.map((at, index) => at - (sentAt[index] ?? 0)));
  const sorted = Float64Array.from(all).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}

handleRequests({
  connect: async (group: ClientGroup) => {
    await inTurns(group.count, connectingAtOnce, (index) => connectOne(group, index));
  },
  /** Resets the counts. */
  begin: ({ noteTimes }: { noteTimes: boolean }) => {
    received = 0;
    arrivals = noteTimes ? sockets.map(() => []) : undefined;
  },
  untilReceived,
  latencies,
  stopReading: () => {
    for (const socket of sockets) socket.pause();
  },
  lost: () => lost,
});
// Kept alive by the IPC channel, which ends with the bench.
process.channel?.ref();
process.on('disconnect', () => process.exit());
