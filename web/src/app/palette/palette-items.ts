// The entries of the command palette, from what is loaded and what the server found. Pure.

import type { AlarmHistory } from '@tocsin/client';
import type { Icon } from '../../components/icons.tsx';
import type { MarkState } from '../../components/mark.tsx';
import { hasWords } from '../../components/word-search.ts';
import type { AlarmView } from '../../data/alarm-views.tsx';
import { byUrgency } from '../../pages/alarms/order/arrange.ts';

export type Section = 'alarms' | 'do' | 'goTo';

export type PaletteItem = {
  readonly key: string;
  readonly section: Section;
  readonly text: string;
  readonly detail?: string;
  readonly look: { readonly mark: MarkState } | { readonly icon: Icon };
  readonly keyCap?: string;
  /** Why it cannot be chosen now. */
  readonly blocked?: string | undefined;
  /** A promise that it returns is looked at: a refusal is shown. */
  readonly run: () => unknown;
};

const mostAlarms = 5;
const mostPlaces = 8;

export function matchingAlarms(alarms: readonly AlarmView[], query: string): readonly AlarmView[] {
  if (query === '') return [];
  return alarms
    .filter(({ text, path, name, station }) => hasWords(`${text} ${path} ${name} ${station}`, query))
    .toSorted(byUrgency)
    .slice(0, mostAlarms);
}

/** The alarms of the history, each once with the number of its entries. */
export function alarmsInHistory(
  entries: readonly AlarmHistory[],
): readonly { readonly newest: AlarmHistory; readonly times: number }[] {
  const byAlarm = new Map<number, AlarmHistory[]>();
  for (const entry of entries) byAlarm.set(entry.tagId, [...(byAlarm.get(entry.tagId) ?? []), entry]);
  return [...byAlarm.values()].flatMap((found) =>
    found[0] === undefined ? [] : [{ newest: found[0], times: found.length }],
  );
}

/** The places whose names match; without a query only those that are always offered. */
export function matchingPlaces(
  always: readonly PaletteItem[],
  named: readonly PaletteItem[],
  query: string,
): readonly PaletteItem[] {
  if (query === '') return always;
  return [...always, ...named].filter(({ text }) => hasWords(text, query)).slice(0, mostPlaces);
}
