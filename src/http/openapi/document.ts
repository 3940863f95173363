// Generates the OpenAPI 3.1 document from the same declarations that are served, so that the two cannot differ.

import { STATUS_CODES } from 'node:http';
import type { TSchema } from 'typebox';
import { scopes } from '../../domain/access/access.ts';
import { type ErrorCode, errorCodes } from '../../errors.ts';
import { tomorrow } from '../../wire/date-time.ts';
import { jsonSchemaOf } from '../json-schema.ts';
import { problemSchema, problemType } from '../problem.ts';
import { fileBody, fileResponse, hasBody, type Route, type RouteScope, refusalsOf } from '../route.ts';
import { Components, type DocumentSchema } from './components.ts';
import { exampleOf } from './example.ts';
import { scopeMeanings } from './scope-meanings.ts';

type Content = Readonly<Record<string, { readonly schema: DocumentSchema; readonly example?: unknown }>>;
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly style?: 'form';
  readonly explode?: boolean;
  readonly schema: DocumentSchema;
  readonly example?: unknown;
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
type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: 'bearer'; readonly description: string }
  | {
      readonly type: 'oauth2';
      readonly description: string;
      readonly flows: {
        readonly password: { readonly tokenUrl: string; readonly scopes: Readonly<Record<string, string>> };
      };
    };
export type OpenApiDocument = {
  readonly openapi: '3.1.0';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DocumentSchema>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
};

export type About = {
  readonly version: string;
  readonly basePath: string;
  /** The meaning of each tag of the routes, in the order of the reference. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Some examples are times in the future, in milliseconds since 1970. */
  readonly now?: number;
};

const dayMs = 86_400_000;

const introduction = `All payloads are JSON in UTF-8, except for the content of media. Every address below \`/api/v1\` needs the header \`Authorization: Bearer <token>\`, except for signing in and for this document.

A field the server does not know is ignored and named in the header \`Tocsin-Ignored-Fields\` of the answer. A refusal is \`application/problem+json\` with a code, a sentence and, for input, the fields that were refused.

\`/api/v1\` only gains: what is ever removed carries the headers \`Deprecation\` and \`Sunset\` for twelve months first.`;

export function openApiDocument(routes: readonly Route[], about: About): OpenApiDocument {
  const { version, basePath, tags = {}, now = 0 } = about;
  const components = new Components();
  components.refer(jsonSchemaOf(problemSchema), 'other');
  const operations = routes.filter(({ isPage }) => isPage === undefined);
  refuseSharedIds(operations);
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of operations) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, components) };
  }
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: {
      title: 'Tocsin',
      version,
      description: introduction,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    // Without a host: clients use the one that they got the document from.
    servers: [{ url: basePath || '/' }],
    tags: tagsOf(operations, tags),
    paths,
    components: { schemas: components.schemas, securitySchemes: securitySchemes(basePath) },
  };
  const future = new Date(now + dayMs).toISOString();
  return JSON.parse(JSON.stringify(document).replaceAll(tomorrow, future));
}

/** The tags that are used, those with a meaning first, in their order. */
function tagsOf(routes: readonly Route[], meanings: Readonly<Record<string, string>>): OpenApiDocument['tags'] {
  const used = new Set(routes.map(({ tag }) => tag));
  const known = Object.keys(meanings).filter((name) => used.has(name));
  return [...new Set([...known, ...used])].map((name) => {
    const description = meanings[name];
    return description === undefined ? { name } : { name, description };
  });
}

function securitySchemes(basePath: string): Readonly<Record<string, SecurityScheme>> {
  return {
    bearer: { type: 'http', scheme: 'bearer', description: 'An access token or an API key.' },
    signIn: {
      type: 'oauth2',
      description: 'Signs in with a name and a password, and uses the access token of the response.',
      flows: {
        password: {
          tokenUrl: `${basePath}/api/v1/auth/login`,
          scopes: Object.fromEntries(scopes.map((scope) => [scope, scopeMeanings[scope]])),
        },
      },
    },
  };
}

function securityOf({ scope, takesToken }: Route): Operation['security'] {
  if (scope === 'public') return takesToken ? [{}, { bearer: [] }, { signIn: [] }] : [];
  return [{ bearer: [] }, { signIn: scope === 'signed-in' ? [] : [scope] }];
}

function operationOf(route: Route, components: Components): Operation {
  const refusals = refusalsOf(route);
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: [route.description, scopeSentence(route)].filter(Boolean).join('\n\n'),
    'x-scope': route.scope,
    'x-refusals': refusals,
    security: securityOf(route),
    parameters: [
      ...parametersOf('path', route.params, components),
      ...parametersOf('query', route.query, components),
      ...parametersOf('header', route.headers, components),
    ],
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route, route.body, components) }),
    responses: responsesOf(route, refusals, components),
  };
}

function scopeSentence({ scope, takesToken }: Route): string {
  if (scope === 'public') return takesToken ? 'Needs no token, and takes any.' : 'Needs no token.';
  return scope === 'signed-in' ? 'Needs a token; any scope will do.' : `Needs the scope \`${scope}\`.`;
}

function refuseSharedIds(routes: readonly Route[]): void {
  const ids = routes.map(({ operationId }) => operationId);
  const shared = ids.find((id, index) => ids.indexOf(id) !== index);
  if (shared !== undefined) throw new Error(`two routes have the operation id ${shared}`);
}

function parametersOf(where: Parameter['in'], schema: TSchema | undefined, components: Components): Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(schema);
  return Object.entries(properties).map(([name, property]) => {
    const { description: own, examples, ...schema } = components.refer(property, 'other');
    const description = own ?? components.resolve(schema).description;
    const isRequired = required.includes(name);
    // The reference sends every parameter that has an example, also one that few requests want.
    const rest = isRequired && examples !== undefined ? { ...schema, examples } : schema;
    return {
      name,
      in: where,
      required: isRequired,
      ...(description === undefined ? {} : { description }),
      // Lists are separated by commas.
      ...(schema.type === 'array' ? { style: 'form' as const, explode: false } : {}),
      schema: rest,
      ...(isRequired ? { example: exampleOf(rest, components) } : {}),
    };
  });
}

function requestBodyOf(route: Route, body: TSchema, components: Components): { required: boolean; content: Content } {
  const schema = components.refer(jsonSchemaOf(body), 'body');
  if (body === fileBody) return { required: true, content: contentOf(['*/*'], { schema }) };
  return {
    required: (jsonSchemaOf(body).required ?? []).length > 0 || schema.type === 'array',
    content: contentOf(route.bodyTypes ?? ['application/json'], { schema, example: exampleOf(schema, components) }),
  };
}

function typesOf(route: Route, response: TSchema): readonly string[] {
  if (response === fileResponse) return route.fileTypes ?? [];
  return [route.contentType?.split(';')[0] ?? 'application/json'];
}

function contentOf(types: readonly string[], content: Content[string]): Content {
  return Object.fromEntries(types.map((type) => [type, content]));
}

function responsesOf(
  route: Route,
  refusals: readonly ErrorCode[],
  components: Components,
): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {};
  for (const [status, schema] of Object.entries(route.responses)) {
    const content = hasBody(schema)
      ? { content: contentOf(typesOf(route, schema), { schema: components.refer(jsonSchemaOf(schema), 'other') }) }
      : {};
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
