// Header fields beside those that a message has as fields of its own; names are matched without case, in long or compact form.

const compactForms: Readonly<Record<string, string>> = {
  a: 'accept-contact',
  b: 'referred-by',
  c: 'content-type',
  d: 'request-disposition',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  j: 'reject-contact',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  n: 'identity-info',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  u: 'allow-events',
  v: 'via',
  x: 'session-expires',
  y: 'identity',
};

/** The name by which a field is found: in lower case, and in its long form. */
export function fieldKey(name: string): string {
  const lower = name.toLowerCase();
  return compactForms[lower] ?? lower;
}

export type HeaderField = { readonly name: string; readonly value: string };

/** A list of fields in their order, never changed: `with…` makes another list. */
export class HeaderFields {
  readonly #fields: readonly HeaderField[];

  constructor(fields: readonly HeaderField[] = []) {
    this.#fields = fields;
  }

  static of(values: Readonly<Record<string, string | readonly string[] | undefined>>): HeaderFields {
    const fields = Object.entries(values).flatMap(([name, value]) =>
      (value === undefined ? [] : [value].flat()).map((each) => ({ name, value: each })),
    );
    return new HeaderFields(fields);
  }

  [Symbol.iterator](): Iterator<HeaderField> {
    return this.#fields[Symbol.iterator]();
  }

  /** The value of the first field of that name. */
  get(name: string): string | undefined {
    return this.getAll(name)[0];
  }

  /** The values of all fields of that name, one for each line. */
  getAll(name: string): string[] {
    const key = fieldKey(name);
    return this.#fields.filter((field) => fieldKey(field.name) === key).map((field) => field.value);
  }

  /** The elements of comma-separated tokens, in lower case; for Require, Supported, Allow and their like. */
  tokens(name: string): string[] {
    const words = this.getAll(name).flatMap((value) => value.split(','));
    return words.map((word) => word.trim().toLowerCase()).filter((word) => word !== '');
  }

  /** The list with that field replaced, or added at the end. */
  with(name: string, value: string): HeaderFields {
    return new HeaderFields([...this.without(name), { name, value }]);
  }

  /** The list with one more field, also when there is one of that name. */
  withAdded(name: string, value: string): HeaderFields {
    return new HeaderFields([...this.#fields, { name, value }]);
  }

  withAll(others: HeaderFields): HeaderFields {
    return new HeaderFields([...this, ...others]);
  }

  without(name: string): HeaderFields {
    const key = fieldKey(name);
    return new HeaderFields(this.#fields.filter((field) => fieldKey(field.name) !== key));
  }
}
