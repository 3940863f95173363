// Builds requests from an OpenAPI document: every path, query parameter and body field that names an object by its id
// becomes a slot, so that a test can put any id there. A name that this file does not know fails the test.

import assert from 'node:assert/strict';
import type { OpenApiDocument } from '../../../src/http/openapi/document.ts';
import { inlined } from './inlined-openapi.ts';

/** The kinds of objects that requests name. */
export const objectKinds = [
  'station',
  'dataServer',
  'tagGroup',
  'user',
  'team',
  'callGroup',
  'grouping',
  'schedule',
  'scenario',
  'alarm',
  'occurrence',
  'media',
  'session',
  'key',
  'refusal',
  'override',
  'swap',
  'number',
  'call',
  'provider',
] as const;
export type ObjectKind = (typeof objectKinds)[number];

type Schema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly format?: string;
};
type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
};
type DocumentedOperation = {
  readonly 'x-scope': string;
  readonly security: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
};
type OpenApi = { readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>> };

export type Slot = {
  readonly where: 'path' | 'query' | 'body';
  readonly name: string;
  readonly kind: ObjectKind;
  /** Whether a query parameter takes several ids, separated by commas. */
  readonly isList?: boolean;
};

export type ApiOperation = {
  readonly method: string;
  readonly path: string;
  readonly scope: string;
  /** Whether it is public and shows more to a caller with a token. */
  readonly takesToken: boolean;
  readonly query: readonly Parameter[];
  readonly slots: readonly Slot[];
  readonly body: Schema | 'file' | undefined;
};

export type BuiltRequest = { readonly method: string; readonly path: string; readonly body: unknown };

/** The object whose id stands in the path after this segment. */
const kindOfSegment: Readonly<Record<string, ObjectKind>> = {
  stations: 'station',
  dataservers: 'dataServer',
  taggroups: 'tagGroup',
  users: 'user',
  phones: 'user',
  teams: 'team',
  callgroups: 'callGroup',
  callgroupgroupings: 'grouping',
  schedules: 'schedule',
  scenarios: 'scenario',
  alarms: 'alarm',
  occurrences: 'occurrence',
  media: 'media',
  sessions: 'session',
  keys: 'key',
  refusals: 'refusal',
  overrides: 'override',
  swaps: 'swap',
  numbers: 'number',
  calls: 'call',
  'ring-in': 'call',
  attempt: 'call',
  providers: 'provider',
};

/** What stands in the path after this segment where it names no object. */
const plainSegments: Readonly<Record<string, string>> = { in: 'alertmanager', quarantine: 'attempt' };

/** The object that a query parameter or a field of a body names. */
const kindOfName: Readonly<Record<string, ObjectKind>> = {
  stationId: 'station',
  stationIds: 'station',
  dataServerId: 'dataServer',
  tagGroupId: 'tagGroup',
  userId: 'user',
  userIds: 'user',
  replacedById: 'user',
  onBehalfOf: 'user',
  teamId: 'team',
  teamIds: 'team',
  callGroupId: 'callGroup',
  callGroupIds: 'callGroup',
  reliefGroupId: 'callGroup',
  lastResortGroupId: 'callGroup',
  groupingIds: 'grouping',
  scheduleId: 'schedule',
  scenarioId: 'scenario',
  scenarioIds: 'scenario',
  alarmId: 'alarm',
  occurrenceId: 'occurrence',
  ids: 'alarm',
};

/** Names that look like ids but name no object of a station. */
const plainIds: ReadonlySet<string> = new Set(['statusId', 'scriptId', 'afterId']);

/** Values for names whose schema alone does not tell a value that is accepted. */
const plainValues: Readonly<Record<string, unknown>> = {
  until: '2026-11-15T13:00:00Z',
  expiryTime: '2027-01-01T00:00:00Z',
  keys: '1',
  dates: ['2026-12-25'],
  icalUrl: null,
  offset: 0,
  limit: 1000,
  hours: 2,
  wait: 0,
  at: '2026-11-15T12:00:00Z',
  from: '2026-11-01T00:00:00Z',
  to: '2026-12-01T00:00:00Z',
  status: 1,
  msgAudio: null,
  password: null,
  pin: null,
  username: 'nobody',
};

export function operationsOf(document: OpenApiDocument): readonly ApiOperation[] {
  const { paths } = inlined(document) as OpenApi;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      operationOf(method.toUpperCase(), withPlainSegments(path), operation),
    ),
  );
}

function withPlainSegments(path: string): string {
  return path.replace(/([^/]+)\/\{\w+\}/g, (whole, segment) =>
    Object.hasOwn(plainSegments, segment) ? `${segment}/${plainSegments[segment]}` : whole,
  );
}

function operationOf(method: string, path: string, documented: DocumentedOperation): ApiOperation {
  const { parameters = [], requestBody } = documented;
  const content = requestBody?.content ?? {};
  const json = content['application/json']?.schema;
  const body = json ?? (content['*/*'] === undefined ? undefined : 'file');
  const what = `${method} ${path}`;
  assert.ok(requestBody === undefined || body !== undefined, `${what} takes a body that this test cannot make`);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const slots: Slot[] = [
    ...[...path.matchAll(/([^/]+)\/\{(\w+)\}/g)].map(([, segment = '', name = '']): Slot => {
      const kind = kindOfSegment[segment];
      assert.ok(kind, `${what}: kindOfSegment must say what {${name}} after ${segment} names`);
      return { where: 'path', name, kind };
    }),
    ...query.flatMap(({ name, schema }) => slotOf('query', name, name, schema, what)),
    ...(body === undefined || body === 'file' ? [] : bodySlots(body, '', what)),
  ];
  const takesToken = documented['x-scope'] === 'public' && documented.security.length > 0;
  return { method, path, scope: documented['x-scope'], takesToken, query, slots, body };
}

