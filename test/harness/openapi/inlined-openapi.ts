// An OpenAPI document without references, for tests that look at whole schemas.

import type { DocumentSchema } from '../../../src/http/openapi/components.ts';
import type { OpenApiDocument } from '../../../src/http/openapi/document.ts';

type Schemas = OpenApiDocument['components']['schemas'];

/**
 * Returns the document with every reference replaced by the schema it names. In bodies, null is left out where it only
 * stands for a field that is not given.
 */
export function inlined(document: OpenApiDocument): OpenApiDocument {
  const { schemas } = document.components;
  const sent = (schema: DocumentSchema): DocumentSchema => {
    const found = withoutNull(resolved(schema, schemas));
    return typeof found.$ref === 'string' ? sent(found) : found;
  };
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === 'requestBody') return transformed(value, sent);
    return key === 'responses' || key === 'parameters'
      ? transformed(value, (schema) => resolved(schema, schemas))
      : value;
  });
}

function transformed(value: unknown, change: (schema: DocumentSchema) => DocumentSchema): unknown {
  if (Array.isArray(value)) return value.map((one) => transformed(one, change));
  if (typeof value !== 'object' || value === null) return value;
  const changed = change(value as DocumentSchema);
  return Object.fromEntries(Object.entries(changed).map(([key, inner]) => [key, transformed(inner, change)]));
}

function resolved(schema: DocumentSchema, schemas: Schemas): DocumentSchema {
  if (typeof schema.$ref !== 'string') return schema;
  const { $ref, ...own } = schema;
  return { ...schemas[$ref.split('/').at(-1) ?? ''], ...own };
}

function withoutNull(schema: DocumentSchema): DocumentSchema {
  const { type, anyOf, enum: values, ...rest } = schema;
  const others = Array.isArray(anyOf) ? anyOf.filter((choice) => choice.type !== 'null') : [];
  const [only] = others;
  if (only !== undefined && others.length === 1) return { ...only, ...rest };
  const types = Array.isArray(type) ? type.filter((one) => one !== 'null') : undefined;
  return {
    ...schema,
    ...(types?.[0] === undefined ? {} : { type: types[0] }),
    ...(Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {}),
  };
}
