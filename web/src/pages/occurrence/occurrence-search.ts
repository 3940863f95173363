// The occurrence in the address of its page.

export type OccurrenceSearch = { readonly id?: number | undefined };

/** Takes what can be understood of an address and leaves out the rest. */
export function readOccurrenceSearch(search: Readonly<Record<string, unknown>>): OccurrenceSearch {
  const id = Number(search.id);
  return Number.isSafeInteger(id) && id > 0 ? { id } : {};
}
