// Creates the reader of a route's bodies: decodes, parses and checks them, strictly or as an intake does.

import type { TSchema } from 'typebox';
import { AppError } from '../errors.ts';
import { parseIntakeItems, parseIntakeJson, parseItems, parseJson } from '../wire/strict-json.ts';
import { decodeIntake, decodeStrictly } from './body-encoding.ts';
import type { Warning } from './lenient-check.ts';
import { type ListParser, readList } from './list-body.ts';
import { readBody, readIntakeBody } from './request-body.ts';
import { itemOf } from './route.ts';
import { bodyCheck, type CheckedBody, intakeCheck, listCheck, refuseInput } from './validation.ts';

export type BodyReader = (bytes: Buffer, contentType: string | undefined) => CheckedBody | Promise<CheckedBody>;

export const noWarnings: readonly Warning[] = [];
export const noItemWarnings: ReadonlyMap<number, readonly Warning[]> = new Map();

const strictParser: ListParser = { item: parseJson, items: parseItems };
const intakeParser: ListParser = { item: parseIntakeJson, items: parseIntakeItems };

export function bodyReader(schema: TSchema, isIntake: boolean): BodyReader {
  return isIntake ? intakeReader(schema) : strictReader(schema);
}

function strictReader(schema: TSchema): BodyReader {
  const item = itemOf(schema);
  if (item === undefined) {
    const check = bodyCheck(schema);
    return (bytes, contentType) => check(readBody(bytes, contentType));
  }
  const check = listCheck(schema, bodyCheck(item));
  return (bytes, contentType) => readList(decodeStrictly(bytes, contentType), check, strictParser);
}

function intakeReader(schema: TSchema): BodyReader {
  const item = itemOf(schema);
  if (item === undefined) {
    const check = intakeCheck(schema);
    return (bytes, contentType) => check(readIntakeBody(bytes, contentType));
  }
  const check = listCheck(schema, intakeCheck(item));
  return (bytes, contentType) => readList(decodeIntake(bytes, contentType), check, intakeParser);
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
