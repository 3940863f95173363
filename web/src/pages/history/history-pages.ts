// The pages of a history that grows at its beginning while it is read: every page ends where the first one began, and no entry
// comes twice.

type Entry = { readonly id: number; readonly alarmTime: string };
type Page<T> = { readonly items: readonly T[]; readonly paging: { readonly total: number } };

/** Where a page begins; `to` is the end of the period, which the first page sets. */
export type PagePlace = { readonly offset: number; readonly to?: string };

export const firstPlace: PagePlace = { offset: 0 };

/** Returns where the next page begins; undefined after the last one. */
export function placeAfter<T extends Entry>(place: PagePlace, { items, paging }: Page<T>): PagePlace | undefined {
  const offset = place.offset + items.length;
  if (items.length === 0 || offset >= paging.total) return undefined;
  return { offset, to: place.to ?? justAfter(items) };
}

/** The clocks of nodes differ a little, so the newest entry need not be the latest. */
function justAfter(items: readonly Entry[]): string {
  return new Date(Math.max(...items.map(({ alarmTime }) => Date.parse(alarmTime))) + 1).toISOString();
}

/** Entries of the same millisecond as the first may still have come before it. */
export function withoutRepeated<T extends Entry>(entries: readonly T[]): readonly T[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
