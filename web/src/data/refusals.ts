// The alarms of a command for several that were refused, each with its reason.

import type { Problem } from '@tocsin/client';
import { reasonOf } from './server.ts';

export type Refused = { readonly id: number; readonly reason: string };

/** `results` has an id or a problem for each of the ids, in their order; if the request fails, all are refused. */
export async function refusalsOf(
  ids: readonly number[],
  results: Promise<readonly (number | Problem)[]>,
): Promise<readonly Refused[]> {
  try {
    return (await results).flatMap((result, index) =>
      typeof result === 'number' ? [] : [{ id: ids[index] ?? 0, reason: result.detail ?? result.title }],
    );
  } catch (error) {
    const reason = reasonOf(error);
    return ids.map((id) => ({ id, reason }));
  }
}
