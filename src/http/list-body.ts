// Reads list bodies: a long one is parsed and checked in slices, between which other requests are handled.

import { AppError, attempt } from '../errors.ts';
import { isJson, itemTexts, type ParsedJson, parseItems, parseJson } from '../wire/strict-json.ts';
import { decode } from './request-body.ts';
import type { CheckedBody, ListCheck } from './validation.ts';

/** About 3 ms of work. */
const sliceLength = 64 * 1024;

/** Returns the checked items; a promise of them for a list longer than a slice. */
export function readList(bytes: Buffer, check: ListCheck, slice = sliceLength): CheckedBody | Promise<CheckedBody> {
  if (bytes.length === 0) return check.all(undefined);
  const text = decode(bytes);
  return text.length <= slice ? check.all(parseItems(text)) : readInSlices(text, check, slice);
}

async function readInSlices(text: string, check: ListCheck, slice: number): Promise<CheckedBody> {
  const value: unknown[] = [];
  const ignoredFields: string[] = [];
  const items = itemTexts(text);
  let sinceTurn = 0;
  for (let next = items.next(); ; next = items.next()) {
    if (next.done) {
      // The parser of the whole text finds out what is wrong with it.
      return next.value ? { value, ignoredFields } : check.all(parseItems(text));
    }
    const parsed = parseItem(next.value);
    if (parsed === undefined) return check.all(parseItems(text));
    value.push(check.item(parsed, value.length, ignoredFields));
    check.whole(value);
    sinceTurn += next.value.length;
    if (sinceTurn < slice) continue;
    sinceTurn = 0;
    await new Promise(setImmediate);
  }
}

/** Returns the item or the reason for refusing it; undefined if it is not JSON, and so the whole list is not. */
function parseItem(text: string): ParsedJson | AppError | undefined {
  const parsed = attempt(() => parseJson(text));
  return parsed instanceof AppError && !isJson(text) ? undefined : parsed;
}
