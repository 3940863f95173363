// Validates input against the schemas of a route: bodies as JSON, queries and path parameters as text.

import type { ValidateFunction } from 'ajv';
import { type TObject, type TSchema, Type } from 'typebox';
import { AppError, attempt, type FieldError } from '../errors.ts';
import type { MendedJson, ParsedJson } from '../wire/strict-json.ts';
import { child, isObject, type JsonSchema, jsonSchemaOf, newAjv } from './json-schema.ts';
import { fit, type Warning } from './lenient-check.ts';
import { mistakesOf } from './validation-messages.ts';

/** A validated body, and the fields in it that the schema does not know. */
export type CheckedBody = {
  readonly value: unknown;
  readonly ignoredFields: readonly string[];
  /** At an intake: the fields that were changed or left out. */
  readonly warnings?: readonly Warning[];
  /** For a list: the warnings of each item that has some, by index. */
  readonly itemWarnings?: ReadonlyMap<number, readonly Warning[]>;
};

/** More than fit into the response header. */
const maxIgnoredFields = 500;

const ajv = newAjv();

/**
 * Creates the check of a body. It removes unknown fields and null optional fields; everything else must match the
 * schema.
 */
export function bodyCheck(schema: TSchema): (body: ParsedJson) => CheckedBody {
  const check = fitCheck(schema);
  const tidy = tidyFor(jsonSchemaOf(schema));
  return ({ value, writtenAsFraction }) => {
    const tidied: Tidied = { ignoredFields: [], repeated: [] };
    tidy?.(value, '', tidied);
    check(value, writtenAsFraction);
    return { value, ignoredFields: tidied.ignoredFields };
  };
}

/**
 * Creates the check of the body of an intake: what does not fit the schema is put right or left out, with warnings.
 * Refuses a body of which nothing could be used.
 */
export function intakeCheck(schema: TSchema): (body: MendedJson) => CheckedBody {
  const check = fitCheck(schema);
  const tidy = tidyFor(jsonSchemaOf(schema));
  const fits = lazyFits(schema);
  return ({ value, mended }) => {
    const tidied: Tidied = { ignoredFields: [], repeated: [] };
    tidy?.(value, '', tidied);
    const { ignoredFields, repeated } = tidied;
    if (repeated.length === 0 && fits()(value)) return { value, ignoredFields, warnings: mended };
    const warnings: Warning[] = [...mended, ...repeated];
    const fitted = fit(jsonSchemaOf(schema), value, '', warnings);
    // Refuses the body with the sentences of any other route.
    if (fitted === undefined) check(value, []);
    return { value: fitted?.value, ignoredFields, warnings };
  };
}

type Item = ParsedJson | MendedJson | AppError;
type Items = readonly Item[] | undefined;

export type ListCheck = {
  /** Checks all items of a list, which are refused separately. */
  readonly all: (items: Items) => CheckedBody;
  /** Refuses a body that is no list or too long a one. */
  readonly whole: (items: readonly unknown[] | undefined) => void;
  /** Checks the item at an index and adds its unknown fields to `ignoredFields`. */
  readonly item: (reading: Item, index: number, found: Found) => unknown;
};

/** Unknown fields and warnings, collected while the items of a list are checked. */
export type Found = { readonly ignoredFields: string[]; readonly itemWarnings: Map<number, readonly Warning[]> };

/**
 * Creates the check of a list. The list as a whole must be a list and not too long; each item is refused separately.
 */
export function listCheck(schema: TSchema, check: (item: never) => CheckedBody): ListCheck {
  const { maxItems = 0 } = jsonSchemaOf(schema);
  const checkWhole = fitCheck(Type.Array(Type.Unknown(), { maxItems }));
  const whole: ListCheck['whole'] = (items) => {
    if (items !== undefined && items.length > maxItems)
      throw new AppError('body-too-large', `The list has more than ${maxItems} entries.`);
    checkWhole(items ?? {}, []);
  };
  const checkItem: ListCheck['item'] = (reading, index, { ignoredFields, itemWarnings }) => {
    const checked = reading instanceof AppError ? reading : attempt(() => check(reading as never));
    if (checked instanceof AppError) return checked;
    if (checked.warnings !== undefined && checked.warnings.length > 0) itemWarnings.set(index, checked.warnings);
    for (const field of checked.ignoredFields) {
      if (ignoredFields.length < maxIgnoredFields) ignoredFields.push(child(`[${index}]`, field));
    }
    return checked.value;
  };
  const all: ListCheck['all'] = (items) => {
    whole(items);
    const found = { ignoredFields: [], itemWarnings: new Map() };
    const value = items?.map((reading, index) => checkItem(reading, index, found));
    return { value, ...found };
  };
  return { all, whole, item: checkItem };
}

