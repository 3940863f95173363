// Reads list bodies: a long one is parsed and checked in slices, between which other requests are handled.

import { AppError, attempt } from '../errors.ts';
import { isJson, itemTexts, type MendedJson, type ParsedJson } from '../wire/strict-json.ts';
import type { CheckedBody, Found, ListCheck } from './validation.ts';

/** How the JSON of a list is parsed: strictly, or as an intake does. */
export type ListParser = {
  item(text: string): ParsedJson | MendedJson;
  /** Returns undefined if the text is not a list; throws if it is not JSON at all. */
  items(text: string): readonly (ParsedJson | MendedJson | AppError)[] | undefined;
};

/** About 3 ms of work. */
const sliceLength = 64 * 1024;

/** Returns the checked items; a promise of them for a list longer than a slice. */
export function readList(
  text: string,
  check: ListCheck,
  parser: ListParser,
  slice = sliceLength,
): CheckedBody | Promise<CheckedBody> {
  if (text === '') return check.all(undefined);
  return text.length <= slice ? check.all(parser.items(text)) : readInSlices(text, check, parser, slice);
}

async function readInSlices(text: string, check: ListCheck, parser: ListParser, slice: number): Promise<CheckedBody> {
  const value: unknown[] = [];
  const found: Found = { ignoredFields: [], itemWarnings: new Map() };
  const items = itemTexts(text);
  let sinceTurn = 0;
  for (let next = items.next(); ; next = items.next()) {
    if (next.done) {
      // The parser of the whole text finds out what is wrong with it.
      return next.value ? { value, ...found } : check.all(parser.items(text));
    }
    const parsed = parseItem(next.value, parser);
    if (parsed === undefined) return check.all(parser.items(text));
    value.push(check.item(parsed, value.length, found));
    check.whole(value);
    sinceTurn += next.value.length;
    if (sinceTurn < slice) continue;
    sinceTurn = 0;
    await new Promise(setImmediate);
  }
}

/** Returns the item or the reason for refusing it; undefined if it is not JSON, and so the whole list is not. */
function parseItem(text: string, parser: ListParser): ParsedJson | MendedJson | AppError | undefined {
  const parsed = attempt(() => parser.item(text));
  return parsed instanceof AppError && !isJson(text) ? undefined : parsed;
}
