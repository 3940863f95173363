// Measures how evenly a call of the running server sends while it takes a flood of alarms: `npm run bench:voice`. The telephone is
// in another thread.

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { peerSdp, SipPeer } from '../test/harness/telephone/sip-peer.ts';
import { runBench } from './run-bench.ts';
import { type Subject, startTocsin } from './server.ts';

const seconds = 15;
const alarmsPerRequest = 200;
const longestGapMs = 40;

/** Times between packets that follow each other in one sentence, in milliseconds, as they arrived. */
type Gaps = readonly number[];

/** A telephone that picks up and listens. */
async function listen(port: NonNullable<typeof parentPort>): Promise<void> {
  const audio = createSocket('udp4').bind(0, '127.0.0.1');
  await once(audio, 'listening');
  const body = peerSdp((audio.address() as AddressInfo).port);
  const gaps: number[] = [];
  let last = { at: 0, time: Number.NaN };
  audio.on('message', (packet) => {
    const [at, time] = [performance.now(), packet.readUInt32BE(4)];
    if (time - last.time === 160) gaps.push(at - last.at);
    last = { at, time };
  });
  const peer = await SipPeer.start({ after: () => {} } as never, {
    kind: 'script',
    responses: () => [{ status: '200 OK', body }],
  });
  port.on('message', () => port.postMessage(gaps.splice(0)));
  port.postMessage(peer.port);
}

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
  const phone = new Worker(new URL(import.meta.url));
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

if (!isMainThread && parentPort !== null) await listen(parentPort);
else await runBench({ needs: [], measure });
