// The state of the history in its address: period, text and filters.

export type HistorySearch = {
  /** The last so many hours; undefined: 24. */
  readonly hours?: 168 | 720 | undefined;
  readonly q?: string | undefined;
  readonly station?: number | undefined;
  readonly alarm?: number | undefined;
};

const periods = [168, 720] as const;

/** Takes what can be understood of an address and leaves out the rest. */
export function readHistorySearch(search: Readonly<Record<string, unknown>>): HistorySearch {
  const hours = periods.find((period) => period === Number(search.hours));
  const q = search.q === undefined || search.q === '' ? undefined : String(search.q);
  const station = positive(search.station);
  const alarm = positive(search.alarm);
  return {
    ...(hours === undefined ? {} : { hours }),
    ...(q === undefined ? {} : { q }),
    ...(station === undefined ? {} : { station }),
    ...(alarm === undefined ? {} : { alarm }),
  };
}

function positive(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
