// The state of the on-call plan in its address: period, day, group and search.

import { type PlanView, planViews } from './plan/period.ts';

export type OnCallSearch = {
  /** Undefined: a week. */
  readonly view?: PlanView | undefined;
  /** A day of the period as `2026-11-16`; undefined: today. */
  readonly date?: string | undefined;
  /** Only this group. */
  readonly group?: number | undefined;
  readonly q?: string | undefined;
};

/** Takes what can be understood of an address and leaves out the rest. */
export function readOnCallSearch(search: Readonly<Record<string, unknown>>): OnCallSearch {
  const view = planViews.find((one) => one === search.view && one !== 'week');
  const date = String(search.date ?? '');
  const group = Number(search.group);
  const q = String(search.q ?? '');
  return {
    ...(view === undefined ? {} : { view }),
    ...(isDate(date) ? { date } : {}),
    ...(Number.isSafeInteger(group) && group > 0 ? { group } : {}),
    ...(q === '' ? {} : { q }),
  };
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}
