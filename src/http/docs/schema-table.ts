// Renders a schema on the reference page: as table rows, as a short type name, and as an example.

import { maxUint } from '../../wire/paging.ts';
import type { DocumentSchema, OpenApiDocument } from '../openapi.ts';
import { type Html, html } from './html.ts';

type Schemas = OpenApiDocument['components']['schemas'];
type Field = {
  readonly name: string;
  readonly depth: number;
  readonly schema: DocumentSchema;
  readonly required: boolean;
};

export function resolve(schema: DocumentSchema, schemas: Schemas): DocumentSchema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}

/**
 * Renders a table of all fields, nested ones indented below their parent; a bare value is described by its type only.
 */
export function schemaTable(schema: DocumentSchema, schemas: Schemas, use: 'body' | 'response'): Html {
  const fields = fieldsOf(schema, schemas, 0);
  const { type, ...rest } = resolve(schema, schemas);
  const isBare = fields.length === 0;
  const whole = html`<p class="whole"><code>${typeLabel(schema, schemas)}</code> ${meaning(rest)}</p>`;
  const rows = fields.map(
    ({ name, depth, schema: part, required }) => html`<tr>
      <th scope="row" class="depth-${Math.min(depth, 4)}"><code>${name}</code>${presence(required, use)}</th>
      <td class="type">${typeLabel(part, schemas)}</td>
      <td>${meaning(resolve(part, schemas))}</td>
    </tr>`,
  );
  const table = html`<div class="scroll"><table>
    <thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`;
  return html`${isBare || type === 'array' ? whole : undefined}${isBare ? undefined : table}`;
}

/** Marks required fields in a body, and optional fields in a response. */
function presence(required: boolean, use: 'body' | 'response'): Html | undefined {
  if (use === 'body') return required ? html`<span class="required">required</span>` : undefined;
  return required ? undefined : html`<span class="optional">may be absent</span>`;
}

function fieldsOf(given: DocumentSchema, schemas: Schemas, depth: number): Field[] {
  const schema = resolve(given, schemas);
  if (schema.items !== undefined) return fieldsOf(schema.items, schemas, depth);
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap((choice) => fieldsOf(choice, schemas, depth));
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => [
    { name, depth, schema: part, required: schema.required?.includes(name) ?? false },
    ...fieldsOf(part, schemas, depth + 1),
  ]);
}

export function meaning({ description, default: preset }: DocumentSchema): Html {
  const usual =
    preset === undefined ? undefined : html` <span class="usual">Not given: <code>${print(preset)}</code></span>`;
  return html`${prose(description ?? '')}${usual}`;
}

/** Renders text with `code` marked up. */
export function prose(text: string): Html {
  const pieces = text
    .split('`')
    .map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
  return html`${pieces}`;
}

export function typeLabel(given: DocumentSchema, schemas: Schemas): string {
  const schema = resolve(given, schemas);
  if (schema.anyOf !== undefined) return schema.anyOf.map((choice) => typeLabel(choice, schemas)).join(' or ');
  if (schema.const !== undefined) return print(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(print).join(' | ');
  switch (schema.type) {
    case 'integer':
      return schema.minimum === 0 && schema.maximum === maxUint
        ? 'uint'
        : `integer${span(schema.minimum, schema.maximum)}`;
    case 'number':
      return `double${span(schema.minimum, schema.maximum)}`;
    case 'string':
      return schema.format === undefined ? `string${span(schema.minLength, schema.maxLength)}` : schema.format;
    case 'array':
      return `list of ${schema.items === undefined ? 'anything' : typeLabel(schema.items, schemas)}`;
    case 'object':
      return schema.title ?? 'object';
    default:
      return schema.type ?? schema.title ?? 'anything';
  }
}

function span(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && high !== undefined) return ` ${low}…${high}`;
  if (high !== undefined) return ` ≤ ${high}`;
  return low === undefined ? '' : ` ≥ ${low}`;
}

const print = (value: unknown): string => JSON.stringify(value);

/** Returns a value that matches the schema: its own example, else a generated one. */
export function exampleOf(given: DocumentSchema, schemas: Schemas): unknown {
  const schema = resolve(given, schemas);
  const stated = schema.examples?.[0] ?? schema.default ?? schema.const ?? schema.enum?.[0];
  if (stated !== undefined) return stated;
  if (schema.anyOf?.[0] !== undefined) return exampleOf(schema.anyOf[0], schemas);
  switch (schema.type) {
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'string':
      return 'text';
    case 'boolean':
      return true;
    case 'array':
      return schema.items === undefined ? [] : [exampleOf(schema.items, schemas)];
    case 'object': {
      const parts = Object.entries(schema.properties ?? {});
      return Object.fromEntries(parts.map(([name, part]) => [name, exampleOf(part, schemas)]));
    }
    default:
      return null;
  }
}
