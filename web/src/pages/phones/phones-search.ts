// The state of the phones in its address: whose are shown.

export type PhonesSearch = {
  /** Undefined: those on duty, and those that have had a call or a text. */
  readonly show?: 'everybody' | undefined;
};

export function readPhonesSearch(search: Readonly<Record<string, unknown>>): PhonesSearch {
  return search.show === 'everybody' ? { show: 'everybody' } : {};
}
