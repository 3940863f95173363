// Reads list bodies: a long one is parsed and checked in slices, between which other requests are handled.

import { AppError, attempt } from '../../errors.ts';
import { checkWholeOutline, harmlessLength, itemTexts } from '../../wire/json-outline.ts';
import { isJson, type MendedJson, type ParsedJson } from '../../wire/strict-json.ts';
import type { CheckedBody, Found, ListCheck } from '../validation.ts';
import { ownTurn } from './own-turn.ts';

/** How the JSON of a list is parsed: strictly, or as an intake does. */
export type ListParser = {
  item(text: string): ParsedJson | MendedJson;
  /** Returns undefined if the text is not a list; throws if it is not JSON at all. */
  items(text: string): readonly (ParsedJson | MendedJson | AppError)[] | undefined;
};

/** About 3 ms of work. */
export const sliceLength = 64 * 1024;

/** An item costs at least as much as this many characters. */
const leastItemWork = 1_024;

/** Up to this length the whole list is parsed again to say what is wrong with it. */
const shortLength = 64 * 1024;

/** One alarm may be as long in a list as it may be alone. */
const maxItemLength = 256 * 1024;

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
  const items = itemTexts(text, slice);
  let sinceTurn = 0;
  for (let next = items.next(); ; next = items.next()) {
    if (next.done) return next.value ? { value, ...found } : readMalformed(text, check, parser, value.length);
    if (next.value !== undefined) {
      const parsed = parseItem(next.value, parser);
      if (parsed === undefined) return readMalformed(text, check, parser, value.length);
      value.push(check.item(parsed, value.length, found));
      check.whole(value);
      sinceTurn += Math.max(next.value.length, leastItemWork);
    }
    if (next.value !== undefined && sinceTurn < slice) continue;
    sinceTurn = 0;
    await ownTurn();
  }
}

/** Says what is wrong with a text that is not a list, or whose item at `index` is no JSON. */
function readMalformed(text: string, check: ListCheck, parser: ListParser, index: number): CheckedBody {
  if (text.length <= shortLength) return check.all(parser.items(text));
  if (!/^\s{0,100}\[/.test(text)) check.whole(undefined);
  throw new AppError('malformed-json', `The list is not valid JSON from item ${index + 1} on.`);
}

/** Returns the item or the reason for refusing it; undefined if it is not JSON, and so the whole list is not. */
function parseItem(text: string, parser: ListParser): ParsedJson | MendedJson | AppError | undefined {
  if (text.length > maxItemLength)
    return new AppError('body-too-large', `The item is larger than ${maxItemLength / 1024} KiB.`);
  const parsed = attempt(() => {
    if (text.length > harmlessLength) checkWholeOutline(text);
    return parser.item(text);
  });
  return parsed instanceof AppError && parsed.code !== 'body-too-large' && !isJson(text) ? undefined : parsed;
}
