// Damages a SQLite file as a failing disk does: a page with old rows of one table is overwritten.

import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Overwrites the page with the oldest rows of a table that has several pages. The file must have no -wal file. */
export function damageOldestPage(file: string, table: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  const [size, root] = [
    Number(db.prepare('PRAGMA page_size').get()?.page_size),
    Number(db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table)?.rootpage),
  ];
  db.close();
  const descriptor = openSync(file, 'r+');
  const page = Buffer.alloc(size);
  readSync(descriptor, page, 0, size, (root - 1) * size);
  // The header of an interior page of a table, the place of its first cell, and the page that this points to.
  if (page[0] !== 5) throw new Error(`${table} has one page only`);
  const oldest = page.readUInt32BE(page.readUInt16BE(12));
  writeSync(descriptor, Buffer.alloc(size, 0xff), 0, size, (oldest - 1) * size);
  closeSync(descriptor);
}
