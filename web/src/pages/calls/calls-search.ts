// The state of the calls in its address: whom, which group, how it went, and since when.

import { type AttemptOutcome, outcomes } from '../../data/attempt-outcome.ts';
import { type PeriodSearch, readPeriodSearch } from '../../data/time/period.ts';

/** `from` and `to` are a period of one's own, which counts in place of `since`. */
export type CallsSearch = Pick<PeriodSearch, 'from' | 'to'> & {
  readonly person?: number | undefined;
  readonly group?: number | undefined;
  readonly outcome?: AttemptOutcome | undefined;
  /** Undefined: midnight of the plant. */
  readonly since?: Since | undefined;
  /** The text of a call that is being written. */
  readonly about?: string | undefined;
};

export const sinceNames = ['3h', '7d', '30d'] as const;
export type Since = (typeof sinceNames)[number];

/** Takes what can be understood of an address and leaves out the rest. */
export function readCallsSearch(search: Readonly<Record<string, unknown>>): CallsSearch {
  const person = positive(search.person);
  const group = positive(search.group);
  const outcome = outcomes.find((one) => one === search.outcome);
  const since = sinceNames.find((one) => one === search.since);
  const { from, to } = readPeriodSearch(search);
  return {
    ...(person === undefined ? {} : { person }),
    ...(group === undefined ? {} : { group }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(from !== undefined && to !== undefined ? { from, to } : since === undefined ? {} : { since }),
    ...(search.about === undefined ? {} : { about: String(search.about) }),
  };
}

function positive(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
