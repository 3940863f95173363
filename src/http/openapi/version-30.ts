// Converts the OpenAPI 3.1 document to 3.0.3, for generators of clients that read nothing newer. Pure.

import type { DocumentSchema } from './components.ts';
import type { OpenApiDocument, Operation, ResponseObject } from './document.ts';

/** A schema of OpenAPI 3.0: one type, `nullable` and one `example`. */
export type Schema30 = Readonly<Record<string, unknown>>;

type Schemas = OpenApiDocument['components']['schemas'];

export function openApi30(document: OpenApiDocument): Readonly<Record<string, unknown>> {
  const { info, paths, components } = document;
  const { schemas } = components;
  const { identifier, ...license } = info.license;
  const converted = {
    ...document,
    openapi: '3.0.3',
    info: { ...info, license: { ...license, url: `https://spdx.org/licenses/${identifier}.html` } },
    paths: mapped(paths, (operations) => mapped(operations, (operation) => operation30(operation, schemas))),
    components: { ...components, schemas: mapped(schemas, (schema) => schema30(schema, schemas)) },
  };
  return { ...converted, components: { ...components, schemas: usedSchemas(converted) } };
}

/** Without those that only a choice named which has no type in 3.0. */
function usedSchemas(document: {
  readonly components: { readonly schemas: Readonly<Record<string, Schema30>> };
}): Readonly<Record<string, Schema30>> {
  const text = JSON.stringify(document);
  const isUsed = (name: string): boolean => text.includes(`"#/components/schemas/${name}"`);
  return Object.fromEntries(Object.entries(document.components.schemas).filter(([name]) => isUsed(name)));
}

function mapped<T, U>(entries: Readonly<Record<string, T>>, convert: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, convert(value)]));
}

function operation30(operation: Operation, schemas: Schemas): Readonly<Record<string, unknown>> {
  const { parameters, requestBody, responses } = operation;
  return {
    ...operation,
    parameters: parameters.map((parameter) => withSchema30(parameter, schemas)),
    ...(requestBody === undefined
      ? {}
      : { requestBody: { ...requestBody, content: contents30(requestBody.content, schemas) } }),
    responses: mapped(responses, (response) => response30(response, schemas)),
  };
}

function response30(response: ResponseObject, schemas: Schemas): Readonly<Record<string, unknown>> {
  const { headers, content } = response;
  return {
    ...response,
    ...(headers === undefined ? {} : { headers: contents30(headers, schemas) }),
    ...(content === undefined ? {} : { content: contents30(content, schemas) }),
  };
}

function contents30<T extends { readonly schema: DocumentSchema }>(
  contents: Readonly<Record<string, T>>,
  schemas: Schemas,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(contents).map(([name, content]) => [name, fileOr(name, withSchema30(content, schemas))]),
  );
}

/** Programs read a text of another media type than JSON as JSON, unless it is a file. */
function fileOr<T extends { readonly schema: Schema30 }>(name: string, content: T): T {
  const isFile = /^text\//.test(name) && content.schema.type === 'string';
  return isFile ? { ...content, schema: { ...content.schema, format: 'binary' } } : content;
}

function withSchema30<T extends { readonly schema: DocumentSchema }>(
  part: T,
  schemas: Schemas,
): Omit<T, 'schema'> & { readonly schema: Schema30 } {
  return { ...part, schema: schema30(part.schema, schemas) };
}

/** `schemas` are those that references name. */
export function schema30(schema: DocumentSchema, schemas: Schemas = {}): Schema30 {
  const { $ref, type, anyOf, const: only, examples, items, properties, additionalProperties, ...rest } = schema;
  if ($ref !== undefined && Object.keys(schema).length === 1) return { $ref };
  if ($ref !== undefined) {
    const named = schemas[$ref.split('/').at(-1) ?? ''] ?? {};
    // A text is open here, so that its name says nothing, and generators make a class of what `allOf` combines.
    return named.enum !== undefined && named.type === 'string'
      ? schema30({ ...named, ...rest }, schemas)
      : { allOf: [{ $ref }], ...plain(rest) };
  }
  const convert = (part: DocumentSchema): Schema30 => schema30(part, schemas);
  return {
    ...typeOf(type),
    ...open(plain(rest)),
    ...(only === undefined || typeof only === 'string' ? {} : { enum: [only] }),
    ...(examples === undefined ? {} : { example: examples[0] }),
    ...(items === undefined ? {} : { items: convert(items) }),
    ...(properties === undefined ? {} : { properties: mapped(properties, convert) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: openness(additionalProperties, convert) }),
    ...(anyOf === undefined ? {} : choicesOf(anyOf, schemas)),
  };
}

/** Keywords that mean the same in both versions; content that is not JSON is a binary string in 3.0. */
function plain({ contentMediaType, ...rest }: DocumentSchema): Schema30 {
  return contentMediaType === undefined ? rest : { ...rest, type: 'string', format: 'binary' };
}

/**
 * Texts are open in 3.0, with the values that are known now in words: programs that were generated from a closed list fail at the
 * first value that is added, and those of .NET at every list of them.
 */
function open(schema: Schema30): Schema30 {
  const { enum: values, 'x-enum-descriptions': _, ...rest } = schema;
  if (!Array.isArray(values) || values.some((value) => typeof value === 'number')) return schema;
  const known = values.filter((value) => value !== null);
  const description = String(rest.description ?? '');
  const isListed = known.every((value) => description.includes(`\`${value}\``));
  const list = `One of ${known.map((value) => `\`${value}\``).join(', ')}; there may be others later.`;
  return { ...rest, description: isListed ? description : `${description} ${list}`.trimStart() };
}

function openness(rule: boolean | DocumentSchema, convert: (part: DocumentSchema) => Schema30): boolean | Schema30 {
  return typeof rule === 'boolean' ? rule : convert(rule);
}

function typeOf(type: DocumentSchema['type']): Schema30 {
  if (type === undefined || typeof type === 'string') return type === undefined ? {} : { type };
  const [only, ...others] = type.filter((one) => one !== 'null');
  if (others.length > 0) throw new Error(`OpenAPI 3.0 has no schema of the types ${type.join(', ')}`);
  return others.length + 1 < type.length ? { type: only, nullable: true } : { type: only };
}

/**
 * A choice of an id or an object has no type, because generated programs know no such type and would fail at the response of a
 * request that was carried out; words say what it is. A choice between a named schema and null is that schema, nullable; in 3.0 `nullable` needs the type beside it, and cannot
 * stand beside a reference.
 */
function choicesOf(choices: readonly DocumentSchema[], schemas: Schemas): Schema30 {
  const others = choices.filter(({ type }) => type !== 'null');
  const [only] = others;
  if (others.length === choices.length) return { description: `${others.map(nameOf).join(', or ')}.` };
  if (only?.$ref === undefined || others.length > 1) throw new Error('OpenAPI 3.0 has no such choice with null');
  return { ...typeOf(schemas[only.$ref.split('/').at(-1) ?? '']?.type), nullable: true, allOf: [{ $ref: only.$ref }] };
}

function nameOf({ $ref, type }: DocumentSchema): string {
  return $ref === undefined ? `a value of the type \`${type}\`` : `an object \`${$ref.split('/').at(-1)}\``;
}
