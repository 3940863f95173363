// Finds what was refused of a list: the texts of those items whose result is a problem, as a list of their own.

import type { ErrorCode } from '../../errors.ts';
import { allItemTexts, itemTexts } from '../../wire/json-outline.ts';
import { decodeInSlices, decodeIntake } from './body-encoding.ts';
import { sliceLength } from './list-body.ts';
import { ownTurn } from './own-turn.ts';

type Problem = { readonly code: ErrorCode; readonly detail: string };

export type SentBody = { readonly bytes: Buffer; readonly contentType: string | undefined };

export function isProblem(result: unknown): result is Problem {
  return typeof result === 'object' && result !== null && 'code' in result && 'detail' in result;
}

/** Returns the items whose result is a problem; a promise of them for a list that is longer than a slice. */
export function refusedItems(sent: SentBody, results: readonly unknown[]): SentBody | Promise<SentBody> {
  const { bytes, contentType } = sent;
  if (results.every(isProblem)) return sent;
  if (bytes.length > sliceLength) return refusedInSlices(sent, results);
  return listOf(allItemTexts(decodeIntake(bytes, contentType)).filter((_, index) => isProblem(results[index])));
}

async function refusedInSlices({ bytes, contentType }: SentBody, results: readonly unknown[]): Promise<SentBody> {
  const text = await decodeInSlices(bytes, contentType, true, sliceLength);
  const refused: string[] = [];
  let index = 0;
  for (const item of itemTexts(text, sliceLength)) {
    if (item === undefined) await ownTurn();
    else if (isProblem(results[index++])) refused.push(item);
  }
  return listOf(refused);
}

function listOf(items: readonly string[]): SentBody {
  return { bytes: Buffer.from(`[${items.join(',')}]`), contentType: 'application/json' };
}
