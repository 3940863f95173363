// Makes the body of an intake fit its schema: reads scalars as what they say, cuts what is too long, and leaves out what
// cannot be used, each with a warning that names the field.

import { createHash } from 'node:crypto';
import { parseDateTime } from '../wire/date-time.ts';
import { child, isObject, type JsonSchema } from './json-schema.ts';

/** The value as it fits the schema; undefined if nothing of it can be used. */
type Fitted = { readonly value: unknown } | undefined;

/** A field that was changed before it was used, or, with `isLeftOut`, not used at all; and the reason. */
export type Warning = { readonly field: string; readonly message: string; readonly isLeftOut?: boolean };

/** The warnings collected so far; more than fit into a response are not kept. */
export type Warnings = Warning[];

const maxWarnings = 100;

function warn(warnings: Warnings, field: string, message: string, isLeftOut = false): void {
  if (warnings.length < maxWarnings) warnings.push({ field: field || 'body', message, isLeftOut });
}

/** Returns the value fitted to the schema, or undefined, after a warning, if it cannot be used. */
export function fit(schema: JsonSchema, value: unknown, path: string, warnings: Warnings): Fitted {
  const fitted = fitValue(schema, value, path, warnings);
  if (fitted === undefined) warn(warnings, path, 'cannot be used and was left out', true);
  return fitted;
}

function fitValue(schema: JsonSchema, value: unknown, path: string, warnings: Warnings): Fitted {
  if (schema.anyOf !== undefined) return fitFirst(schema.anyOf, value, path, warnings);
  switch (schema.type) {
    case 'object':
      return isObject(value) ? fitObject(schema, value, path, warnings) : undefined;
    case 'array':
      return Array.isArray(value) ? fitList(schema, value, path, warnings) : fitOnly(schema, value, path, warnings);
    case 'string':
      return fitText(schema, value, path, warnings);
    case 'integer':
    case 'number':
      return noted(fitNumber(schema, value), value, path, warnings);
    case 'boolean':
      return noted(fitBoolean(value), value, path, warnings);
    default:
      return { value };
  }
}

function fitFirst(schemas: readonly JsonSchema[], value: unknown, path: string, warnings: Warnings): Fitted {
  for (const schema of schemas) {
    const own: Warnings = [];
    const fitted = fitValue(schema, value, path, own);
    if (fitted === undefined) continue;
    for (const { field, message, isLeftOut } of own) warn(warnings, field, message, isLeftOut);
    return fitted;
  }
  return undefined;
}

/** Leaves out the fields that cannot be used; without a required one the object cannot be used either. */
function fitObject(schema: JsonSchema, value: Record<string, unknown>, path: string, warnings: Warnings): Fitted {
  const { properties = {}, patternProperties = {}, required = [], maxProperties = Number.POSITIVE_INFINITY } = schema;
  const [others] = Object.values(patternProperties);
  const fittedFields: Record<string, unknown> = {};
  const entries = Object.entries(value);
  if (entries.length > maxProperties)
    warn(warnings, path, `has more than ${maxProperties} entries: the rest was left out`);
  for (const [key, field] of entries.slice(0, maxProperties)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : others;
    const fitted = property === undefined ? undefined : fit(property, field, child(path, key), warnings);
    if (fitted !== undefined) fittedFields[key] = fitted.value;
  }
  return required.every((key) => Object.hasOwn(fittedFields, key)) ? { value: fittedFields } : undefined;
}

function fitList(schema: JsonSchema, value: readonly unknown[], path: string, warnings: Warnings): Fitted {
  const { items, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (value.length > maxItems) warn(warnings, path, `has more than ${maxItems} entries: the rest was left out`);
  const fitted = value.slice(0, maxItems).flatMap((entry, index) => {
    const one = items === undefined ? { value: entry } : fit(items, entry, `${path}[${index}]`, warnings);
    return one === undefined ? [] : [one.value];
  });
  return { value: fitted };
}

/** Reads one value in the place of a list as a list of it: converters from XML write a list of one entry so. */
function fitOnly({ items }: JsonSchema, value: unknown, path: string, warnings: Warnings): Fitted {
  if (items === undefined || value === null) return undefined;
  const only = fitFirst([items], value, path, warnings);
  // An object without any known field is no entry: what is stored stays.
  if (only === undefined || (isObject(only.value) && Object.keys(only.value).length === 0)) return undefined;
  warn(warnings, path, 'is no list and was read as a list of one entry');
  return { value: [only.value] };
}

function fitText(schema: JsonSchema, value: unknown, path: string, warnings: Warnings): Fitted {
  if (typeof value === 'object' || value === undefined) return undefined;
  const text = String(value);
  if (schema.format === 'date-time') return noted(fitDate(text), value, path, warnings);
  if (schema.enum !== undefined && !schema.enum.includes(text)) return undefined;
  if (text.length < (schema.minLength ?? 0)) return undefined;
  if (text.length > (schema.maxLength ?? text.length)) {
    warn(warnings, path, `is longer than ${schema.maxLength} characters and was cut`);
    return { value: cut(text, schema) };
  }
  if (typeof value !== 'string') warn(warnings, path, `is no text and was read as "${text}"`);
  return { value: text };
}

/** A long text that identifies something becomes its beginning and a hash, so that two of them never become one. */
function cut(text: string, { maxLength = 0, 'x-too-long': how }: JsonSchema): string {
  if (how !== 'hashed') return text.slice(0, maxLength).toWellFormed();
  const hash = `~${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  return `${text.slice(0, maxLength - hash.length).toWellFormed()}${hash}`;
}

function fitDate(text: string): Fitted {
  const withT = text.trim().replace(/^(\d{4}-?\d\d-?\d\d) +(?=\d\d)/, '$1T');
  return parseDateTime(withT, 'UTC') === undefined ? undefined : { value: withT };
}

const numeral = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

function fitNumber({ type, minimum, maximum }: JsonSchema, value: unknown): Fitted {
  const number = typeof value === 'string' && numeral.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  if (type === 'integer' && !Number.isInteger(number)) return undefined;
  const isWithin = number >= (minimum ?? number) && number <= (maximum ?? number);
  return isWithin ? { value: number } : undefined;
}

function fitBoolean(value: unknown): Fitted {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true' || word === 1 || word === '1') return { value: true };
  if (word === false || word === 'false' || word === 0 || word === '0') return { value: false };
  return undefined;
}

function noted(fitted: Fitted, sent: unknown, path: string, warnings: Warnings): Fitted {
  if (fitted !== undefined && fitted.value !== sent)
    warn(warnings, path, `is ${JSON.stringify(sent)?.slice(0, 40)} and was read as ${JSON.stringify(fitted.value)}`);
  return fitted;
}