function slotOf(where: Slot['where'], place: string, name: string, schema: Schema, what: string): readonly Slot[] {
  // The lists and counts of alarms take ids of alarms as `id`.
  const kind = where === 'query' && name === 'id' ? 'alarm' : kindOfName[name];
  if (kind !== undefined) return [{ where, name: place, kind, isList: where === 'query' && schema.type === 'array' }];
  const isNumber = schema.type === 'integer' || schema.items?.type === 'integer';
  const looksLikeId = isNumber && /(?:Id|Ids|By)$/.test(name) && !plainIds.has(name);
  assert.ok(!looksLikeId, `${what}: kindOfName must say what "${name}" names`);
  return [];
}

/** A list of actions has two slots, because the type of an action says what its id names. */
const actionTypes = { CallGroup: 'callGroup', CallUser: 'user' } as const;

function bodySlots(schema: Schema, place: string, what: string): readonly Slot[] {
  const name = place.split('/').at(-1) ?? '';
  if (/Actions$/.test(name)) {
    return Object.entries(actionTypes).map(([type, kind]) => ({ where: 'body', name: `${place}#${type}`, kind }));
  }
  const own = name === '' ? [] : slotOf('body', place, name, schema, what);
  if (own.length > 0) return own;
  if (schema.items !== undefined) return bodySlots(schema.items, `${place}/`, what);
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) =>
    bodySlots(property, place === '' ? key : `${place.replace(/\/$/, '')}/${key}`, what),
  );
}

/** The id to put into a slot; undefined leaves the slot out if it may be left out. */
export type Fill = (slot: Slot) => number | string | undefined;

/** Numbers the names in bodies, so that no two requests send the same one. */
let nameCount = 0;

type Extras = {
  /** Values of query parameters beside those of the slots. */
  readonly query?: Readonly<Record<string, string | number>>;
  /** Whether the body has every field, or only those it must have and the filled ones. */
  readonly isWhole?: boolean;
};

export function buildRequest(
  operation: ApiOperation,
  fill: Fill,
  { query = {}, isWhole = false }: Extras = {},
): BuiltRequest {
  const filledIn = (where: Slot['where'], name: string) => {
    const slot = operation.slots.find((one) => one.where === where && one.name === name);
    return slot && fill(slot);
  };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(filledIn('path', name) ?? 0),
  );
  const given = operation.query.flatMap(({ name, required, schema }) => {
    const value = query[name] ?? filledIn('query', name) ?? (required ? plainValue(name, schema) : undefined);
    return value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`];
  });
  const { body: schema } = operation;
  nameCount += 1;
  const body =
    schema === undefined
      ? undefined
      : schema === 'file'
        ? 'some text'
        : bodyOf(schema, '', { isWhole, fill: (place) => filledIn('body', place) });
  return { method: operation.method, path: given.length === 0 ? path : `${path}?${given.join('&')}`, body };
}

type BodyFill = { readonly isWhole: boolean; readonly fill: (place: string) => number | string | undefined };

function bodyOf(schema: Schema, place: string, options: BodyFill): unknown {
  const name = place.split('/').at(-1) ?? '';
  if (/Actions$/.test(name)) {
    return Object.keys(actionTypes).flatMap((type) => {
      const id = options.fill(`${place}#${type}`);
      return id === undefined ? [] : [{ type, id }];
    });
  }
  const filled = options.fill(place);
  if (filled !== undefined) return schema.type === 'array' ? [filled] : filled;
  if (kindOfName[name] !== undefined) return schema.type === 'array' ? [] : undefined;
  if (schema.type === 'array' && schema.items !== undefined && schema.items.properties !== undefined)
    return [bodyOf(schema.items, `${place}/`, options)];
  if (schema.properties === undefined) return plainValue(name, schema);
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties).flatMap(([key, property]) => {
    const at = place === '' ? key : `${place.replace(/\/$/, '')}/${key}`;
    const isWanted =
      options.isWhole || required.has(key) || alwaysGiven.has(key) || isFilledBelow(property, at, options);
    const value = isWanted && !inPlaceOfOthers.has(key) ? bodyOf(property, at, options) : undefined;
    return value === undefined || value === null ? [] : [[key, value] as const];
  });
  return Object.fromEntries(fields);
}

/** Fields that are optional one by one, although the request needs one of them. */
const alwaysGiven: ReadonlySet<string> = new Set(['alarmMessage', 'msgText', 'until']);

/** Fields that are given in place of another one, and never beside it. */
const inPlaceOfOthers: ReadonlySet<string> = new Set(['minutes']);

function isFilledBelow(schema: Schema, place: string, options: BodyFill): boolean {
  return bodySlots(schema, place, place).some(({ name }) => options.fill(name) !== undefined);
}

function plainValue(name: string, schema: Schema): unknown {
  if (name === 'name') return `n${String(nameCount).padStart(6, '0')}`;
  const [example] = schema.examples ?? [];
  // The end of a period must be after its beginning, which has the same example.
  if (name === 'to' && typeof example === 'string' && example.includes('T') && schema.format === undefined)
    return '2026-11-21T08:00';
  if (example !== undefined && schema.format === undefined) return example;
  if (name in plainValues) return plainValues[name];
  if (example !== undefined) return example;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.anyOf !== undefined) return null;
  if (schema.type === 'array') return schema.items === undefined ? [] : [plainValue(name, schema.items)];
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return false;
  if (schema.type === 'object') return {};
  return 'some text';
}
