// "Escalate": somebody has the relief group called now; the levels that are being called go on. Pure.

import type { Escalation } from './escalation.ts';
import { Chains, type Level } from './levels.ts';
import type { DecisionTime, World } from './world.ts';

/** Returns the escalation with the first level of the next group entered; undefined if there is no further group. */
export function escalate(escalation: Escalation, world: World, time: DecisionTime, by: string): Escalation | undefined {
  const { entered, state, round } = escalation;
  if (state === 'done' || round === 0) return undefined;
  const { levels } = new Chains(world, time).of(escalation.target);
  const known = new Set(entered.map(({ key }) => key));
  const last = levels.findLastIndex(({ key }) => known.has(key));
  const present = levels[last];
  const next = levels.slice(last + 1).find((level) => !known.has(level.key) && groupOf(level) !== groupOf(present));
  if (next === undefined) return undefined;
  const level = { key: next.key, at: time.engine, reason: { code: 'escalated', by } } as const;
  return { ...escalation, entered: [...entered, level], pausedUntil: undefined, state: 'open' };
}

function groupOf(level: Level | undefined): number | undefined {
  return level?.group?.id;
}
