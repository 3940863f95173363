// Fills an empty store with a year of generated history, for measurements: `npm run bench:seed`.

import { parseArgs } from 'node:util';
import { number, secondsSince, showProgress } from '../src/cli/progress.ts';
import { AppError, exitCodes, StartError } from '../src/errors.ts';
import { seedStore } from './seed/seed-store.ts';
import { dayMs } from './seed/year.ts';
import { password } from './server.ts';

const usage = `Usage: npm run bench:seed -- --folder FOLDER [--url postgres://…] [--rows 10000000] [--tags 20000] [--users 20] [--days 365] [--password WORDS]
Fills the empty store in FOLDER (SQLite), or in the database that --url names (PostgreSQL), with made-up history.`;

const defaults = { rows: '10000000', tags: '20000', users: '20', days: '365', password };

function readOptions(words: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { folder: text, url: text, rows: text, tags: text, users: text, days: text, password: text };
  try {
    const { values } = parseArgs({ args: [...words], options, strict: true });
    const { folder, url, rows, tags, users, days, password } = { ...defaults, ...values };
    if (folder === undefined) throw new Error('--folder is missing');
    const tagCount = wholeNumber('--tags', tags);
    // With fewer tags there may be no tag at rest at some instant.
    if (tagCount < 100) throw new Error('--tags must be at least 100');
    return {
      folder,
      databaseUrl: url,
      rows: wholeNumber('--rows', rows),
      tags: tagCount,
      users: wholeNumber('--users', users),
      spanMs: wholeNumber('--days', days) * dayMs,
      adminPassword: password,
    };
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}.\n${usage}`, 'bad-usage');
  }
}

function wholeNumber(option: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${option} must be a whole number above 0, not "${text}"`);
  return Number(text);
}

async function seedFromOptions(words: readonly string[]): Promise<void> {
  const wanted = readOptions(words);
  const begin = performance.now();
  const progress = showProgress('made up', wanted.rows);
  await seedStore({
    ...wanted,
    now: Date.now(),
    onRows: (rows) => progress.add(rows),
    onStep(doing) {
      progress.end();
      console.error(`${secondsSince(begin)}: ${doing}`);
    },
  });
  console.log(
    `${number(wanted.rows)} entries in ${secondsSince(begin)}; the administrator is "admin", "${wanted.adminPassword}".`,
  );
}

try {
  await seedFromOptions(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof StartError || error instanceof AppError)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof StartError ? error.exitCode : exitCodes.fault;
}
