// Measures how long alarms, sign-ins, health checks and hub pushes take beside the heaviest requests of other users, as a
// ratio to a calm run: `npm run bench:neighbours`.

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../test/harness/stores/postgres-server.ts';
import { ask as askChild } from './hub/asking.ts';
import { hostile } from './neighbours/hostile.ts';
import { heavy, type LoadCounts, type LoadOptions } from './neighbours/loads.ts';
import { measureManyRows } from './neighbours/many-rows.ts';
import { Probes, type Sample } from './neighbours/probes.ts';
import { openSite, type Site } from './neighbours/site.ts';
import { runBench } from './run-bench.ts';
import { password, startTocsin } from './server.ts';

const seconds = 10;
const aimMs = 250;
const aimRatio = 5;
const several = 4;

const loadFile = fileURLToPath(new URL('./neighbours/loads.ts', import.meta.url));

type Load = { readonly title: string; readonly names: readonly string[]; readonly workers: number };

const loads: readonly Load[] = [
  ...Object.keys(heavy).map((name) => ({ title: name, names: [name], workers: 1 })),
  ...Object.keys(heavy)
    .filter((name) => name !== 'backup')
    .map((name) => ({ title: `${several} × ${name}`, names: [name], workers: several })),
  ...Object.keys(hostile).map((name) => ({ title: name, names: [name], workers: several })),
  { title: 'all of them at once', names: Object.keys(heavy), workers: 1 },
];

async function withLoad(
  site: Site,
  { names, workers }: Load,
  environment: Record<string, string>,
  work: () => Promise<void>,
): Promise<LoadCounts> {
  const { groupIds, userId, scheduleId } = site;
  const { url, token } = site.subject;
  const child: ChildProcess = fork(loadFile, { stdio: 'inherit' });
  const options: LoadOptions = { groupIds, userId, scheduleId, url, token, names, workers, environment };
  try {
    await askChild(child, 'begin', options);
    await work();
    return await askChild<LoadCounts>(child, 'end');
  } finally {
    child.kill();
  }
}

type Quantiles = { readonly p50: number; readonly p99: number; readonly most: number };

function quantilesOf(sample: Sample): Quantiles {
  const sorted = sample.toSorted((one, other) => one - other);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), most: sorted.at(-1) ?? Number.NaN };
}

function printLine(
  title: string,
  samples: Readonly<Record<string, Sample>>,
  calm: ReadonlyMap<string, Quantiles>,
): boolean {
  let isHeld = true;
  const cells = Object.entries(samples).map(([name, sample]) => {
    const { p50, p99, most } = quantilesOf(sample);
    const before = calm.get(name);
    const bar = before && Math.max(aimMs, aimRatio * before.p99);
    const isMissed = bar !== undefined && !(p99 <= bar);
    if (isMissed) isHeld = false;
    const ratio = before === undefined ? '' : ` (×${(p99 / before.p99).toFixed(1)})`;
    return `${name} ${p50.toFixed(0)}/${p99.toFixed(0)}/${most.toFixed(0)} ms${ratio}${isMissed ? ' MISSED' : ''}`;
  });
  console.log(`  ${title.padEnd(36)} ${cells.join('   ')}`);
  return isHeld;
}

async function measure(name: string, folder: string, databaseUrl?: string): Promise<boolean> {
  console.log(`${name}: p50, p99 and maximum of each probe, and the ratio of the p99 to the calm run`);
  const site = await openSite(name, folder, databaseUrl);
  const environment = {
    TOCSIN_DATA_DIR: folder,
    ...(databaseUrl === undefined ? {} : { TOCSIN_DATABASE_URL: databaseUrl }),
  };
  const probes = await Probes.open(site.subject, password);
  let isHeld = true;
  try {
    await probes.run(seconds);
    const calmSamples = await probes.run(seconds);
    const calm = new Map(Object.entries(calmSamples).map(([probe, sample]) => [probe, quantilesOf(sample)]));
    printLine('calm', calmSamples, new Map());
    const only = process.argv[2];
    for (const load of loads.filter(({ title }) => only === undefined || title.includes(only))) {
      let samples: Readonly<Record<string, Sample>> = {};
      const counts = await withLoad(site, load, environment, async () => {
        await pause(500);
        samples = await probes.run(seconds);
      });
      isHeld = printLine(load.title, samples, calm) && isHeld;
      console.log(`  ${''.padEnd(36)} load: ${JSON.stringify(counts)}`);
    }
  } finally {
    probes.close();
    site.subject.process.kill();
  }
  return isHeld;
}

/** The word by which the work on very many rows is measured alone. */
const manyRows = 'rows';

async function measureRows(name: string, folder: string, databaseUrl?: string): Promise<boolean> {
  console.log(`${name}: alarms beside work on very many rows`);
  const subject = await startTocsin(name, folder, databaseUrl);
  try {
    return await measureManyRows(subject, databaseUrl === undefined ? folder : undefined);
  } finally {
    subject.process.kill();
  }
}

await runBench({
  needs: ['PostgreSQL'],
  async measure(folder) {
    const postgres = await startPostgres();
    const run = process.argv[2] === manyRows ? measureRows : measure;
    try {
      const held = [
        await run('SQLite', join(folder, 'sqlite')),
        await run('PostgreSQL', join(folder, 'postgres'), postgres.url),
      ];
      const isHeld = held.every(Boolean);
      console.log(isHeld ? `every p99 is at most ${aimMs} ms or ${aimRatio} times calm` : 'an aim was missed');
      return isHeld;
    } finally {
      await postgres.stop();
    }
  },
});
