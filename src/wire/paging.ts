// Shared parts of lists: query parameters, the requested page, and the PagingCollection of the response.

import { type Static, type TProperties, type TSchema, type TSchemaOptions, Type } from 'typebox';

export const maxUint = 4_294_967_295;
const maxLimit = 1000;
export const maxTextLength = 1024;

/** The `uint` of the interface: a whole number that fits in 32 bits. */
export function uint(options: TSchemaOptions = {}) {
  return Type.Integer({ minimum: 0, maximum: maxUint, ...options });
}

/** A list filter by id. */
export function only(what: string) {
  return Type.Optional(uint({ description: `Only ${what}.` }));
}

export function text(maxLength: number = maxTextLength, options: TSchemaOptions = {}) {
  return Type.String({ maxLength, ...options });
}

export function optionalText(maxLength: number = maxTextLength, options: TSchemaOptions = {}) {
  return Type.Optional(text(maxLength, options));
}

/** The query schema of a list: paging, sorting, search and its own filters. `key` is the sort field. */
export function listQuery<F extends TProperties>(defaultLimit: number, filters: F, key: 'id' | 'name' = 'id') {
  // An unencoded plus arrives as a space.
  const sorts = [`+${key}`, `-${key}`, key, ` ${key}`] as const;
  return Type.Object({
    offset: Type.Optional(uint({ description: 'How many items to skip.', default: 0 })),
    limit: Type.Optional(
      uint({
        description: `Maximum number of items; capped at ${maxLimit}, 0 returns only the total.`,
        default: defaultLimit,
      }),
    ),
    sort: Type.Optional(
      Type.Enum(sorts, { description: `\`+${key}\` ascending, \`-${key}\` descending.`, default: `+${key}` }),
    ),
    search: optionalText(maxTextLength, {
      description: 'Words that must all occur; the last may be the beginning of a word. Case and accents are ignored.',
    }),
    ...filters,
  });
}

type PageQuery = Static<ReturnType<typeof listQuery<Record<never, never>>>>;

/** The requested part of a list. */
export type Page = { readonly offset: number; readonly limit: number; readonly descending: boolean };

export function pageOf(query: PageQuery, defaultLimit: number): Page {
  const { offset = 0, limit = defaultLimit, sort = '' } = query;
  return { offset, limit: Math.min(limit, maxLimit), descending: sort.startsWith('-') };
}

/** The schema of PagingCollection<T>; statistics and interventions have no `paging.offset`. */
export function pagingCollection<T extends TSchema>(item: T, { withOffset }: { readonly withOffset: boolean }) {
  const paging = withOffset
    ? Type.Object({ offset: uint(), limit: uint(), total: uint() })
    : Type.Object({ limit: uint(), total: uint() });
  return Type.Object({ items: Type.Array(item), paging });
}

export type Paging = { readonly offset?: number; readonly limit: number; readonly total: number };

export function printPage<T>(items: readonly T[], paging: Paging): { items: readonly T[]; paging: Paging } {
  return { items, paging };
}
