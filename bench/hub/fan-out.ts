// Measures how many messages a second reach 5,000 clients, as a ratio to a bare WebSocket server in the same run.

import type { ChildProcess } from 'node:child_process';
import { until } from '../../test/harness/until.ts';
import type { Subject } from '../server.ts';
import { ask } from './asking.ts';
import { listen } from './listener.ts';
import type { Received } from './load.ts';
import { broadcast, median, type Stage } from './stage.ts';
import { now } from './time.ts';

const clients = 5_000;
const passes = 5;
const barShare = 0.9;

type Measured = { readonly subject: Subject; readonly load: ChildProcess };

/** Each returns how long it took to deliver all messages, in ms. */
const ways = {
  /** Sends the next message when all clients have the previous one; measures from the first delivery to the last. */
  'one by one': {
    broadcasts: 10,
    async deliver({ subject, load }: Measured): Promise<number> {
      let spent = 0;
      for (let n = 0; n < this.broadcasts; n++) {
        await ask(load, 'begin', { noteTimes: false });
        const allReceived = ask<Received>(load, 'untilReceived', clients);
        await broadcast(subject, 1);
        const { firstAt, lastAt } = await allReceived;
        spent += lastAt - firstAt;
      }
      return spent;
    },
  },
  /** Sends all messages as fast as they are accepted; measures from the first send to the last delivery. */
  'in a burst': {
    broadcasts: 40,
    async deliver({ subject, load }: Measured): Promise<number> {
      await ask(load, 'begin', { noteTimes: false });
      const allReceived = ask<Received>(load, 'untilReceived', clients * this.broadcasts);
      const begin = now();
      await broadcast(subject, this.broadcasts);
      return (await allReceived).lastAt - begin;
    },
  },
} as const;

type Measurements = { readonly rates: number[]; readonly cpu: number[] };

/** Adds a measurement: messages per second, and microseconds of the server's CPU time for each. */
async function measure(measured: Measured, way: keyof typeof ways, { rates, cpu }: Measurements): Promise<void> {
  const { name, process } = measured.subject;
  const deliveries = clients * ways[way].broadcasts;
  const cpuBefore = await ask<number>(process, 'cpu');
  const rate = (1_000 * deliveries) / (await ways[way].deliver(measured));
  const each = (1_000 * ((await ask<number>(process, 'cpu')) - cpuBefore)) / deliveries;
  rates.push(rate);
  cpu.push(each);
  console.log(`  ${way} ${name.padEnd(8)} ${rate.toFixed(0).padStart(8)} /s  ${each.toFixed(1)} µs of processor each`);
}

/** Returns whether the bar is met for this way of sending. */
async function compare(bare: Measured, tocsin: Measured, way: keyof typeof ways): Promise<boolean> {
  const [ofBare, ofTocsin]: [Measurements, Measurements] = [
    { rates: [], cpu: [] },
    { rates: [], cpu: [] },
  ];
  for (let pass = 0; pass < passes; pass++) {
    await measure(bare, way, ofBare);
    await measure(tocsin, way, ofTocsin);
  }
  const [bareRate, tocsinRate] = [median(ofBare.rates), median(ofTocsin.rates)];
  const cpuRatio = median(ofTocsin.cpu) / median(ofBare.cpu);
  console.log(
    `fan-out ${way}: ${bareRate.toFixed(0)} /s bare, ${tocsinRate.toFixed(0)} /s Tocsin: ` +
      `${((100 * tocsinRate) / bareRate).toFixed(0)} %, with ${(100 * cpuRatio).toFixed(0)} % of the processor time, ` +
      `bar ${100 * barShare} %`,
  );
  return tocsinRate / bareRate >= barShare;
}

/** Returns whether the bar is met, by medians of alternating passes. */
export async function fanOut(stage: Stage): Promise<boolean> {
  const [bare, tocsin] = [await stage.bareServer(), await stage.tocsin()];
  const length = await prepare(stage, bare, tocsin);
  const bareClients = { subject: bare, load: await stage.lightClients(bare, clients) };
  const tocsinClients = { subject: tocsin, load: await stage.lightClients(tocsin, clients) };
  console.log(`fan-out: ${clients} clients, messages of ${length} bytes`);
  const isHeldEach = await compare(bareClients, tocsinClients, 'one by one');
  return (await compare(bareClients, tocsinClients, 'in a burst')) && isHeldEach;
}

/** Gives the bare server the exact text that Tocsin sends for an alarm, and returns its length. */
async function prepare(stage: Stage, bare: Subject, tocsin: Subject): Promise<number> {
  const alarms = await listen(stage, tocsin);
  await broadcast(tocsin, 1);
  const alarm = await until(
    () => alarms[0],
    (first) => first !== undefined,
  );
  const text = `${JSON.stringify({ type: 1, target: 'onAlarm', arguments: [alarm] })}\x1e`;
  await fetch(`${bare.url}/prepare`, { method: 'POST', body: text });
  return text.length;
}
