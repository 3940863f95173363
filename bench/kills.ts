// Kills the server with -9 at random while 2,000 calls are due, on both databases and of either of two nodes: `npm run
// bench:kills`.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KillCounts, killDuringCalls } from '../test/harness/kills/kill-calls.ts';
import { adminPassword } from '../test/harness/site/app.ts';
import { startPostgres } from '../test/harness/stores/postgres-server.ts';

const calls = 2_000;
const kills = 8;
/** Longer than a lease, so that a call meets one kill and not several: measured is how soon it continues after one. */
const restMs = [11_000, 14_000] as const;

const folder = await mkdtemp(join(tmpdir(), 'tocsin-kills-'));
const settings = (name: string, databaseUrl?: string): Record<string, string> => ({
  TOCSIN_PORT: '0',
  TOCSIN_DATA_DIR: join(folder, name),
  TOCSIN_ADMIN_PASSWORD: adminPassword,
  TOCSIN_LOG_LEVEL: 'silent',
  ...(databaseUrl === undefined ? {} : { TOCSIN_DATABASE_URL: databaseUrl }),
});

function report(name: string, counts: KillCounts): boolean {
  const { missed, extraAttempts, extraMessages, latestMs } = counts;
  const isWithinBar = missed === 0 && extraAttempts === 0 && extraMessages === 0 && latestMs < 15_000;
  console.log(
    `${isWithinBar ? 'ok    ' : 'MISSED'} ${name.padEnd(22)} ${counts.calls} calls, ${counts.kills} kills: ${missed} missed, ${extraAttempts} attempts too many, ${extraMessages} messages twice, the latest delivered ${latestMs} ms after it fell due`,
  );
  return isWithinBar;
}

type Plan = readonly [name: string, environments: (databaseUrl: string) => readonly Record<string, string>[]];

const plans: readonly Plan[] = [
  ['SQLite', () => [settings('sqlite')]],
  ['PostgreSQL', (url) => [settings('one', url)]],
  ['PostgreSQL, two nodes', (url) => [settings('left', url), settings('right', url)]],
];

try {
  const results: boolean[] = [];
  for (const [name, environments] of plans) {
    const postgres = await startPostgres();
    try {
      const counts = await killDuringCalls({ environments: environments(postgres.url), calls, kills, restMs });
      results.push(report(name, counts));
    } finally {
      await postgres.stop();
    }
  }
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
