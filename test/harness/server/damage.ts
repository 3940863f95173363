// Damages a SQLite file as a failing disk does: a page with old rows of one table is overwritten.

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

type Place = { readonly size: number; readonly root: number };

/** The size of pages, and the number of the first page of a table. */
function placeOf(file: string, table: string): Place {
  const db = new DatabaseSync(file, { readOnly: true });
  const size = Number(db.prepare('PRAGMA page_size').get()?.page_size);
  const root = Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage);
  db.close();
  return { size, root };
}

/** Overwrites the first page of a table, so that none of its rows can be read. The file must have no -wal file. */
export function damageWholeTable(file: string, table: string): void {
  const { size, root } = placeOf(file, table);
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(size, 0xff), 0, size, (root - 1) * size);
  closeSync(descriptor);
}

/** Overwrites the page with the oldest rows of a table that has several pages. The file must have no -wal file. */
export function damageOldestPage(file: string, table: string): void {
  const { size, root } = placeOf(file, table);
  const descriptor = openSync(file, 'r+');
  const page = Buffer.alloc(size);
  readSync(descriptor, page, 0, size, (root - 1) * size);
  // The header of an interior page of a table, the place of its first cell, and the page that this points to.
  if (page[0] !== 5) throw new Error(`${table} has one page only`);
  const oldest = page.readUInt32BE(page.readUInt16BE(12));
  writeSync(descriptor, Buffer.alloc(size, 0xff), 0, size, (oldest - 1) * size);
  closeSync(descriptor);
}
