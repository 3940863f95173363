// The keys of the alarm list: move, open, select, acknowledge, mask, explain, search, close.

import { useEffect, useState } from 'react';
import { isField, isForScreen } from '../../app/keys.ts';
import type { AlarmsSearch } from './alarms-search.ts';
import type { Row } from './arrange.ts';
import { useAcknowledge } from './use-acknowledge.ts';

type Parts = {
  readonly rows: readonly Row[];
  readonly search: AlarmsSearch;
  readonly change: (search: AlarmsSearch) => void;
  readonly selected: ReadonlySet<number>;
  readonly setSelected: (ids: ReadonlySet<number>) => void;
  readonly setMasking: (ids: readonly number[]) => void;
};

export type AlarmKeys = {
  readonly focusedId: number | undefined;
  readonly setFocused: (id: number) => void;
  /** Moves the focus by so many rows; the panel follows if it is open. */
  readonly step: (rows: number) => void;
};

export function useAlarmKeys(parts: Parts): AlarmKeys {
  const { rows, search, change, selected, setSelected, setMasking } = parts;
  const [focusedId, setFocused] = useState<number>();
  const acknowledge = useAcknowledge();
  const place = rows.findIndex(({ alarm }) => alarm.id === (focusedId ?? search.id));
  const current = rows[place]?.alarm.id;
  /** The selection if there is one, else the row with the focus. */
  const meant = (): readonly number[] => (selected.size > 0 ? [...selected] : current === undefined ? [] : [current]);
  const step = (by: number): void => {
    const next = rows[Math.min(Math.max(place + by, 0), rows.length - 1)]?.alarm.id;
    if (next === undefined) return;
    setFocused(next);
    if (search.id !== undefined) change({ ...search, id: next });
  };
  const toggle = (id: number | undefined): void => {
    if (id === undefined) return;
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  const extend = (by: number): void => {
    if (current !== undefined) setSelected(new Set([...selected, current]));
    step(by);
  };
  const close = (): void => {
    if (search.id !== undefined) change({ ...search, id: undefined, tab: undefined });
    else if (selected.size > 0) setSelected(new Set());
  };
  const actions: Readonly<Record<string, () => void>> = {
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    Home: () => step(-rows.length),
    End: () => step(rows.length),
    Enter: () => change({ ...search, id: current }),
    x: () => toggle(current),
    ' ': () => toggle(current),
    a: () => void acknowledge.run(meant()),
    s: () => setMasking(meant()),
    // The explanation of who is called is the first tab of the panel.
    e: () => change({ ...search, id: current, tab: undefined }),
    Escape: close,
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isField(event.target) && event.key === 'Escape') event.target.blur();
    if (!isForScreen(event)) return;
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    const action = event.shiftKey && isArrow ? () => extend(event.key === 'ArrowDown' ? 1 : -1) : actions[event.key];
    if (action === undefined || (event.key === 'Enter' && event.target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    action();
  };
  useEffect(() => {
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
  return { focusedId, setFocused, step };
}
