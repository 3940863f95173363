// Generates the OpenAPI 3.1 document from the same declarations that are served, so that the two cannot differ.

import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import { type ErrorCode, errorCodes } from '../errors.ts';
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts';
import { problemSchema, problemType } from './problem.ts';
import { fileBody, fileResponse, hasBody, type Route, type RouteScope, refusalsOf } from './route.ts';

export type DocumentSchema = JsonSchema & {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly items?: DocumentSchema;
  readonly anyOf?: readonly DocumentSchema[];
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly patternProperties?: Readonly<Record<string, DocumentSchema>>;
};
type Content = Readonly<Record<string, { readonly schema: DocumentSchema }>>;
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: DocumentSchema;
};
type Header = { readonly description: string; readonly schema: DocumentSchema };
export type ResponseObject = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
};
export type Operation = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly 'x-scope': RouteScope;
  readonly 'x-refusals': readonly ErrorCode[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, ResponseObject>>;
};
export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DocumentSchema>>;
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
};

type About = { readonly version: string; readonly basePath: string };
type Named = Record<string, DocumentSchema>;

const introduction = `All payloads are JSON in UTF-8, except for the content of media. Every address below \`/api/v1\` needs the header \`Authorization: Bearer <token>\`, except for signing in and for this document.

A field the server does not know is ignored and named in the header \`Tocsin-Ignored-Fields\` of the answer. A refusal is \`application/problem+json\` with a code, a sentence and, for input, the fields that were refused.

\`/api/v1\` only gains: what is ever removed carries the headers \`Deprecation\` and \`Sunset\` for twelve months first.`;

export function openApiDocument(routes: readonly Route[], { version, basePath }: About): OpenApiDocument {
  const schemas: Named = {};
  named(problemSchema, schemas);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  refuseSharedIds(Object.values(paths).flatMap((operations) => Object.values(operations)));
  return {
    openapi: '3.1.0',
    info: { title: 'Tocsin', version, description: introduction },
    servers: [{ url: basePath || '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token or an API key, with scopes.' },
      },
    },
  };
}

function operationOf(route: Route, schemas: Named): Operation {
  const refusals = refusalsOf(route);
  return {
    operationId: operationIdOf(route),
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, scopeSentence(route.scope)].filter(Boolean).join('\n\n'),
    'x-scope': route.scope,
    'x-refusals': refusals,
    security: route.scope === 'public' ? [] : [{ bearer: [] }],
    parameters: [
      ...parametersOf('path', route.params, schemas),
      ...parametersOf('query', route.query, schemas),
      ...parametersOf('header', route.headers, schemas),
    ],
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route, route.body, schemas) }),
    responses: responsesOf(route, refusals, schemas),
  };
}

function scopeSentence(scope: RouteScope): string {
  if (scope === 'public') return 'Needs no token.';
  return scope === 'signed-in' ? 'Needs a token; any scope will do.' : `Needs the scope \`${scope}\`.`;
}

/** `GET /api/v1/stations/:id` → `getStationsById`. */
function operationIdOf({ method, path }: Route): string {
  const words = path
    .replace(/^\/api\/v\d+/, '')
    .replaceAll('/:', '/by-')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}

function refuseSharedIds(operations: readonly Operation[]): void {
  const ids = operations.map(({ operationId }) => operationId);
  const shared = ids.find((id, index) => ids.indexOf(id) !== index);
  if (shared !== undefined) throw new Error(`two routes have the operation id ${shared}`);
}

function parametersOf(where: Parameter['in'], schema: TSchema | undefined, schemas: Named): Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = named(property, schemas);
    const meaning = description === undefined ? {} : { description };
    return { name, in: where, required: required.includes(name), ...meaning, schema: rest };
  });
}

function requestBodyOf(route: Route, body: TSchema, schemas: Named): { required: boolean; content: Content } {
  const schema = named(body, schemas);
  const isFile = body === fileBody;
  const types = isFile ? ['*/*'] : (route.bodyTypes ?? ['application/json']);
  return {
    required: isFile || (jsonSchemaOf(body).required ?? []).length > 0,
    content: contentOf(types, schema),
  };
}

function typesOf(route: Route, response: TSchema): readonly string[] {
  if (response === fileResponse) return route.fileTypes ?? [];
  return [route.contentType?.split(';')[0] ?? 'application/json'];
}

function contentOf(types: readonly string[], schema: DocumentSchema): Content {
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function responsesOf(route: Route, refusals: readonly ErrorCode[], schemas: Named): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {};
  for (const [status, schema] of Object.entries(route.responses)) {
    const content = hasBody(schema) ? { content: contentOf(typesOf(route, schema), named(schema, schemas)) } : {};
    responses[status] = { description: STATUS_CODES[status] ?? 'An answer', ...headersOf(route), ...content };
  }
  for (const [status, codes] of Map.groupBy(refusals, (code) => errorCodes[code].status)) {
    const own = responses[status];
    const meanings = codes.map((code) => `\`${code}\`: ${errorCodes[code].title}.`);
    responses[status] = {
      ...own,
      description: [...(own === undefined ? [] : [`${own.description}.`]), ...meanings].join(' '),
      content: { ...own?.content, [problemType]: { schema: { $ref: '#/components/schemas/Problem' } } },
    };
  }
  return responses;
}

function headersOf({ responseHeaders }: Route): Pick<ResponseObject, 'headers'> {
  if (responseHeaders === undefined) return {};
  const headers = Object.entries(responseHeaders).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return { headers: Object.fromEntries(headers) };
}

/** Returns a schema as plain JSON in which every part with a title is a reference to the component of that name. */
function named(schema: unknown, schemas: Named): DocumentSchema {
  const copy = copyOf(schema, schemas) as DocumentSchema;
  if (copy.title === undefined) return copy;
  const known = schemas[copy.title];
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(copy)) {
    throw new Error(`two schemas have the title ${copy.title}`);
  }
  schemas[copy.title] = copy;
  return { $ref: `#/components/schemas/${copy.title}` };
}

const schemaMaps = ['properties', 'patternProperties'];

function copyOf(schema: unknown, schemas: Named): unknown {
  const entries = Object.entries(schema as Record<string, unknown>).map(([keyword, value]) => {
    if (keyword === 'items' && !Array.isArray(value)) return [keyword, named(value, schemas)];
    if (keyword === 'anyOf') return [keyword, (value as unknown[]).map((choice) => named(choice, schemas))];
    if (!schemaMaps.includes(keyword)) return [keyword, value];
    const parts = Object.entries(value as Record<string, unknown>);
    return [keyword, Object.fromEntries(parts.map(([name, part]) => [name, named(part, schemas)]))];
  });
  return Object.fromEntries(entries);
}
