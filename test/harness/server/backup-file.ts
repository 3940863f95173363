// Parses backup files into tables, and writes backup files with changed lines and a correct checksum.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;
type Header = { readonly epoch: string; readonly ids: Readonly<Record<string, number>> } & Readonly<
  Record<string, unknown>
>;
export type BackupFile = { readonly header: Header; readonly tables: Readonly<Record<string, readonly Row[]>> };

export function linesIn(file: string): unknown[] {
  const text = gunzipSync(readFileSync(file)).toString();
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

export function readBackupFile(file: string): BackupFile {
  const [header, ...rest] = linesIn(file);
  const tables: Record<string, Row[]> = {};
  let columns: string[] = [];
  let rows: Row[] = [];
  for (const line of rest.slice(0, -1)) {
    if (Array.isArray(line)) rows.push(Object.fromEntries(columns.map((column, index) => [column, line[index]])));
    else {
      const start = line as { table: string; columns: string[] };
      columns = start.columns;
      rows = [];
      tables[start.table] = rows;
    }
  }
  return { header: header as Header, tables };
}

/** Writes lines (without a trailer) as a backup with correct checksum and counts. */
export function writeBackupFile(file: string, lines: readonly unknown[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const rows: Record<string, number> = {};
  let table = '';
  for (const line of lines.slice(1)) {
    if (!Array.isArray(line)) table = (line as { table: string }).table;
    rows[table] = (rows[table] ?? 0) + (Array.isArray(line) ? 1 : 0);
  }
  const sha256 = createHash('sha256').update(text).digest('hex');
  writeFileSync(file, gzipSync(`${text}${JSON.stringify({ rows, sha256 })}\n`));
}
