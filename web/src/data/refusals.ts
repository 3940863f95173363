// The alarms of a command for several that were refused, each with its reason.

import type { Problem } from '@tocsin/client';
import { reasonOf } from './server.ts';

export type Refused = { readonly id: number; readonly reason: string };

/** The interface takes so many at once. */
const mostAtOnce = 1_000;

export type Send = (ids: number[]) => Promise<readonly (number | Problem)[]>;

/** Sends a command for the alarms, in as many requests as it takes, one after the other; returns those that were refused. */
export async function refusalsOf(ids: readonly number[], send: Send): Promise<readonly Refused[]> {
  const refused: Refused[] = [];
  for (let sent = 0; sent < ids.length; sent += mostAtOnce)
    refused.push(...(await refusedAtOnce(ids.slice(sent, sent + mostAtOnce), send)));
  return refused;
}

/** The answer has an id or a problem for each of the ids, in their order; if the request fails, all are refused. */
async function refusedAtOnce(ids: number[], send: Send): Promise<readonly Refused[]> {
  try {
    return (await send(ids)).flatMap((result, index) =>
      typeof result === 'number' ? [] : [{ id: ids[index] ?? 0, reason: result.detail ?? result.title }],
    );
  } catch (error) {
    const reason = reasonOf(error);
    return ids.map((id) => ({ id, reason }));
  }
}
