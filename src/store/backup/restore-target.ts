// What a database offers to a restore; one file per database keeps it.

import type { RowBatch } from './format.ts';
import type { Ids } from './high-water.ts';

export type RestoredContent = {
  /** The schema the rows belong to; they are brought up to date after. */
  readonly schemaVersion: number;
  readonly batches: AsyncIterable<RowBatch>;
  /** Positions of another epoch are not comparable: whoever followed the log learns that it was set back. */
  readonly epoch: string;
  /** New ids come above these. */
  readonly ids: Ids;
};

/** A database that no server uses, and none can begin to use, until it is closed. */
export type RestoreTarget = {
  readonly isEmpty: boolean;
  /** The ids its present content gave out, as far as it can be read. */
  readonly ids: Ids;
  /** Puts the content in the place of the present one, all of it or nothing. Answers where the old one is kept, if it is. */
  load(content: RestoredContent): Promise<string | undefined>;
  close(): Promise<void>;
};
