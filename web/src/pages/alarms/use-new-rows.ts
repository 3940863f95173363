// Which rows came into the list just now, so that the eye finds them; those of another filter or of the first reading did not.

import { useRef } from 'react';
import { useLive } from '../../data/use-live.ts';
import type { Row } from './order/arrange.ts';

const fadeMs = 1_500;

/** Returns a function that says whether a row is new. */
export function useNewRows(rows: readonly Row[], filter: string): (id: number) => boolean {
  const { alarmList } = useLive();
  const known = useRef<{ readonly filter: string; readonly since: Map<number, number> }>(undefined);
  const looked = useRef<readonly Row[]>(undefined);
  const now = Date.now();
  const isFirst = known.current === undefined || known.current.filter !== filter || alarmList.kind !== 'read';
  if (known.current === undefined || isFirst) known.current = { filter, since: new Map() };
  const { since } = known.current;
  // A list that scrolls is drawn with each frame, and its rows are the same.
  if (isFirst || looked.current !== rows)
    for (const { alarm } of rows) if (!since.has(alarm.id)) since.set(alarm.id, isFirst ? 0 : now);
  looked.current = rows;
  return (id) => now - (since.get(id) ?? 0) < fadeMs;
}
