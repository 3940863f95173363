// The keys of the alarm list: move, open, select, acknowledge, mask, comment, explain, search, close.

import { useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { isField, isForScreen } from '../../components/keys.ts';
import type { AlarmsSearch } from './alarms-search.ts';
import type { Asking } from './asking/asking.ts';
import type { HeldOrder } from './order/use-held-order.ts';
import type { Selection } from './use-selection.ts';

type Parts = {
  readonly order: HeldOrder;
  readonly search: AlarmsSearch;
  readonly change: (search: AlarmsSearch) => void;
  readonly selection: Selection;
  readonly acknowledge: (ids: readonly number[]) => void;
  readonly ask: (asking: Asking) => void;
};

export type AlarmKeys = {
  readonly focusedId: number | undefined;
  readonly setFocused: (id: number) => void;
  /** Moves the focus by so many rows; the panel follows if it is open. */
  readonly step: (rows: number) => void;
};

export function useAlarmKeys(parts: Parts): AlarmKeys {
  const { order, search, change, selection, acknowledge, ask } = parts;
  const { rows } = order;
  const [focusedId, setFocused] = useState<number>();
  const { selected } = selection;
  // The row with the focus is that of the panel, however it was opened: by a link, the palette or the way back.
  const followPanel = useEffectEvent(() => {
    if (search.id !== undefined) setFocused(search.id);
    // The panel has gone, and with it a focus that was in it.
    else if (focusedId !== undefined && document.activeElement === document.body) focusRow(focusedId);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the panel
  useEffect(() => followPanel(), [search.id]);
  const place = rows.findIndex(({ alarm }) => alarm.id === (search.id ?? focusedId));
  const current = rows[place]?.alarm.id;
  const open = (id: number | undefined): void => change({ ...search, id, tab: undefined });
  /** The selection if there is one, else the alarm of the panel, else the row with the focus. */
  const meant = (): readonly number[] => {
    const one = search.id ?? current;
    return selected.size > 0 ? [...selected] : one === undefined ? [] : [one];
  };
  const askAbout = (what: Asking['what']): void => {
    const ids = meant();
    if (ids.length > 0) ask({ what, ids, isWhole: selection.isWhole });
  };
  const step = (by: number): number | undefined => {
    // Above the first row are those that wait.
    if (by === -1 && place === 0 && order.waiting.length > 0) order.order();
    const next = rows[Math.min(Math.max(place + by, 0), rows.length - 1)]?.alarm.id;
    if (next === undefined) return undefined;
    setFocused(next);
    order.enter('focus');
    focusRow(next);
    if (search.id !== undefined) change({ ...search, id: next });
    return next;
  };
  const actions: Readonly<Record<string, () => void>> = {
    j: () => step(1),
    ArrowDown: () => step(1),
    k: () => step(-1),
    ArrowUp: () => step(-1),
    Home: () => step(-rows.length),
    End: () => step(rows.length),
    Enter: () => open(current),
    x: () => selection.toggle(current),
    ' ': () => selection.toggle(current),
    a: () => acknowledge(meant()),
    s: () => askAbout('mask'),
    // The panel has a field of its own for a comment on its alarm.
    c: () => (selected.size > 0 || search.id === undefined ? askAbout('comment') : undefined),
    // The explanation of who is called is the first tab of the panel.
    e: () => open(current),
    Escape: () =>
      selected.size > 0 ? selection.setSelected(new Set()) : search.id === undefined ? undefined : open(undefined),
    'Shift ArrowDown': () => selection.extend(current, step(1)),
    'Shift J': () => selection.extend(current, step(1)),
    'Shift ArrowUp': () => selection.extend(current, step(-1)),
    'Shift K': () => selection.extend(current, step(-1)),
    'Shift A': () => askAbout('acknowledge'),
  };
  useActionKeys(actions);
  return { focusedId, setFocused, step };
}

function useActionKeys(actions: Readonly<Record<string, () => void>>): void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isField(event.target) && event.key === 'Escape') event.target.blur();
    if (!isForScreen(event) || isForTarget(event)) return;
    const action = actions[nameOf(event)];
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  useLayoutEffect(() => {
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}

/** `Shift A` with the Shift key; without it `a`, whether Caps Lock is on or not. */
function nameOf({ key, shiftKey }: KeyboardEvent): string {
  const isLetter = /^[a-z]$/i.test(key);
  if (shiftKey && (isLetter || key.startsWith('Arrow'))) return `Shift ${isLetter ? key.toUpperCase() : key}`;
  return isLetter ? key.toLowerCase() : key;
}

const moving = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);

/** Whether the element with the focus does something of its own with the key: links and buttons act, the panel scrolls. */
function isForTarget({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (key === 'Enter' || key === ' ') return target.closest('a, button, input, summary') !== null;
  return moving.has(key) && target.closest('aside') !== null;
}

/** Puts the focus on a row, so that it is read aloud and the order is kept; a field or the panel keeps theirs. */
export function focusRow(id: number): void {
  requestAnimationFrame(() => {
    const active = document.activeElement;
    if (active !== document.body && active?.closest('[role=grid]') === null) return;
    document.querySelector<HTMLElement>(`[role=row][data-id="${id}"]`)?.focus({ preventScroll: true });
  });
}
