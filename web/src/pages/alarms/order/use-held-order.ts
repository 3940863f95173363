// Keeps the order of the list while pointer or keyboard are in it; puts it in order three seconds after they left, or when
// they have rested so long that nobody is there.

import { useEffect, useMemo, useRef, useState } from 'react';
import type { AlarmView } from '../../../data/alarm-views.tsx';
import type { Sort } from '../alarms-search.ts';
import { type Arranged, arrange, comparing, type Row } from './arrange.ts';

const leaveMs = 3_000;
/** A pointer that was left in the list must not keep new alarms out of it all night. */
const restMs = 120_000;

/** By which somebody is in the list. */
type Presence = 'pointer' | 'focus';

export type HeldOrder = Arranged & {
  readonly enter: (by: Presence) => void;
  readonly leave: (by: Presence) => void;
  /** Puts the list in order now. */
  readonly order: () => void;
};

/** Another `filter` is another list, with an order of its own. */
export function useHeldOrder(
  alarms: readonly AlarmView[],
  isReading: boolean,
  filter: string,
  sort: Sort | undefined,
): HeldOrder {
  const present = useRef(new Set<Presence>());
  const [isInside, setInside] = useState(false);
  const [kept, setKept] = useState<{ readonly rows: readonly Row[]; readonly filter: string }>();
  const held = kept?.filter === filter ? kept.rows : undefined;
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const arranged = useMemo(() => arrange(alarms, held, comparing(sort)), [alarms, held, sort]);
  const { rows } = arranged;
  // A list that is empty or still being read has no order to keep.
  const isKeepable = !isReading && rows.length > 0 && held === undefined;
  useEffect(() => {
    if (isInside && isKeepable) setKept({ rows, filter });
  }, [isInside, isKeepable, rows, filter]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const letGoAfter = (ms: number): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setInside(false);
      setKept(undefined);
    }, ms);
  };
  return {
    ...arranged,
    enter: (by) => {
      present.current.add(by);
      setInside(true);
      // The order that is seen, not the one of the next drawing: what the pointer goes down on must not move before it is up.
      if (isKeepable) setKept({ rows, filter });
      letGoAfter(restMs);
    },
    leave: (by) => {
      present.current.delete(by);
      if (present.current.size === 0) letGoAfter(leaveMs);
    },
    order: () => setKept(undefined),
  };
}
