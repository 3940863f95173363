// The interface for loading millions of rows into a database.

export type Value = string | number | null;
export type Values = readonly Value[];

export type BulkLoader = {
  /** Inserts rows with a value for each column. */
  insert(table: string, columns: readonly string[], rows: readonly Values[]): Promise<void>;
  /** Creates the indexes, raises the ids and gathers statistics. `onStep` is called with each step. */
  finish(onStep: (doing: string) => void): Promise<void>;
  close(): Promise<void>;
};

/** The tables whose indexes are cheaper to create after the rows are inserted. */
export const bulkTables = [
  'alarm_histories',
  'history_comment_words',
  'history_counts',
  'intervention_counts',
] as const;
