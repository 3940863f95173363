// Kills the server with -9 at random while 2,000 calls are due, on both databases and of either of two nodes: `npm run
// bench:kills`; `npm run bench:kills 500 nodes` with 500 calls, and of the three alone those with that word.

import { join } from 'node:path';
import { type KillCounts, killDuringCalls } from '../test/harness/kills/kill-calls.ts';
import { adminPassword } from '../test/harness/site/app.ts';
import { startPostgres } from '../test/harness/stores/postgres-server.ts';
import { runBench } from './run-bench.ts';

const words = process.argv.slice(2);
const calls = Number(words.find((word) => Number(word) > 0) ?? 2_000);
const wanted = words.filter((word) => Number.isNaN(Number(word)));
const kills = 8;
/** Groups whose people answer nothing. */
const crews = 10;
/** Longer than a lease, so that a call meets one kill and not several: measured is how soon it continues after one. */
const restMs = [11_000, 14_000] as const;

const settings = (dataDir: string, databaseUrl?: string): Record<string, string> => ({
  TOCSIN_PORT: '0',
  TOCSIN_DATA_DIR: dataDir,
  TOCSIN_ADMIN_PASSWORD: adminPassword,
  TOCSIN_LOG_LEVEL: 'silent',
  ...(databaseUrl === undefined ? {} : { TOCSIN_DATABASE_URL: databaseUrl }),
});

function report(name: string, counts: KillCounts): boolean {
  const { missed, extraAttempts, extraMessages, latestMs, violations } = counts;
  const isWithinBar = missed + extraAttempts + extraMessages + violations.length === 0 && latestMs < 15_000;
  console.log(
    `${isWithinBar ? 'ok    ' : 'MISSED'} ${name.padEnd(22)} ${counts.calls} calls, ${counts.kills} kills: ${missed} missed, ${extraAttempts} attempts too many, ${extraMessages} messages twice, the latest delivered ${latestMs} ms after it fell due; ${counts.crewAttempts} attempts for ${counts.crewAlarms} alarms that nobody answers, ${violations.length} violations`,
  );
  for (const violation of violations) console.log(`       ${violation}`);
  return isWithinBar;
}

type Environments = (folder: string, databaseUrl: string) => readonly Record<string, string>[];

const plans: Readonly<Record<string, Environments>> = {
  SQLite: (folder) => [settings(join(folder, 'sqlite'))],
  'PostgreSQL, one node': (folder, url) => [settings(join(folder, 'one'), url)],
  'PostgreSQL, two nodes': (folder, url) => [settings(join(folder, 'left'), url), settings(join(folder, 'right'), url)],
};

async function measure(folder: string): Promise<boolean> {
  const results: boolean[] = [];
  for (const [name, environmentsIn] of Object.entries(plans)) {
    if (wanted.some((word) => !name.includes(word))) continue;
    const postgres = await startPostgres();
    try {
      const environments = environmentsIn(folder, postgres.url);
      results.push(report(name, await killDuringCalls({ environments, calls, crews, kills, restMs })));
    } finally {
      await postgres.stop();
    }
  }
  return results.every(Boolean);
}

await runBench({ needs: ['PostgreSQL'], measure });
