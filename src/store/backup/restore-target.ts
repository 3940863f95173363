// The interface of a database that a backup is restored into; each database implements it in its folder.

import type { Tx } from '../store.ts';
import type { RowBatch } from './format.ts';
import type { Ids } from './high-water.ts';

export type RestoredContent = {
  /** The schema version of the rows, which are migrated after loading. */
  readonly schemaVersion: number;
  readonly batches: AsyncIterable<RowBatch>;
  /**
   * A new epoch: positions of different epochs are not comparable, so readers of the log learn that it was set back.
   */
  readonly epoch: string;
  /** New ids are assigned above these. */
  readonly ids: Ids;
  /** Runs in the last transaction of the restore, on the newest schema. */
  readonly finish: (tx: Tx) => Promise<void>;
};

type OldRow = Readonly<Record<string, unknown>>;

export type WhichRows = 'all' | 'newest' | { readonly column: string; readonly value: string };

/** Returns what follows `select * from TABLE`; the value is a parameter, written as `placeholder`. */
export function whichRows(which: WhichRows, placeholder: string): string {
  if (which === 'all') return '';
  return which === 'newest' ? ' ORDER BY id DESC LIMIT 1' : ` WHERE "${which.column}" = ${placeholder}`;
}

/** A database that is locked against servers until it is closed. */
export type RestoreTarget = {
  readonly isEmpty: boolean;
  /** The ids its current content has assigned, as far as it can be read. */
  readonly ids: Ids;
  /**
   * Returns the rows of a table of the current content, only the one with the highest id, or those with a value in a column; none when
   * the table is missing, as in an older schema, or cannot be read.
   */
  rowsOf(table: string, which?: WhichRows): Promise<readonly OldRow[]>;
  /** Replaces the current content, all or nothing. Returns the path of the old database if one is kept. */
  load(content: RestoredContent): Promise<string | undefined>;
  close(): Promise<void>;
};
