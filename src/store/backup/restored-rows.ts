// The rows of a backup that are restored: all that the caller wants, without what concerns the old database alone.

import type { RowBatch } from './format.ts';

/** The row of `meta` that a running server keeps in a SQLite file, see sqlite/open-marker.ts. */
export const markerKey = 'open';

/** Yields the rows of each batch that `wanted` returns. */
export async function* restoredRows(
  batches: AsyncIterable<RowBatch>,
  wanted: (batch: RowBatch) => RowBatch['rows'],
): AsyncGenerator<RowBatch> {
  for await (const batch of batches) yield { ...batch, rows: withoutMarker({ ...batch, rows: wanted(batch) }) };
}

function withoutMarker({ table, columns, rows }: RowBatch): RowBatch['rows'] {
  return table === 'meta' ? rows.filter((row) => row[columns.indexOf('key')] !== markerKey) : rows;
}
