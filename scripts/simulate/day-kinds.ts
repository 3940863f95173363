// The kinds of days that `npm run simulate` lives by seed, and what is counted on each.

import { runDay } from '../../test/harness/escalation/run-day.ts';
import type { Counts } from '../../test/harness/escalation/trace.ts';
import { forecastDay } from '../../test/harness/simulation/forecast-day.ts';
import { simulateDay } from '../../test/harness/simulation/simulation.ts';

export type LivedDay = {
  readonly seed: number;
  /** By what is counted. */
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
};

/** `dropped`: the share of wakes that get lost, on days of the engine alone. */
type LiveDay = (seed: number, dropped: number) => Promise<LivedDay>;

export const dayKinds = {
  /** The real operations on a database in memory. */
  async calls(seed) {
    const day = await simulateDay(seed);
    const counts = {
      causes: day.alarms,
      ...countsOf(day),
      'steps of the clock': day.clockSteps,
      crashes: day.crashes,
      'attempts made again after one': day.repeated,
    };
    return { seed, counts, violations: day.violations };
  },
  /** The engine that decides whom to call, alone. */
  async engine(seed, share) {
    const { counts, violations } = runDay(seed, { dropped: share });
    const { alarms, restarts } = counts;
    return { seed, counts: { alarms, ...countsOf(counts), restarts }, violations };
  },
  /** What `explain` foretells for one organisation, on a calm day and on one with faults, beside what then happens. */
  async explain(seed) {
    const days = [await forecastDay(seed, false), await forecastDay(seed, true)];
    const sum = (of: (day: (typeof days)[number]) => number): number => days.reduce((total, day) => total + of(day), 0);
    const counts = {
      'days lived': days.length,
      alarms: sum(({ alarms }) => alarms),
      'with a delay': sum(({ delayed }) => delayed),
      'with several actions for a group': sum(({ twice }) => twice),
      forecasts: sum(({ forecasts }) => forecasts),
      'attempts foretold': sum(({ attempts }) => attempts),
    };
    const violations = days.flatMap(({ differences }) => differences.map((one) => `explain: ${one}`));
    return { seed, counts: { ...counts, differences: violations.length }, violations };
  },
} as const satisfies Readonly<Record<string, LiveDay>>;

type Counted = Pick<Counts, 'attempts' | 'decisions' | 'dropped' | 'late' | 'again' | 'rewritten'>;

function countsOf({ attempts, decisions, dropped, late, again, rewritten }: Counted) {
  const found = { 'changes found late': late, 'decided again': again, 'changing something then': rewritten };
  return { attempts, decisions, 'wakes dropped': dropped, ...found };
}

export type DayKind = keyof typeof dayKinds;
