// Maps Ajv's errors to the sentences that clients read.

import type { ErrorObject, ValidateFunction } from 'ajv';
import type { FieldError } from '../errors.ts';
import { child, isObject, type JsonSchema, newAjv } from './json-schema.ts';

type Report = { readonly mistakes: FieldError[]; readonly fractions: ReadonlySet<string> };

const maxMistakes = 20;

/**
 * Returns the first 20 errors, in the order of the value; `writtenAsFraction` lists the numbers that were written as fractions.
 *
 * With `allErrors` Ajv would report every error of a huge body, without a limit. So each list, object and field is validated
 * on its own, until there are enough errors.
 */
export function mistakesOf(schema: JsonSchema, value: unknown, writtenAsFraction: readonly string[]): FieldError[] {
  const report: Report = { mistakes: [], fractions: new Set(writtenAsFraction) };
  look(schema, value, '', report);
  return report.mistakes;
}

function look(schema: JsonSchema, value: unknown, path: string, report: Report): void {
  const errors = errorsOfLevel(schema, value);
  const isBadlyWritten = schema.type === 'integer' && report.fractions.has(path || 'body');
  if (isBadlyWritten || !errors.every(({ keyword }) => keyword === 'required')) {
    add(report, path, `must be ${phrase(schema)}`);
    return;
  }
  for (const { params } of errors) add(report, child(path, params.missingProperty), 'must be given');
  if (Array.isArray(value)) lookAtEntries(schema, value, path, report);
  else if (isObject(value)) lookAtFields(schema, value, path, report);
}

function lookAtEntries(schema: JsonSchema, value: readonly unknown[], path: string, report: Report): void {
  const { items, uniqueItems = false } = schema;
  if (uniqueItems && hasTwice(value)) add(report, path, `must be ${phrase(schema)}`);
  if (items === undefined) return;
  for (const [index, entry] of value.entries()) {
    if (report.mistakes.length >= maxMistakes) return;
    look(items, entry, `${path}[${index}]`, report);
  }
}

/** Not by Ajv, which fails on entries with a field named valueOf or toString. */
function hasTwice(value: readonly unknown[]): boolean {
  return new Set(value.map((entry) => JSON.stringify(entry))).size < value.length;
}

function lookAtFields(schema: JsonSchema, value: Record<string, unknown>, path: string, report: Report): void {
  const { properties = {}, patternProperties = {} } = schema;
  const [others] = Object.values(patternProperties);
  for (const key of Object.keys(value)) {
    if (report.mistakes.length >= maxMistakes) return;
    const property = Object.hasOwn(properties, key) ? properties[key] : others;
    if (property !== undefined) look(property, value[key], child(path, key), report);
  }
}

function add({ mistakes }: Report, path: string, message: string): void {
  if (mistakes.length < maxMistakes) mistakes.push({ field: path || 'body', message });
}

// Not strict: the schema of one level requires fields that it does not describe. The whole schema was compiled strictly.
const firstError = newAjv({ strict: false });
/** For objects, of which all missing fields are named. */
const allErrors = newAjv({ strict: false, allErrors: true });
const levels = new WeakMap<JsonSchema, ValidateFunction>();
/** Compiled validators by the JSON of their level: most fields are alike. */
const compiled = new Map<string, ValidateFunction>();

/** Returns the errors of the value itself, apart from those of its entries and fields. */
function errorsOfLevel(schema: JsonSchema, value: unknown): readonly ErrorObject[] {
  const fits = levels.get(schema) ?? compileLevel(schema);
  levels.set(schema, fits);
  return fits(value) ? [] : (fits.errors ?? []);
}

function compileLevel(schema: JsonSchema): ValidateFunction {
  const level = levelOf(schema);
  const text = JSON.stringify(level);
  const fits = compiled.get(text) ?? (schema.type === 'object' ? allErrors : firstError).compile(level);
  compiled.set(text, fits);
  return fits;
}

const levelKeywords = [
  'type',
  'anyOf',
  'const',
  'enum',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'maxProperties',
  'required',
] as const satisfies readonly (keyof JsonSchema)[];

function levelOf(schema: JsonSchema): object {
  return Object.fromEntries(levelKeywords.filter((name) => name in schema).map((name) => [name, schema[name]]));
}

/** Describes the values a schema accepts, in words that follow "must be". */
function phrase(schema: JsonSchema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(phrase).join(', or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return `one of ${schema.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  switch (schema.type) {
    case 'integer':
      return `a whole number${bounds('from', schema.minimum, schema.maximum)}`;
    case 'number':
      return `a number${bounds('from', schema.minimum, schema.maximum)}`;
    case 'string':
      return textPhrase(schema);
    case 'array':
      return `a list${bounds('of', schema.minItems, schema.maxItems, ' entries')}${schema.uniqueItems ? ', none of them twice' : ''}`;
    case 'object':
      return `an object${bounds('of', undefined, schema.maxProperties, ' entries')}`;
    case 'boolean':
      return 'true or false';
    case 'null':
      return 'null';
    default:
      return 'of another form';
  }
}

function textPhrase({ minLength, maxLength, pattern, format }: JsonSchema): string {
  if (format === 'date-time') return 'an ISO 8601 date-time such as 2026-05-31T08:30:00+02:00';
  const form = pattern === undefined ? '' : ` of the form ${pattern}`;
  return `text${bounds('of', minLength, maxLength, ' characters')}${form}`;
}

function bounds(word: 'from' | 'of', low: number | undefined, high: number | undefined, unit = ''): string {
  if (low !== undefined && high !== undefined) return ` ${word} ${low} to ${high}${unit}`;
  if (high !== undefined) return ` of at most ${high}${unit}`;
  return low === undefined ? '' : ` of at least ${low}${unit}`;
}
