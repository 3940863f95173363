// The part of JSON Schema that routes use, and how Ajv is configured for it.

import { Ajv, type Options } from 'ajv';
import type { TSchema } from 'typebox';
import { parseDateTime } from '../wire/date-time.ts';

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
  readonly maxProperties?: number;
  readonly uniqueItems?: boolean;
  readonly items?: JsonSchema;
  /** `ignored`: null entries are removed before validation. */
  readonly 'x-null-entries'?: string;
  /** `hashed`: an intake shortens a text that is too long to its beginning and a hash. */
  readonly 'x-too-long'?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
};

/** A TypeBox schema is a JSON Schema at run time; its type does not say so. */
export function jsonSchemaOf(schema: TSchema): JsonSchema {
  return schema;
}

export function newAjv(options: Options = {}): Ajv {
  return new Ajv({
    strict: true,
    keywords: ['x-null-entries', 'x-too-long', 'x-enum-descriptions'],
    formats: { 'date-time': (text: string) => parseDateTime(text, 'UTC') !== undefined },
    ...options,
  });
}

export function child(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
