// Writes the reports of a list, each with its own result: for the batch routes and the intakes with a body of their own.

import type { Principal } from '../../domain/access/access.ts';
import { AppError, attempt } from '../../errors.ts';
import type { ListOperation, ListResult } from '../../store/list-operation.ts';
import { type Weigh, writeInParts } from '../../store/write-gate.ts';
import type { OnReports } from '../alarms.ts';
import type { BulkParts } from './bulk-commands.ts';

export type GatedParts = BulkParts & { readonly onReports: OnReports };

type ListWrite<T, I, O> = {
  readonly operation: ListOperation<I, O>;
  readonly items: readonly (T | AppError)[];
  readonly read: (item: T, index: number) => I;
  readonly weigh: Weigh<I>;
};

/** Sends all readable items to the store; an unreadable item results in its own error. */
export async function writeList<T, I, O>(
  { store, gate }: Pick<BulkParts, 'store' | 'gate'>,
  { operation, items, read, weigh }: ListWrite<T, I, O>,
): Promise<readonly (ListResult<O> | AppError)[]> {
  const readings = items.map((item, index) => (item instanceof AppError ? item : attempt(() => read(item, index))));
  const inputs = readings.flatMap((reading) => (reading instanceof AppError ? [] : [reading]));
  const results = await writeInParts(store, gate, operation, inputs, weigh);
  let next = 0;
  return readings.map((reading) => (reading instanceof AppError ? reading : (results[next++] ?? missingResult)));
}

const missingResult = new AppError('internal', 'The store left an item without a result.');

export type Taken = { readonly id: number; readonly warnings: readonly string[]; readonly dataServerId?: number };

export function noteReports(
  { onReports }: GatedParts,
  principal: Principal,
  results: readonly (ListResult<Taken> | AppError)[],
): void {
  const taken = results.flatMap((result) => ('outcome' in result ? [result.outcome.dataServerId] : []));
  if (taken.length > 0) onReports(principal, taken);
}

/** The fields that a report has, as not given. */
export const unset = {
  stationId: undefined,
  dataServerId: undefined,
  tagGroupId: undefined,
  path: undefined,
  priority: undefined,
  value: undefined,
  raised: undefined,
};
