// Row types of the store's own tables. Each subject adds those of its tables to `Tables` by declaration merging.

import type { Generated, GeneratedAlways } from 'kysely';

/** A boolean: the databases hold integers, text and null only. */
export type Flag = 0 | 1;

export interface Tables {
  meta: { key: string; value: string };
  events: {
    /** On SQLite the position is the id. */
    id: GeneratedAlways<number>;
    /** Null on PostgreSQL until the sequencer has numbered the committed row; see postgres/event-sequencer.ts. */
    position: GeneratedAlways<number>;
    kind: string;
    /** Milliseconds since 1970, UTC. */
    at: number;
    actor: string;
    station_id: number | null;
    subject_id: number | null;
    /** JSON object. */
    data: string;
    /** The previous event of the same subject, 0 for its first; null for events outside a chain. */
    previous_id: number | null;
  };
}

export type TableName = keyof Tables & string;

/** The tables whose rows have an id that the database assigns. */
export type TableWithIds = {
  [N in TableName]: Tables[N] extends { id: Generated<number> | GeneratedAlways<number> } ? N : never;
}[TableName];
