// `tocsin rescue FILE`: takes what is readable out of a damaged SQLite file and writes it as a backup.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Environment, readConfig } from '../../config.ts';
import { StartError } from '../../errors.ts';
import { schema } from '../../migrations/schema.ts';
import { writeBackup } from '../../store/backup/write-backup.ts';
import { lockFolder } from '../../store/sqlite/folder-lock.ts';
import type { Lost } from '../../store/sqlite/rescue/readable-rows.ts';
import { withRescuedRows } from '../../store/sqlite/rescue/rescue-rows.ts';
import type { Repaired } from '../../store/sqlite/rescue/rescued-references.ts';
import { version } from '../../version.ts';
import { readArguments } from '../arguments.ts';
import { counted, number, secondsSince, showProgress } from '../progress.ts';
import { countsOf } from './backup-content.ts';

export const rescueUsage = 'rescue FILE';

export async function rescue(words: readonly string[], environment: Environment): Promise<void> {
  const { positionals } = readArguments(words, 1, rescueUsage, {});
  const { dataDir, databaseUrl } = readConfig(environment);
  if (databaseUrl !== undefined)
    throw new StartError('Only a SQLite file can be rescued; PostgreSQL has tools of its own.', 'bad-usage');
  const file = resolve(positionals[0] ?? '');
  const begin = performance.now();
  const lock = lockFolder(dataDir);
  try {
    const lost: Lost[] = [];
    const repaired: Repaired[] = [];
    const progress = showProgress('Rescuing');
    const counts = await withRescuedRows(
      dataDir,
      schema,
      ({ batches, ...facts }) => {
        const header = { ...facts, createdAt: new Date().toISOString(), tocsin: version };
        return writeBackup(file, { header, batches: counted(batches, progress) });
      },
      { onLost: (table) => lost.push(table), onRepaired: (found) => repaired.push(...found) },
    );
    progress.end();
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    console.log(
      `Rescued ${number(rows)} rows to ${file} (${number(statSync(file).size)} bytes) in ${secondsSince(begin)}: ${countsOf(counts)}.`,
    );
    console.log(lostLine(lost));
    for (const line of repairedLines(repaired)) console.log(line);
    if (lost.some(({ table }) => bindings.has(table))) console.log(unbound);
    console.log(`Look at it with "tocsin backup verify ${file}", and go on with "tocsin restore ${file} --replace".`);
  } finally {
    lock.release();
  }
}

const bindings: ReadonlySet<string> = new Set(['user_stations', 'api_key_stations']);
const unbound =
  'Which stations some users or keys are bound to is lost, and whoever is bound to none sees all: check them before others sign in.';

function lostLine(lost: readonly Lost[]): string {
  if (lost.length === 0) return 'Every table could be read.';
  const places = lost.map(({ table, gaps, ids }) => {
    const many = ids === undefined ? '' : `${ids === 1 ? 'one id' : `${number(ids)} ids`} `;
    return `${table} (${many}in ${gaps === 1 ? 'one place' : `${number(gaps)} places`})`;
  });
  return `Rows could not be read of ${places.join(', ')}: compare with your last backup.`;
}

const repairedTexts: Readonly<Record<Repaired['what'], string>> = {
  'left-out': 'Left out, because what they belong to is lost',
  emptied: 'Kept without a reference to something that is lost',
  'stand-in': 'Made anew, with names that begin with "rescued", because others need them',
};

function* repairedLines(repaired: readonly Repaired[]): Generator<string> {
  for (const [what, found] of Map.groupBy(repaired, (one) => one.what))
    yield `${repairedTexts[what]}: ${found.map(({ table, rows }) => `${table} ${number(rows)}`).join(', ')}.`;
}
