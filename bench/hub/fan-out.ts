// How many messages a second reach 5,000 clients, as a ratio to a bare WebSocket server in the same run.

import type { ChildProcess } from 'node:child_process';
import { until } from '../../test/harness/until.ts';
import type { Subject } from '../server.ts';
import { ask } from './asking.ts';
import { listen } from './listener.ts';
import type { Told } from './load.ts';
import { median, type Stage, tell } from './stage.ts';
import { now } from './time.ts';

const clients = 5_000;
const rounds = 5;
const barShare = 0.9;

type Measured = { readonly subject: Subject; readonly load: ChildProcess };

/** Each answers how long it took to deliver all of it, in ms. */
const ways = {
  /** The next message when all have got the one before, from the first of them to the last. */
  'one by one': {
    broadcasts: 10,
    async deliver({ subject, load }: Measured): Promise<number> {
      let spent = 0;
      for (let n = 0; n < this.broadcasts; n++) {
        await ask(load, 'begin', { noteTimes: false });
        const allTold = ask<Told>(load, 'untilTold', clients);
        await tell(subject, 1);
        const { firstAt, lastAt } = await allTold;
        spent += lastAt - firstAt;
      }
      return spent;
    },
  },
  /** All messages as fast as they are taken, from the first sending to the last coming. */
  'in a burst': {
    broadcasts: 40,
    async deliver({ subject, load }: Measured): Promise<number> {
      await ask(load, 'begin', { noteTimes: false });
      const allTold = ask<Told>(load, 'untilTold', clients * this.broadcasts);
      const begin = now();
      await tell(subject, this.broadcasts);
      return (await allTold).lastAt - begin;
    },
  },
} as const;

type Figures = { readonly rates: number[]; readonly cpu: number[] };

/** Adds messages a second, and microseconds of the server's processor for each. */
async function measure(measured: Measured, way: keyof typeof ways, { rates, cpu }: Figures): Promise<void> {
  const { name, process } = measured.subject;
  const deliveries = clients * ways[way].broadcasts;
  const cpuBefore = await ask<number>(process, 'cpu');
  const rate = (1_000 * deliveries) / (await ways[way].deliver(measured));
  const each = (1_000 * ((await ask<number>(process, 'cpu')) - cpuBefore)) / deliveries;
  rates.push(rate);
  cpu.push(each);
  console.log(`  ${way} ${name.padEnd(8)} ${rate.toFixed(0).padStart(8)} /s  ${each.toFixed(1)} µs of processor each`);
}

/** Whether the bar is held that way. */
async function compare(bare: Measured, tocsin: Measured, way: keyof typeof ways): Promise<boolean> {
  const [ofBare, ofTocsin]: [Figures, Figures] = [
    { rates: [], cpu: [] },
    { rates: [], cpu: [] },
  ];
  for (let round = 0; round < rounds; round++) {
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

/** Whether the bar is held; medians, in rounds that take turns. */
export async function fanOut(stage: Stage): Promise<boolean> {
  const [bare, tocsin] = [await stage.bareServer(), await stage.tocsin()];
  const length = await prepare(stage, bare, tocsin);
  const bareCrowd = { subject: bare, load: await stage.connectionLimit(bare, clients) };
  const tocsinCrowd = { subject: tocsin, load: await stage.connectionLimit(tocsin, clients) };
  console.log(`fan-out: ${clients} clients, messages of ${length} bytes`);
  const isHeldEach = await compare(bareCrowd, tocsinCrowd, 'one by one');
  return (await compare(bareCrowd, tocsinCrowd, 'in a burst')) && isHeldEach;
}

/** Gives the bare server the very text that Tocsin sends for an alarm; answers its length. */
async function prepare(stage: Stage, bare: Subject, tocsin: Subject): Promise<number> {
  const alarms = await listen(stage, tocsin);
  await tell(tocsin, 1);
  const alarm = await until(
    () => alarms[0],
    (first) => first !== undefined,
  );
  const text = `${JSON.stringify({ type: 1, target: 'onAlarm', arguments: [alarm] })}\x1e`;
  await fetch(`${bare.url}/prepare`, { method: 'POST', body: text });
  return text.length;
}
