// Lives one random day by seed and judges it; every 25th is a storm to people who never answer.

import { decide } from '../../../src/domain/escalation/decide.ts';
import { judge } from './judge.ts';
import { randomDay } from './random-day.ts';
import { type Decide, liveDay } from './shell.ts';
import { stormDay } from './storm-day.ts';
import type { Counts } from './trace.ts';

export type DayRun = { readonly violations: readonly string[]; readonly counts: Counts };

export type DayOptions = {
  /** The share of wakes that get lost, from 0 to 1. */
  readonly dropped: number;
  /** The engine that is tried; another one shows what a checker finds. */
  readonly engine?: Decide;
};

export function runDay(seed: number, { dropped, engine = decide }: DayOptions): DayRun {
  const isStorm = seed % 25 === 0;
  const trace = liveDay(isStorm ? stormDay(seed) : randomDay(seed), engine, dropped);
  return { violations: judge(trace, isStorm), counts: trace.counts };
}
