// Reads a whole backup file, checks it, and says from when it is and what and whom it holds.

import { type BackedUpPerson, peopleIn } from '../../access/restored-access.ts';
import { schema } from '../../migrations/schema.ts';
import { type BackupHeader, type RowCounts, verifyBackup } from '../../store/backup/format.ts';
import { number, showProgress } from '../progress.ts';

export type BackupContent = {
  readonly file: string;
  readonly header: BackupHeader;
  readonly rows: number;
  readonly counts: RowCounts;
  readonly people: readonly BackedUpPerson[];
};

/** Throws unless the file is a complete backup that this Tocsin can restore. */
export async function readBackup(file: string): Promise<BackupContent> {
  const progress = showProgress('Checking the file');
  const people: BackedUpPerson[] = [];
  const found = await verifyBackup(file, schema, (batch) => {
    people.push(...peopleIn(batch));
    progress.add(batch.rows.length);
  });
  progress.end();
  return { file, ...found, people };
}

export function contentLines({ header, rows, counts, people }: BackupContent): readonly string[] {
  const { createdAt, database, tocsin, schemaVersion } = header;
  return [
    `The backup is of ${createdAt}, from ${database}, by Tocsin ${tocsin} with schema ${schemaVersion}.`,
    `It holds ${number(rows)} rows: ${countsOf(counts)}.`,
    `Its people are ${namesOf(people)}.`,
  ];
}

export function countsOf(counts: RowCounts): string {
  const filled = Object.entries(counts).filter(([, count]) => count > 0);
  return filled.map(([table, count]) => `${table} ${number(count)}`).join(', ');
}

const mostNames = 100;

export function namesOf(people: readonly { readonly name: string }[]): string {
  const names = people.slice(0, mostNames).map(({ name }) => `"${name}"`);
  const more = people.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${number(more)} more` : names.join(', ');
}
