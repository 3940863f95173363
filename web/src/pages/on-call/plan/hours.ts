// How many hours each person is on duty in a period, and how many of them at night. Pure.

import type { GroupSlots } from '@tocsin/client';
import { instantAt, wallTime } from '../../../data/time/zone-time.ts';
import type { PlanPeriod } from './period.ts';

type Span = { readonly from: number; readonly to: number };

export type PersonHours = { readonly userId: number; readonly ms: number; readonly nightMs: number };

/** Night is from 22:00 to 06:00 of the plant's clock. */
const night = { fromHour: 22, toHour: 6 } as const;
const hourMs = 3_600_000;

/** Returns the people with the most hours first. Duty in two groups at a time counts once; relief does not count. */
export function hoursOf(
  groups: readonly GroupSlots[],
  period: PlanPeriod,
  timeZone: string | undefined,
): readonly PersonHours[] {
  const spans = new Map<number, Span[]>();
  for (const slot of groups.flatMap(({ slots }) => slots)) {
    const span = cut({ from: Date.parse(slot.from), to: Date.parse(slot.to) }, period);
    if (span === undefined) continue;
    for (const { userId, relief } of slot.members) {
      if (!relief) spans.set(userId, [...(spans.get(userId) ?? []), span]);
    }
  }
  const nights = nightsOf(period, timeZone);
  return [...spans]
    .map(([userId, all]) => {
      const duty = joined(all);
      const dark = nights.flatMap((part) => duty.flatMap((span) => cut(span, part) ?? []));
      return { userId, ms: lengthOf(duty), nightMs: lengthOf(dark) };
    })
    .toSorted((one, other) => other.ms - one.ms || one.userId - other.userId);
}

function cut(span: Span, within: Span): Span | undefined {
  const [from, to] = [Math.max(span.from, within.from), Math.min(span.to, within.to)];
  return from < to ? { from, to } : undefined;
}

/** Joins spans that overlap or touch. */
function joined(spans: readonly Span[]): readonly Span[] {
  const all: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last === undefined || span.from > last.to) all.push(span);
    else all[all.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return all;
}

function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

function nightsOf({ days }: PlanPeriod, timeZone: string | undefined): readonly Span[] {
  const hourOf = (day: number, hour: number): number => instantAt(wallTime(day, timeZone) + hour * hourMs, timeZone);
  return days.flatMap(({ from, to }) => [
    { from, to: hourOf(from, night.toHour) },
    { from: hourOf(from, night.fromHour), to },
  ]);
}
