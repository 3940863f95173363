// The lines of the alarm list: its rows, and a heading before the first row of each group. Pure.

import { type Group, groupOf, type Row } from './arrange.ts';

/** `count`: how many alarms of the list are in the group now. */
export type Line = { readonly group: Group; readonly count: number } | Row;

export function isHeading(line: Line): line is Exclude<Line, Row> {
  return !('alarm' in line);
}

/** Rows stand below the heading of the group that they stood in when the order was taken, so that no line moves; a sorted list has none. */
export function linesOf(rows: readonly Row[], isSorted: boolean): readonly Line[] {
  if (isSorted) return rows;
  const counts = new Map<Group, number>();
  for (const { alarm, isGone } of rows) {
    const group = groupOf(alarm);
    counts.set(group, (counts.get(group) ?? 0) + (isGone ? 0 : 1));
  }
  const headed = new Set<Group>();
  return rows.flatMap((row): Line[] => {
    if (headed.has(row.group)) return [row];
    headed.add(row.group);
    return [{ group: row.group, count: counts.get(row.group) ?? 0 }, row];
  });
}
