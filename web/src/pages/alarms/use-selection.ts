// The selected alarms: only those that are in the list, and ranges from where the selection began.

import { useMemo, useRef, useState } from 'react';
import { groupOf, type Row } from './order/arrange.ts';

export type Selection = {
  readonly selected: ReadonlySet<number>;
  readonly setSelected: (ids: ReadonlySet<number>) => void;
  /** Selects alarms wherever they are in the list. */
  readonly selectWhole: (ids: readonly number[]) => void;
  /** Whether some were selected without having been on screen: acknowledging them is confirmed. */
  readonly isWhole: boolean;
  readonly toggle: (id: number | undefined) => void;
  /** Selects from where the range began, else from `from`, to `to`; a range that becomes shorter gives back what it had. */
  readonly extend: (from: number | undefined, to: number | undefined) => void;
};

type Range = { readonly from: number; readonly before: ReadonlySet<number> };

export function useSelection(rows: readonly Row[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [wasWhole, setWhole] = useState(false);
  const range = useRef<Range>(undefined);
  // What a filter has hidden is not selected: what is acknowledged was selected and in the list.
  const selected = useMemo(() => inList(chosen, rows), [chosen, rows]);
  const setSelected = (ids: ReadonlySet<number>): void => {
    range.current = undefined;
    setChosen(ids);
    if (ids.size === 0) setWhole(false);
  };
  return {
    selected,
    setSelected,
    selectWhole: (ids) => {
      setSelected(new Set(ids));
      setWhole(true);
    },
    isWhole: wasWhole && selected.size > 0,
    toggle: (id) => {
      if (id === undefined) return;
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      setSelected(next);
    },
    extend: (from, to) => {
      if (to === undefined) return;
      range.current ??= { from: from ?? to, before: selected };
      setChosen(new Set([...range.current.before, ...idsBetween(rows, range.current.from, to)]));
    },
  };
}

function inList(chosen: ReadonlySet<number>, rows: readonly Row[]): ReadonlySet<number> {
  if (chosen.size === 0) return chosen;
  const left = rows.flatMap(({ alarm }) => (chosen.has(alarm.id) ? [alarm.id] : []));
  return left.length === chosen.size ? chosen : new Set(left);
}

/** All alarms of the list in the groups of those that are selected. */
export function wholeOf(rows: readonly Row[], selected: ReadonlySet<number>): readonly number[] {
  const listed = rows.flatMap(({ alarm, isGone }) => (isGone ? [] : [alarm]));
  const groups = new Set(listed.filter(({ id }) => selected.has(id)).map(groupOf));
  return listed.filter((alarm) => groups.has(groupOf(alarm))).map(({ id }) => id);
}

/** The ids of the rows from one to another, whichever is first. */
export function idsBetween(rows: readonly Row[], from: number, to: number): readonly number[] {
  const ids = rows.map(({ alarm }) => alarm.id);
  const [first, last] = [ids.indexOf(from), ids.indexOf(to)].toSorted((a, b) => a - b);
  return first === undefined || last === undefined || first < 0 ? [] : ids.slice(first, last + 1);
}