/** Creates the check of a query or of path parameters, which arrive as text by name. */
export function textCheck(schema: TObject): (raw: Readonly<Record<string, unknown>>) => unknown {
  const check = fitCheck(schema);
  const fields = new Map(
    Object.entries(jsonSchemaOf(schema).properties ?? {}).map(([name, property]) => [
      name.toLowerCase(),
      { name, property },
    ]),
  );
  return (raw) => {
    refuseRepeated(raw);
    const value: Record<string, unknown> = {};
    for (const [sent, text] of Object.entries(raw)) {
      const field = fields.get(sent.toLowerCase());
      // An empty parameter counts as absent; of two spellings of a name the last counts.
      if (field === undefined || typeof text !== 'string' || text === '') continue;
      value[field.name] = valueOfText(field.property, storable(field.name, text));
    }
    check(value, [], nameOfParameter);
    return value;
  };
}

/** A parameter is refused as a whole, whichever entry of a list does not fit. */
function nameOfParameter(field: string): string {
  return field.replace(/\[\d+\]$/, '');
}

/**
 * Creates the check of the query of an intake, which refuses nothing: a number that cannot be used is the largest allowed,
 * so that nobody who asks to wait is answered too soon. Returns the warnings too.
 */
export function intakeQueryCheck(schema: TObject): (raw: Readonly<Record<string, unknown>>) => IntakeQuery {
  const check = textCheck(schema);
  const { properties = {} } = jsonSchemaOf(schema);
  return (raw) => {
    const once = Object.fromEntries(Object.entries(raw).map(([name, sent]) => [name, [sent].flat().at(-1)]));
    const value = attempt(() => check(once));
    if (!(value instanceof AppError)) return { value, warnings: [] };
    const fields = value.errors.map(({ field }) => [field, properties[field]?.maximum] as const);
    const warnings = fields.map(([field, most]) => ({ field, message: `cannot be used and was read as ${most}` }));
    const others = Object.entries(once).filter(([sent]) => !fields.some(([field]) => isSameName(field, sent)));
    const mended = fields.map(([field, most]) => [field, String(most)]);
    return { value: check(Object.fromEntries([...others, ...mended])), warnings };
  };
}

type IntakeQuery = { readonly value: unknown; readonly warnings: readonly Warning[] };

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Combines all field errors into one refusal. */
export function refuseInput(found: readonly FieldError[]): AppError {
  const errors = found.map(({ field, message }) => ({ field, message }));
  const [first] = errors;
  const sentence =
    errors.length === 1 && first !== undefined
      ? `${first.field} ${first.message}.`
      : `${errors.length} fields are malformed or out of bounds.`;
  return new AppError('invalid-input', sentence, { errors });
}

/** Compiled on first use: compiling the checks of all routes took a third of a server's start. */
function lazyFits(schema: TSchema): () => ValidateFunction {
  let fits: ValidateFunction | undefined;
  return () => {
    fits ??= ajv.compile(schema);
    return fits;
  };
}

type NameField = (field: string) => string;
type FitCheck = (value: unknown, writtenAsFraction: readonly string[], nameOf?: NameField) => void;

function fitCheck(schema: TSchema): FitCheck {
  const compiled = lazyFits(schema);
  return (value, writtenAsFraction, nameOf = (field) => field) => {
    const fits = compiled();
    const isFitting = fits(value);
    if (isFitting && writtenAsFraction.length === 0) return;
    const mistakes = mistakesOf(jsonSchemaOf(schema), value, writtenAsFraction);
    // An error without a sentence of ours is reported in Ajv's words.
    if (!isFitting && mistakes.length === 0) mistakes.push(...(fits.errors ?? []).map(ajvError));
    if (mistakes.length > 0)
      throw refuseInput(mistakes.map(({ field, message }) => ({ field: nameOf(field), message })));
  };
}

function ajvError({ instancePath, message }: { instancePath: string; message?: string }): FieldError {
  const field = instancePath
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
  return { field: field || 'body', message: message ?? 'is not valid' };
}

type Tidied = {
  readonly ignoredFields: string[];
  /** The fields that were given in two spellings. */
  readonly repeated: Warning[];
};
type Tidy = (value: unknown, path: string, tidied: Tidied) => void;

/**
 * Built once per schema, because it runs for every body; undefined if there is nothing to tidy. A union of several
 * object types is left untouched, because a field unknown to one type may belong to another.
 */
function tidyFor(schema: JsonSchema): Tidy | undefined {
  if (schema.properties !== undefined) return tidyObject(schema, schema.properties);
  if (schema.items !== undefined) {
    const tidyEntry = tidyFor(schema.items);
    if (tidyEntry === undefined) return undefined;
    const dropsNull = schema['x-null-entries'] === 'ignored';
    return (value, path, tidied) => {
      if (!Array.isArray(value)) {
        // An intake reads one entry in the place of a list as a list of it.
        tidyEntry(value, path, tidied);
        return;
      }
      if (dropsNull) dropNullEntries(value);
      for (let index = 0; index < value.length; index++) tidyEntry(value[index], `${path}[${index}]`, tidied);
    };
  }
  const others = Object.values(schema.patternProperties ?? {})[0];
  if (others !== undefined) return acceptsNull(others) ? undefined : dropNulls;
  const [only, ...more] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return only === undefined || more.length > 0 ? undefined : tidyFor(only);
}

