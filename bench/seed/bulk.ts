// What a database offers to whoever fills it with millions of rows.

export type Value = string | number | null;
export type Values = readonly Value[];

export type BulkLoader = {
  /** Rows with a value for each of the columns. */
  insert(table: string, columns: readonly string[], rows: readonly Values[]): Promise<void>;
  /** Makes the indexes, raises the ids, gathers statistics. `tell` hears what is being done. */
  finish(tell: (doing: string) => void): Promise<void>;
  close(): Promise<void>;
};

/** The tables whose indexes are cheaper to make when the rows are there. */
export const bulkTables = [
  'alarm_histories',
  'history_comment_words',
  'history_counts',
  'intervention_counts',
] as const;
