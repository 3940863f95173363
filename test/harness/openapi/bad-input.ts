// Generates invalid request bodies from a schema: every field with every wrong type and out of its bounds, forbidden keys
// and keys given twice.

import type { Answer } from '../site/app.ts';

export type Schema = {
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly 'x-null-entries'?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly format?: string;
};

/**
 * A field of a body: its name in a refusal, and a function that returns the JSON of a body with only this and the required
 * fields.
 */
export type Field = {
  readonly name: string;
  readonly schema: Schema;
  readonly body: (json: string) => string;
  /** Whether it is an entry of a list that refuses null entries. */
  readonly isNeverNull: boolean;
};
export type Problem = { readonly code: string; readonly errors?: readonly { readonly field: string }[] };
export type Case = { readonly label: string; readonly body: string; readonly status: number; readonly field: string };

function fieldsOf(object: Schema, name: string, wrap: (json: string) => string): Field[] {
  return Object.entries(object.properties ?? {}).flatMap(([key, property]) =>
    fieldsAt(property, name === '' ? key : `${name}.${key}`, (json) => wrap(`{"${key}":${json}}`)),
  );
}

function fieldsAt(given: Schema, name: string, wrap: (json: string) => string): Field[] {
  // A field that may be null is tested as its other type.
  const property = given.anyOf?.find(({ type }) => type !== 'null') ?? given;
  const itself = { name, schema: property, body: wrap, isNeverNull: false };
  if (property.items !== undefined) {
    const [entry, ...within] = fieldsAt(property.items, `${name}[0]`, (json) => wrap(`[${json}]`));
    const isNeverNull = property['x-null-entries'] !== 'ignored';
    return entry === undefined ? [itself] : [itself, { ...entry, isNeverNull }, ...within];
  }
  const [any] = Object.values(property.patternProperties ?? {});
  if (any !== undefined) return [itself, ...fieldsAt(any, `${name}.fr`, (json) => wrap(`{"fr":${json}}`))];
  return [itself, ...fieldsOf(property, name, wrap)];
}

/** JSON values of other types. */
function wrongTypes({ type, format }: Schema): string[] {
  const samples: Readonly<Record<string, readonly string[]>> = {
    string: ['""', '"1"'],
    integer: ['7'],
    boolean: ['true'],
    object: ['{}'],
    array: ['[]'],
  };
  const of = type === 'number' ? ['integer'] : [type];
  const others = Object.entries(samples).flatMap(([name, values]) => (of.includes(name) ? [] : values));
  return format === 'date-time' ? [...others, '"soon"', '" "'] : others;
}

/** JSON values of the right type that are out of bounds. */
function outOfBounds(schema: Schema): string[] {
  const { type, maximum, minLength = 0, maxLength = 0, minItems = 0, maxItems = 0, format } = schema;
  if (type === 'integer') {
    return ['-1', '1.5', '1.0', '1e0', '-0.0', String((maximum ?? 0) + 1), '9007199254740993', '1e300', '1e400'];
  }
  if (type === 'number') return ['1e400', '-1e400'];
  if (type === 'array') return [`[${'{},'.repeat(maxItems)}{}]`, ...(minItems > 0 ? ['[]'] : [])];
  if (format === 'date-time')
    return ['"2026-13-01T00:00:00Z"', '"2026-02-30"', '"2026-01-01T25:00:00Z"', '"2026-W01-1"'];
  if (type === 'string') {
    const tooLong = [`"${'x'.repeat(maxLength + 1)}"`, `"${'é'.repeat(maxLength + 1)}"`];
    return minLength > 0 ? [...tooLong, '""'] : tooLong;
  }
  return [];
}

const unstorable = ['"a\\u0000b"', '"\\ud800"', '"\\ude00\\ud83d"'];

/**
 * Returns all cases for a schema; `needed` has the required fields with their values, or the name of the only one, which
 * takes any text.
 */
export function badInput(schema: Schema, needed: string | Readonly<Record<string, unknown>>) {
  const besides = Object.entries(typeof needed === 'string' ? { [needed]: 'Bad' } : needed);
  const inBody = (json: string): string => {
    const others = besides.filter(([key]) => !json.startsWith(`{"${key}":`));
    return `{${others.map(([key, value]) => `"${key}":${JSON.stringify(value)},`).join('')}${json.slice(1)}`;
  };
  const fields = fieldsOf(schema, '', inBody);
  return {
    inBody,
    fields,
    fieldCases: fields.flatMap(casesOf),
    keyCases: fields.flatMap(keyCasesOf),
    twice: Object.keys(schema.properties ?? {}).map(
      (key): Case => ({
        label: `${key} twice`,
        body: inBody(`{"${key}":null,"${key}":null}`),
        status: 400,
        field: key,
      }),
    ),
  };
}

function casesOf({ name, schema: property, body, isNeverNull }: Field): Case[] {
  const bad = [...wrongTypes(property), ...outOfBounds(property), ...(isNeverNull ? ['null'] : [])];
  const cases = bad.map((json) => ({
    label: `${name}: ${json.slice(0, 40)}`,
    body: body(json),
    status: 400,
    field: name,
  }));
  if (property.type !== 'string') return cases;
  return [
    ...cases,
    ...unstorable.map((json) => ({ label: `${name}: ${json}`, body: body(json), status: 422, field: name })),
  ];
}

function keyCasesOf({ name, schema: property, body }: Field): Case[] {
  if (property.properties === undefined && property.patternProperties === undefined) return [];
  return ['__proto__', 'constructor', 'prototype', '\\u005f_proto__'].map((key) => ({
    label: `${name}: ${key}`,
    body: body(`{"${key}":{"x":1}}`),
    status: 400,
    field: `${name}.${key.replace('\\u005f', '_')}`,
  }));
}

/** Runs `check` for all, forty at a time; returns the mistakes it found. */
export async function mistakes<T>(
  all: readonly T[],
  check: (one: T) => Promise<string | undefined>,
): Promise<string[]> {
  const found: (string | undefined)[] = [];
  for (let at = 0; at < all.length; at += 40) found.push(...(await Promise.all(all.slice(at, at + 40).map(check))));
  return found.filter((mistake) => mistake !== undefined);
}

export function refusedOtherwise({ label, status, field }: Case, answer: Answer): string | undefined {
  const named = (answer.body as Problem).errors?.[0]?.field;
  return answer.status === status && named === field
    ? undefined
    : `${label} → ${answer.status} ${named}, not ${status} ${field}`;
}
