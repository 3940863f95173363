// Measures how evenly a call of the running server sends while it takes a flood of alarms: `npm run bench:voice`. The telephone is
// in another thread.

import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { runBench } from './run-bench.ts';
import { type Subject, startTocsin } from './server.ts';

const seconds = 15;
const alarmsPerRequest = 200;
const longestGapMs = 40;

/** Times between packets that follow each other in one sentence, in milliseconds, as they arrived. */
type Gaps = readonly number[];

async function ask<T>({ url, token }: Subject, method: string, path: string, body: unknown): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as T;
}

/** Raises alarms as fast as the server takes them; returns how many. */
async function flood(subject: Subject): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let raised = 0;
  for (; performance.now() < end; raised += alarmsPerRequest) {
    const alarms = Array.from({ length: alarmsPerRequest }, (_, n) => ({ path: `Flood/${raised + n}`, priority: 4 }));
    await ask(subject, 'POST', '/alarms/batch', alarms);
  }
  return raised;
}

async function measure(folder: string): Promise<boolean> {
  const phone = new Worker(new URL('./listening-telephone.ts', import.meta.url));
  const [port] = (await once(phone, 'message')) as [number];
  const gaps = async (): Promise<Gaps> => {
    phone.postMessage('gaps');
    return ((await once(phone, 'message')) as [Gaps])[0];
  };
  const subject = await startTocsin('Tocsin', join(folder, 'data'));
  const settings = { host: '127.0.0.1', port, user: 'tocsin' };
  await ask(subject, 'POST', '/providers', { name: 'PBX', channel: 'voice', kind: 'sip', settings });
  const numbers = [{ channel: 'voice', address: '+33100000001' }];
  const id = await ask<number>(subject, 'POST', '/users', { name: 'ana', role: 'operator', numbers });
  const alarmMessage = 'The pressure in the main line is too high, and nobody has looked at it. '.repeat(20);
  const alarmActions = [{ type: 'CallUser', id }];
  await ask(subject, 'POST', '/alarms', { path: 'Pump', priority: 1, alarmMessage, alarmActions });
  while ((await gaps()).length === 0) await pause(100);
  await pause(3_000);
  const alone = await gaps();
  const raised = await flood(subject);
  const beside = await gaps();
  const isEvenAlone = print('alone', alone);
  const isEven = print(`beside ${Math.round(raised / seconds)} alarms a second`, beside);
  subject.process.kill();
  await phone.terminate();
  return isEvenAlone && isEven;
}

function print(name: string, gaps: Gaps): boolean {
  const sorted = gaps.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  const isEven = at(1) <= longestGapMs;
  console.log(
    `${isEven ? 'ok    ' : 'MISSED'} a call ${name}: ${gaps.length} packets, times between them p50 ${at(0.5).toFixed(1)} ms, p99 ${at(0.99).toFixed(1)} ms, longest ${at(1).toFixed(1)} ms (aim ${longestGapMs})`,
  );
  return isEven;
}

await runBench({ needs: [], measure });
