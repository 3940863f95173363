// Finds schemas that an OpenAPI document repeats without a name: generators of clients make a type of each, numbered
// (`Sort20`), and of bodies and responses without a name types named `Anonymous`.

type Json = Readonly<Record<string, unknown>>;

type Parts = Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>>;

const mostUses = 2;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether generators make a type of it. */
const isTyped = (schema: Json): boolean =>
  (Array.isArray(schema.enum) && schema.type !== 'boolean') || isObject(schema.properties);

/** Two uses of one schema may be described differently. */
function shapeOf({ description: _, default: __, example: ___, examples: ____, ...schema }: Json): string {
  return JSON.stringify(schema);
}

/** Returns what is wrong with the document, a sentence each. */
export function unnamedRepeats(document: unknown): readonly string[] {
  const uses = new Map<string, string[]>();
  const nameless: string[] = [];
  const note = (schema: unknown, place: string): void => {
    if (!isObject(schema)) return;
    if (isTyped(schema)) uses.set(shapeOf(schema), [...(uses.get(shapeOf(schema)) ?? []), place]);
    below(schema, place);
  };
  const below = (schema: Json, place: string): void => {
    note(schema.items, `${place}[]`);
    for (const choices of [schema.anyOf, schema.oneOf, schema.allOf])
      for (const choice of Array.isArray(choices) ? choices : []) note(choice, place);
    for (const [name, property] of Object.entries(isObject(schema.properties) ? schema.properties : {}))
      note(property, `${place}.${name}`);
  };
  const { paths, components } = document as { readonly paths: Json; readonly components: { readonly schemas: Json } };
  for (const [name, schema] of Object.entries(components.schemas)) below(schema as Json, name);
  const operations = Object.values(paths).flatMap((path) => Object.values(path as Json)) as readonly Json[];
  for (const { operationId, parameters, requestBody, responses } of operations) {
    for (const { name, schema } of parameters as readonly { readonly name: string; readonly schema: Json }[])
      note(schema, `${operationId}?${name}`);
    for (const [part, { content = {} }] of Object.entries({
      body: requestBody ?? {},
      ...(responses as Parts),
    } as Parts))
      for (const { schema } of Object.values(content)) {
        if (isTyped(schema)) nameless.push(`${operationId} ${part} has no name`);
        else note(schema, `${operationId} ${part}`);
      }
  }
  const repeated = [...uses.values()].filter((places) => places.length > mostUses);
  return [...nameless, ...repeated.map((places) => `the same without a name: ${places.join(', ')}`)];
}
