// Schemas as the OpenAPI document shows them: parts with a title as named components, formats of numbers, and null
// wherever it is taken.

import type { JsonSchema } from '../json-schema.ts';

export type DocumentSchema = Omit<JsonSchema, 'type' | 'anyOf' | 'items' | 'properties' | 'patternProperties'> & {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly 'x-enum-descriptions'?: readonly string[];
  readonly contentMediaType?: string;
  readonly items?: DocumentSchema;
  readonly anyOf?: readonly DocumentSchema[];
  readonly properties?: Readonly<Record<string, DocumentSchema>>;
  readonly additionalProperties?: boolean | DocumentSchema;
};

/** A body also takes null for what is optional; see `bodyCheck`. */
export type SchemaUse = 'body' | 'other';

type Input = JsonSchema & Omit<DocumentSchema, keyof JsonSchema>;

export class Components {
  readonly schemas: Record<string, DocumentSchema> = {};

  /** Returns a schema as plain JSON in which every part with a title is a reference to the component of that name. */
  refer(schema: JsonSchema, use: SchemaUse): DocumentSchema {
    const { default: preset, ...copy } = this.#copy(schema, use);
    const own = preset === undefined ? {} : { default: preset };
    if (copy.title === undefined) return { ...copy, ...own };
    const known = this.schemas[copy.title];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(copy)) {
      throw new Error(`two schemas have the title ${copy.title}`);
    }
    this.schemas[copy.title] = copy;
    return { $ref: `#/components/schemas/${copy.title}`, ...own };
  }

  resolve(schema: DocumentSchema): DocumentSchema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : { ...this.schemas[name], ...schema };
  }

  #copy(schema: Input, use: SchemaUse): DocumentSchema {
    const {
      anyOf,
      items,
      properties,
      patternProperties,
      'x-null-entries': nullEntries,
      'x-too-long': _,
      ...rest
    } = schema;
    const [only, ...others] = (anyOf ?? []).filter(({ type }) => type !== 'null');
    if (anyOf !== undefined && only !== undefined && others.length === 0) {
      return withNull(this.#copy({ ...only, ...rest }, use));
    }
    const values = Object.values(patternProperties ?? {})[0];
    const entry = items && this.refer(items, use);
    return {
      ...rest,
      ...numberFormat(schema),
      ...typeOfValues(schema),
      ...(anyOf === undefined ? {} : { anyOf: anyOf.map((choice) => this.refer(choice, use)) }),
      ...(entry === undefined ? {} : { items: use === 'body' && nullEntries === 'ignored' ? withNull(entry) : entry }),
      ...(properties === undefined ? {} : { properties: this.#fields(properties, schema.required ?? [], use) }),
      ...(values === undefined ? {} : { additionalProperties: this.#optional(values, use) }),
    };
  }

  #fields(
    properties: NonNullable<JsonSchema['properties']>,
    required: readonly string[],
    use: SchemaUse,
  ): Record<string, DocumentSchema> {
    const fields = Object.entries(properties).map(([name, field]) => [
      name,
      required.includes(name) ? this.refer(field, use) : this.#optional(field, use),
    ]);
    return Object.fromEntries(fields);
  }

  #optional(schema: JsonSchema, use: SchemaUse): DocumentSchema {
    const field = this.refer(schema, use);
    return use === 'body' ? withNull(field) : field;
  }
}

const maxInt32 = 2 ** 31 - 1;

function numberFormat({ type, minimum, maximum }: Input): DocumentSchema {
  if (type === 'number') return { format: 'double' };
  if (type !== 'integer') return {};
  const isSmall = minimum !== undefined && minimum >= -maxInt32 && maximum !== undefined && maximum <= maxInt32;
  return { format: isSmall ? 'int32' : 'int64' };
}

/** Generators of clients need the type of an enumeration, which its values imply. */
function typeOfValues({ enum: values, type }: Input): DocumentSchema {
  if (values === undefined || type !== undefined) return {};
  return values.every(Number.isInteger) ? { type: 'integer', format: 'int32' } : { type: 'string' };
}

/** Returns the schema that takes null as well; one without a type takes it already. */
function withNull(schema: DocumentSchema): DocumentSchema {
  const { $ref, type, enum: values, anyOf, ...rest } = schema;
  if ($ref !== undefined) return { anyOf: [{ $ref }, { type: 'null' }], ...rest };
  if (anyOf?.some((choice) => choice.type === 'null') || Array.isArray(type)) return schema;
  if (anyOf !== undefined) return { ...rest, anyOf: [...anyOf, { type: 'null' }] };
  if (typeof type !== 'string') return schema;
  return { type: [type, 'null'], ...(values === undefined ? {} : { enum: [...values, null] }), ...rest };
}
