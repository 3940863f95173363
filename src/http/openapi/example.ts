// The examples of requests in the OpenAPI document: stated in the schemas, or put together from those of the fields.

import type { Components, DocumentSchema } from './components.ts';

/**
 * Returns a value that the schema takes: its own example, else one with the fields that must be given and those with an
 * example of their own.
 */
export function exampleOf(given: DocumentSchema, components: Components): unknown {
  const schema = components.resolve(given);
  const [stated = schema.default ?? schema.const ?? schema.enum?.[0]] = schema.examples ?? [];
  if (stated !== undefined) return stated;
  const choice = schema.anyOf?.find(({ type }) => type !== 'null');
  if (choice !== undefined) return exampleOf(choice, components);
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  switch (type) {
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, components)];
    case 'object':
      return exampleObject(schema, components);
    default:
      return 'text';
  }
}

function exampleObject({ properties = {}, required = [] }: DocumentSchema, components: Components): unknown {
  const fields = Object.entries(properties).filter(
    ([name, field]) => required.includes(name) || components.resolve(field).examples !== undefined,
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, components)]));
}
