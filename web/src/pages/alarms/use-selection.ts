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

export type Chosen = { readonly ids: ReadonlySet<number>; readonly isWhole: boolean };

export function useSelection(rows: readonly Row[]): Selection {
  const [kept, keep] = useState<Chosen>({ ids: new Set(), isWhole: false });
  const range = useRef<Range>(undefined);
  const chosen = useMemo(() => inList(kept, rows), [kept, rows]);
  const { ids: selected, isWhole } = chosen;
  const setSelected = (ids: ReadonlySet<number>): void => {
    range.current = undefined;
    keep(chosenAnew(chosen, ids));
  };
  return {
    selected,
    setSelected,
    selectWhole: (ids) => {
      range.current = undefined;
      keep({ ids: new Set(ids), isWhole: true });
    },
    isWhole,
    toggle: (id) => {
      if (id === undefined) return;
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      setSelected(next);
    },
    extend: (from, to) => {
      if (to === undefined) return;
      range.current ??= { from: from ?? to, before: selected };
      keep(chosenAnew(chosen, new Set([...range.current.before, ...idsBetween(rows, range.current.from, to)])));
    },
  };
}

/** What a filter has hidden is not selected: what is acknowledged was selected and in the list. */
export function inList({ ids, isWhole }: Chosen, rows: readonly Row[]): Chosen {
  const left = ids.size === 0 ? [] : rows.flatMap(({ alarm }) => (ids.has(alarm.id) ? [alarm.id] : []));
  return { ids: left.length === ids.size ? ids : new Set(left), isWhole: isWhole && left.length > 0 };
}

/** More or fewer than a whole is still one that was not all on screen; what follows an empty selection was chosen by hand. */
export function chosenAnew({ isWhole }: Chosen, ids: ReadonlySet<number>): Chosen {
  return { ids, isWhole: isWhole && ids.size > 0 };
}

/** All alarms of the list in the groups of those that are selected; none while it is not known what the filter leaves. */
export function wholeOf(
  rows: readonly Row[],
  selected: ReadonlySet<number>,
  isFilterKnown: boolean,
): readonly number[] {
  if (!isFilterKnown) return [];
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