function tidyObject(schema: JsonSchema, properties: Readonly<Record<string, JsonSchema>>): Tidy {
  const known = new Map(
    Object.entries(properties).map(([key, property]) => {
      const isOptional = !schema.required?.includes(key);
      const dropsNull = isOptional && !acceptsNull(property);
      // Clients in typed languages also send an empty time for a field they do not set.
      const dropsEmpty = isOptional && property.format === 'date-time';
      return [key, { dropsNull, dropsEmpty, tidy: tidyFor(property) }];
    }),
  );
  const spelling = new Map(Object.keys(properties).map((key) => [key.toLowerCase(), key]));
  const tidyField = (value: Record<string, unknown>, key: string, path: string, tidied: Tidied): void => {
    const field = known.get(key);
    if (field === undefined) return;
    if ((value[key] === null && field.dropsNull) || (value[key] === '' && field.dropsEmpty)) delete value[key];
    else field.tidy?.(value[key], child(path, key), tidied);
  };
  return (value, path, tidied) => {
    if (!isObject(value)) return;
    for (const key in value) {
      if (known.has(key)) {
        tidyField(value, key, path, tidied);
        continue;
      }
      const name = spelling.get(key.toLowerCase());
      const ignored = takeOtherSpelling(value, key, name);
      if (ignored !== undefined) note(tidied, path, ignored, name);
      if (name !== undefined) tidyField(value, name, path, tidied);
    }
  };
}

function note({ ignoredFields, repeated }: Tidied, path: string, ignored: string, name: string | undefined): void {
  if (ignoredFields.length < maxIgnoredFields) ignoredFields.push(child(path, ignored));
  if (name !== undefined && repeated.length < maxIgnoredFields)
    repeated.push({ field: child(path, name), message: 'is given in two spellings: the last counts' });
}

/**
 * Moves the value of a key that is a known name in other letters to that name; of two spellings the last counts. Returns
 * the key that is ignored: an unknown one, or the earlier of two spellings.
 */
function takeOtherSpelling(value: Record<string, unknown>, key: string, name: string | undefined): string | undefined {
  const sent = value[key];
  if (name === undefined) {
    delete value[key];
    return key;
  }
  const isTwice = Object.hasOwn(value, name);
  const keys = Object.keys(value);
  const isLater = isTwice && keys.indexOf(name) > keys.indexOf(key);
  delete value[key];
  if (isLater) return key;
  if (isTwice) delete value[name];
  value[name] = sent;
  return isTwice ? name : undefined;
}

function dropNullEntries(list: unknown[]): void {
  let length = 0;
  for (const entry of list) if (entry !== null) list[length++] = entry;
  list.length = length;
}

function dropNulls(value: unknown): void {
  if (isObject(value)) for (const key in value) if (value[key] === null) delete value[key];
}

function acceptsNull(schema: JsonSchema): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some(acceptsNull);
  const isOpen = schema.type === undefined && schema.enum === undefined;
  return isOpen || schema.type === 'null' || (schema.enum?.includes(null) ?? false);
}

function refuseRepeated(raw: Readonly<Record<string, unknown>>): void {
  const errors = Object.keys(raw)
    .filter((name) => Array.isArray(raw[name]))
    .map((field) => ({ field, message: 'is given more than once' }));
  if (errors.length > 0) throw refuseInput(errors.slice(0, 20));
}

function storable(field: string, text: string): string {
  if (!text.includes('\0')) return text;
  const message = 'must not hold a NUL character';
  throw new AppError('unprocessable', `${field} ${message}.`, { errors: [{ field, message }] });
}

/** Of a list with an entry that does not fit, that entry alone, so that the refusal names the parameter once. */
function valuesOfList(items: JsonSchema, text: string): readonly unknown[] {
  const values = text.split(',').map((entry) => valueOfText(items, entry));
  const unfit = values.find((value) => typeof value === 'string');
  return unfit === undefined || items.type === 'string' ? values : [unfit];
}

/** Converts `text` to the type of the schema; returns the text itself if that fails, so that the check refuses it. */
function valueOfText(schema: JsonSchema, text: string): unknown {
  if (schema.type === 'array') return valuesOfList(schema.items ?? {}, text);
  // Number() alone would accept 0x10, 1e3 and " 5".
  if (schema.type === 'integer') return /^\d{1,16}$/.test(text) ? Number(text) : text;
  if (schema.type === 'boolean') return text === 'true' || (text === 'false' ? false : text);
  return text;
}
