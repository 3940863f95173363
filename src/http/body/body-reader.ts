// Creates the reader of a route's bodies: decodes, parses and checks them, strictly or as an intake does.

import type { TSchema } from 'typebox';
import { AppError } from '../../errors.ts';
import { checkOutline, harmlessLength } from '../../wire/json-outline.ts';
import { parseIntakeItems, parseIntakeJson, parseItems, parseJson } from '../../wire/strict-json.ts';
import type { Warning } from '../lenient-check.ts';
import { itemOf } from '../route.ts';
import { bodyCheck, type CheckedBody, intakeCheck, listCheck, refuseInput } from '../validation.ts';
import { decodeInSlices, decodeIntake, decodeStrictly } from './body-encoding.ts';
import { type ListParser, readList, sliceLength } from './list-body.ts';
import { ownTurn } from './own-turn.ts';
import { readBody, readIntakeBody } from './request-body.ts';

export type BodyReader = (bytes: Buffer, contentType: string | undefined) => CheckedBody | Promise<CheckedBody>;

export const noWarnings: readonly Warning[] = [];
export const noItemWarnings: ReadonlyMap<number, readonly Warning[]> = new Map();

const strictParser: ListParser = { item: parseJson, items: parseItems };
const intakeParser: ListParser = { item: parseIntakeJson, items: parseIntakeItems };

/** Creates the reader of the bodies of one schema. Long bodies are decoded, and looked at before they are parsed, in slices. */
export function bodyReader(schema: TSchema, isIntake: boolean): BodyReader {
  const item = itemOf(schema);
  if (item === undefined) return isIntake ? intakeReader(schema) : strictReader(schema);
  const parser = isIntake ? intakeParser : strictParser;
  const check = listCheck(schema, isIntake ? intakeCheck(item) : bodyCheck(item));
  const decode = isIntake ? decodeIntake : decodeStrictly;
  return (bytes, contentType) =>
    bytes.length <= harmlessLength
      ? readList(decode(bytes, contentType), check, parser)
      : decodeInSlices(bytes, contentType, isIntake, sliceLength).then((text) => readList(text, check, parser));
}

function strictReader(schema: TSchema): BodyReader {
  const check = bodyCheck(schema);
  return (bytes, contentType) =>
    bytes.length <= harmlessLength
      ? check(readBody(decodeStrictly(bytes, contentType), contentType))
      : longText(bytes, contentType, false).then((text) => check(readBody(text, contentType)));
}

function intakeReader(schema: TSchema): BodyReader {
  const check = intakeCheck(schema);
  return (bytes, contentType) =>
    bytes.length <= harmlessLength
      ? check(readIntakeBody(decodeIntake(bytes, contentType)))
      : longText(bytes, contentType, true).then((text) => check(readIntakeBody(text)));
}

/** Decodes a long body of one value; refuses it if it would take too long to parse. */
async function longText(bytes: Buffer, contentType: string | undefined, isIntake: boolean): Promise<string> {
  const text = await decodeInSlices(bytes, contentType, isIntake, sliceLength);
  const outline = checkOutline(text, sliceLength);
  while (!outline.next().done) await ownTurn();
  await ownTurn();
  return text;
}

/** Refuses a body, or the items of a list, of which something was not used as it was sent. */
export function refusingWarnings(checked: CheckedBody): CheckedBody {
  if (checked.warnings !== undefined && checked.warnings.length > 0) throw refuseInput(checked.warnings);
  const items = checked.itemWarnings;
  if (items === undefined || items.size === 0 || !Array.isArray(checked.value)) return checked;
  const value = checked.value.map((item, index) => {
    const warnings = items.get(index);
    return warnings === undefined || item instanceof AppError ? item : refuseInput(warnings);
  });
  return { ...checked, value, itemWarnings: noItemWarnings };
}
