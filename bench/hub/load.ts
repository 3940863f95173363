// The process of the many light clients: connects them, counts what they are told and notes when.

import type { Socket } from 'node:net';
import { answerQuestions } from './asking.ts';
import { inTurns } from './in-turns.ts';
import { openRawClient } from './raw-client.ts';
import { now } from './time.ts';

export type ConnectionLimit = { readonly url: string; readonly token: string; readonly count: number };
/** When the first and the last of the messages came. */
export type Told = { readonly firstAt: number; readonly lastAt: number };
export type Latencies = { readonly p50: number; readonly p99: number; readonly most: number };

const connectingAtOnce = 100;

const sockets: Socket[] = [];
let told = 0;
let firstAt = 0;
let lost = 0;
/** How many messages are waited for, and who waits. */
let wanted = Number.POSITIVE_INFINITY;
let onAll: () => void = () => {};
/** For each client when each message came, as far as that is asked for. */
let arrivals: number[][] | undefined;

/** As the published clients do it, and without looking at what else is in the answer. */
async function negotiate({ url, token }: ConnectionLimit): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/alarmHub/negotiate?negotiateVersion=1`, { method: 'POST', headers });
  const { connectionToken } = (await answer.json()) as { connectionToken: string };
  return `/alarmHub?id=${connectionToken}`;
}

async function connectOne(connectionLimit: ConnectionLimit, index: number): Promise<void> {
  const onNews = (count: number): void => {
    if (told === 0) firstAt = now();
    told += count;
    if (arrivals !== undefined) {
      const at = now();
      for (let n = 0; n < count; n++) arrivals[index]?.push(at);
    }
    if (told >= wanted) onAll();
  };
  const onLost = () => {
    lost += 1;
  };
  const path = connectionLimit.token === '' ? '/' : await negotiate(connectionLimit);
  sockets.push(await openRawClient({ ...connectionLimit, path, onNews, onLost }));
}

/** Waits for so many messages. */
function untilTold(count: number): Promise<Told> {
  wanted = count;
  return new Promise((resolve) => {
    onAll = () => resolve({ firstAt, lastAt: now() });
    if (told >= wanted) onAll();
  });
}

/** How long after its sending each message came; `sentAt` in the order in which they came. */
function latencies(sentAt: readonly number[]): Latencies {
  const all = (arrivals ?? []).flatMap((times) => times.map((at, index) => at - (sentAt[index] ?? 0)));
  const sorted = Float64Array.from(all).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}

answerQuestions({
  connect: async (connectionLimit: ConnectionLimit) => {
    await inTurns(connectionLimit.count, connectingAtOnce, (index) => connectOne(connectionLimit, index));
  },
  /** Forgets what came so far. */
  begin: ({ noteTimes }: { noteTimes: boolean }) => {
    told = 0;
    arrivals = noteTimes ? sockets.map(() => []) : undefined;
  },
  untilTold,
  latencies,
  lost: () => lost,
});
// Kept alive by the channel, whose end is the end of the bench.
process.channel?.ref();
process.on('disconnect', () => process.exit());
