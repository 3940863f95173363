// Says in plain sentences why a value does not fit a schema; Ajv decides whether it does, this only explains.

import type { TSchema } from 'typebox';
import type { FieldError } from '../errors.ts';
import { parseDateTime } from '../wire/date-time.ts';

/** The part of JSON Schema that routes use. */
export type JsonSchema = {
  readonly type?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: JsonSchema;
  /** `ignored`: those that are null are left out before anything else is looked at. */
  readonly 'x-null-entries'?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
};

type Report = { readonly mistakes: FieldError[]; readonly fractions: ReadonlySet<string> };

const maxMistakes = 20;

/** A TypeBox schema is a JSON Schema; its types just do not say so. */
export function jsonSchemaOf(schema: TSchema): JsonSchema {
  return schema;
}

/** At most 20 mistakes; `writtenAsFraction` names the numbers that are not whole as they were written. */
export function explain(schema: JsonSchema, value: unknown, writtenAsFraction: readonly string[]): FieldError[] {
  const report: Report = { mistakes: [], fractions: new Set(writtenAsFraction) };
  look(schema, value, '', report);
  return report.mistakes;
}

export function child(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function look(schema: JsonSchema, value: unknown, path: string, report: Report): void {
  if (report.mistakes.length >= maxMistakes) return;
  if (schema.anyOf !== undefined) lookAtChoices(schema.anyOf, value, path, report);
  else if (!fits(schema, value) || isBadlyWritten(schema, path, report)) add(report, path, `must be ${phrase(schema)}`);
  else if (isObject(value)) lookAtFields(schema, value, path, report);
  else if (Array.isArray(value)) lookAtEntries(schema, value, path, report);
}

function lookAtEntries(schema: JsonSchema, value: readonly unknown[], path: string, report: Report): void {
  // Numbers and texts, which is all that such lists hold.
  if (schema.uniqueItems && new Set(value).size < value.length) add(report, path, `must be ${phrase(schema)}`);
  if (schema.items === undefined) return;
  for (const [index, entry] of value.entries()) {
    if (report.mistakes.length >= maxMistakes) return;
    look(schema.items, entry, `${path}[${index}]`, report);
  }
}

function lookAtChoices(choices: readonly JsonSchema[], value: unknown, path: string, report: Report): void {
  const reports = choices.map((choice) => {
    const attempt: Report = { mistakes: [], fractions: report.fractions };
    look(choice, value, path, attempt);
    return attempt;
  });
  if (reports.some(({ mistakes }) => mistakes.length === 0)) return;
  // When only one choice is of the right kind, what is wrong inside it says more than the list of choices.
  const near = reports.filter((_, index) => fits(choices[index] ?? {}, value));
  if (near.length === 1) report.mistakes.push(...(near[0]?.mistakes ?? []));
  else add(report, path, `must be ${choices.map(phrase).join(', or ')}`);
}

function lookAtFields(schema: JsonSchema, value: Record<string, unknown>, path: string, report: Report): void {
  for (const key of schema.required ?? []) {
    if (!Object.hasOwn(value, key)) add(report, child(path, key), 'must be given');
  }
  const others = Object.values(schema.patternProperties ?? {})[0];
  for (const key of Object.keys(value)) {
    if (report.mistakes.length >= maxMistakes) return;
    const property = Object.hasOwn(schema.properties ?? {}, key) ? schema.properties?.[key] : others;
    if (property !== undefined) look(property, value[key], child(path, key), report);
  }
}

function add({ mistakes }: Report, path: string, message: string): void {
  if (mistakes.length < maxMistakes) mistakes.push({ field: path || 'body', message });
}

function isBadlyWritten(schema: JsonSchema, path: string, { fractions }: Report): boolean {
  return schema.type === 'integer' && fractions.has(path || 'body');
}

/** Whether the value itself fits, whatever it holds. */
function fits(schema: JsonSchema, value: unknown): boolean {
  if (schema.const !== undefined) return value === schema.const;
  if (schema.enum !== undefined) return schema.enum.includes(value);
  switch (schema.type) {
    case 'integer':
      return Number.isInteger(value) && isWithin(value, schema.minimum, schema.maximum);
    case 'number':
      return Number.isFinite(value) && isWithin(value, schema.minimum, schema.maximum);
    case 'string':
      return typeof value === 'string' && fitsText(schema, value);
    case 'array':
      return Array.isArray(value) && isWithin(value.length, schema.minItems, schema.maxItems);
    case 'object':
      return isObject(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function fitsText({ minLength, maxLength, pattern, format }: JsonSchema, value: string): boolean {
  return (
    isWithin([...value].length, minLength, maxLength) &&
    (pattern === undefined || new RegExp(pattern, 'u').test(value)) &&
    (format !== 'date-time' || parseDateTime(value, 'UTC') !== undefined)
  );
}

function isWithin(value: unknown, low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY): boolean {
  return typeof value === 'number' && value >= low && value <= high;
}

/** What a value has to be, to follow "must be". */
function phrase(schema: JsonSchema): string {
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
      return 'an object';
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
