// Shared parts of lists: query parameters, the requested page, and the PagingCollection of the response.

import { type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox';

export const maxUint = 4_294_967_295;
const maxLimit = 1000;
export const maxTextLength = 1024;

/** The `uint` of the interface: a whole number that fits in 32 bits. */
export function uint(options: TSchemaOptions = {}) {
  return Type.Integer({ minimum: 0, maximum: maxUint, ...options });
}

/** An id in a response or in a path. */
export function idOf(what: string, example = 1) {
  return uint({ description: `The id of the ${what}.`, examples: [example] });
}

/** The path parameter `id`. */
export function idParams(what: string, example = 1) {
  return Type.Object({ id: idOf(what, example) });
}

/**
 * One of a few values, each with its meaning: in the description, which every tool shows, and in the extension from which
 * generators of clients comment the values one by one.
 */
export function choice<const V extends string | number>(
  entries: readonly (readonly [value: V, meaning: string])[],
  { description = '', ...options }: TSchemaOptions & { readonly description?: string } = {},
) {
  const meanings = entries.map(([value, meaning]) => `\`${value}\`: ${meaning}`).join('; ');
  const values: V[] = entries.map(([value]) => value);
  return Type.Enum(values, {
    ...options,
    description: `${description} ${meanings}.`.trimStart(),
    'x-enum-descriptions': entries.map(([, meaning]) => meaning),
  });
}

/** A list filter by id. */
export function only(what: string) {
  return Type.Optional(uint({ description: `Only ${what}.` }));
}

const maxListed = 1000;

/** A list filter by one or several ids or numbers, separated by commas. */
export function onlyAmong(what: string) {
  return Type.Optional(
    Type.Array(uint(), {
      minItems: 1,
      maxItems: maxListed,
      description: `Only ${what}; several are separated by commas.`,
    }),
  );
}

export function text(maxLength: number = maxTextLength, options: TSchemaOptions = {}) {
  return Type.String({ maxLength, ...options });
}

export function optionalText(maxLength: number = maxTextLength, options: TSchemaOptions = {}) {
  return Type.Optional(text(maxLength, options));
}

/** The parameter `search` of lists. */
export const searchText = optionalText(maxTextLength, {
  description: 'Words that must all occur; the last may be the beginning of a word. Case and accents are ignored.',
});

/** The parameter `view` of lists. */
export const fullView = Type.Optional(
  Type.Enum(['full'], { title: 'ListView', description: '`full` adds everything known of each item.' }),
);

type ListOptions<K extends string, S extends string> = {
  /** The fields that lists are sorted by; the first by default. */
  readonly keys?: readonly K[];
  /** Further values of `sort`, with their meaning. */
  readonly sorts?: readonly (readonly [value: S, meaning: string])[];
};

/** The query schema of a list: paging, sorting, search and its own filters. */
export function listQuery<F extends TProperties, K extends string = 'id', S extends string = never>(
  defaultLimit: number,
  filters: F,
  { keys = ['id' as K], sorts = [] }: ListOptions<K, S> = {},
) {
  // An unencoded plus arrives as a space.
  const ways = keys.flatMap((key) => [`+${key}`, `-${key}`, key, ` ${key}`] as const);
  const meanings = [
    ...keys.map((key) => `\`+${key}\` ascending, \`-${key}\` descending`),
    ...sorts.map(([value, meaning]) => `\`${value}\` ${meaning}`),
  ];
  return Type.Object({
    offset: Type.Optional(uint({ description: 'How many items to skip.', default: 0 })),
    limit: Type.Optional(
      uint({
        description: `Maximum number of items; capped at ${maxLimit}, 0 returns only the total.`,
        default: defaultLimit,
      }),
    ),
    sort: Type.Optional(
      Type.Enum([...ways, ...sorts.map(([value]) => value)], {
        // One name for the many lists that have it, in generated programs.
        ...(keys.join() === 'id' && sorts.length === 0 ? { title: 'SortById' } : {}),
        description: `${meanings.join('; ')}.`,
        default: `+${keys[0]}`,
      }),
    ),
    search: searchText,
    ...filters,
  });
}

type PageQuery = { readonly offset?: number; readonly limit?: number; readonly sort?: string };

/** The requested part of a list. */
export type Page = { readonly offset: number; readonly limit: number; readonly descending: boolean };

export function pageOf(query: PageQuery, defaultLimit: number): Page {
  const { offset = 0, limit = defaultLimit, sort = '' } = query;
  return { offset, limit: Math.min(limit, maxLimit), descending: sort.startsWith('-') };
}

/** The field that a value of `sort` names. */
export function sortKeyOf(sort = ''): string {
  return sort.replace(/^[+\- ]/, '');
}

const counts = {
  limit: uint({ description: 'The limit that was applied.', examples: [10] }),
  total: uint({ description: 'How many entries match the filter, exactly.', examples: [1] }),
};
const pagings = {
  withOffset: Type.Object(
    { offset: uint({ description: 'How many entries were skipped.', examples: [0] }), ...counts },
    { title: 'Paging', description: 'The place of this page in the list.' },
  ),
  withoutOffset: Type.Object(counts, {
    title: 'PagingWithoutOffset',
    description: 'The size of this page and the list.',
  }),
};

/** The schema of PagingCollection<T>; statistics and interventions have no `paging.offset`. */
export function pagingCollection<T extends TSchema>(item: T, { withOffset }: { readonly withOffset: boolean }) {
  const paging = withOffset ? pagings.withOffset : pagings.withoutOffset;
  return Type.Object({ items: Type.Array(item, { description: 'The page.' }), paging }, pageName(item));
}

/** A page of named items has a name, too. */
function pageName(item: TSchema): TSchemaOptions {
  const { title } = item as { readonly title?: string };
  return title === undefined ? {} : { title: `${title}Page`, description: `A part of a list of ${title}.` };
}

export type Paging = { readonly offset?: number; readonly limit: number; readonly total: number };

export function printPage<T>(items: readonly T[], paging: Paging): { items: readonly T[]; paging: Paging } {
  return { items, paging };
}
