// The state of the history in its address: period, text and filters.

import { type PeriodSearch, readPeriodSearch } from '../../data/time/period.ts';

const filters = ['station', 'server', 'tagGroup', 'group', 'user', 'alarm'] as const;

export type HistorySearch = PeriodSearch & { readonly q?: string | undefined } & {
  /** The id of one of its kind. */
  readonly [name in (typeof filters)[number]]?: number | undefined;
};

/** Takes what can be understood of an address and leaves out the rest. */
export function readHistorySearch(search: Readonly<Record<string, unknown>>): HistorySearch {
  const q = search.q === undefined || search.q === '' ? undefined : String(search.q);
  const ids = filters.flatMap((name) => {
    const id = Number(search[name]);
    return Number.isSafeInteger(id) && id > 0 ? [[name, id] as const] : [];
  });
  return { ...readPeriodSearch(search), ...(q === undefined ? {} : { q }), ...Object.fromEntries(ids) };
}
