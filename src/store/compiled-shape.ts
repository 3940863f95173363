// Generates functions for records whose property names are known only at run time; the only place that compiles code.
//
// Why: a function with the names written into it creates objects of one hidden class and reads them without looking a
// name up. With names in variables, reading the values for the three rows of an alarm took 4 µs; the rows that
// node:sqlite returns are dictionary objects, and creating and reading one with the 34 columns of an alarm took 9 µs
// instead of 4.
//
// The names come only from our own statements and tables, never from a request, and are quoted as JSON strings.

/** A value of a list: a property of the record, or a constant. */
export type ShapeValue = { readonly property: string } | { readonly constant: string | number | null };

/** Returns a function that reads one property. */
export function propertyReader<V>(name: string): (record: Readonly<Record<string, V>>) => V | undefined {
  return compiled(['record'], `return record[${JSON.stringify(name)}];`) as never;
}

/** Returns a function that lists values of a record in this order; a property that is missing is undefined. */
export function listReader<V>(
  values: readonly ShapeValue[],
): (record: Readonly<Record<string, V>>) => (V | string | number | null | undefined)[] {
  const items = values.map((value) =>
    'property' in value ? `record[${JSON.stringify(value.property)}]` : JSON.stringify(value.constant),
  );
  return compiled(['record'], `return [${items.join(', ')}];`) as never;
}

export type ShapeField<V> = {
  readonly name: string;
  /** Applied to the values that are not null. */
  readonly parse?: ((value: V) => unknown) | undefined;
};

/** Returns a function that makes a record with these fields from the list of their values. */
export function recordMaker<V, R>(fields: readonly ShapeField<V>[]): (values: readonly (V | null)[]) => R {
  const entries = fields.map(({ name, parse }, index) => {
    const value = `values[${index}]`;
    const parsed = parse === undefined ? value : `${value} === null ? null : parsers[${index}](${value})`;
    return `${JSON.stringify(name)}: ${parsed}`;
  });
  const make = compiled(['parsers'], `return (values) => ({ ${entries.join(', ')} });`);
  return make(fields.map(({ parse }) => parse)) as never;
}

/** How a value is converted: `nullable` writes undefined as null and `present` does the reverse; booleans are 0 or 1. */
export type Conversion = 'none' | 'nullable' | 'present' | 'bit' | 'boolean';

export type MappedField = { readonly name: string; readonly from: string; readonly conversion: Conversion };

const conversions: Readonly<Record<Conversion, (value: string) => string>> = {
  none: (value) => value,
  nullable: (value) => `${value} ?? null`,
  present: (value) => `${value} ?? undefined`,
  bit: (value) => `${value} ? 1 : 0`,
  boolean: (value) => `${value} === 1`,
};

/** Returns a function that makes a record from the properties of another one. */
export function recordMapper<F, T>(fields: readonly MappedField[]): (record: F) => T {
  const entries = fields.map(
    ({ name, from, conversion }) =>
      `${JSON.stringify(name)}: ${conversions[conversion](`record[${JSON.stringify(from)}]`)}`,
  );
  return compiled(['record'], `return { ${entries.join(', ')} };`) as never;
}

/** Returns a function that sets these properties of a record to the values of a list, and returns the record. */
export function propertySetter<T>(names: readonly string[]): <R>(record: R, values: readonly unknown[]) => R & T {
  const sets = names.map((name, index) => `record[${JSON.stringify(name)}] = values[${index}];`);
  return compiled(['record', 'values'], `${sets.join(' ')} return record;`) as never;
}

function compiled(parameters: readonly string[], body: string): (...values: unknown[]) => unknown {
  return new Function(...parameters, body) as never;
}
