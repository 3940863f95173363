// The cases of the matrix of faults: what each screen asks for, times how it fails, for how long, and whether the screen was open
// before.

import { type FaultKind, faultKinds, hubTarget, type Target } from './faulty-link.ts';

export const views = [
  '/alarms',
  '/alarms?id=1',
  '/history',
  '/statistics',
  '/oncall',
  '/calls',
  '/phones',
  '/system',
] as const;
export type View = (typeof views)[number];

/** `opening`: the fault is there when the page is opened; `open`: it begins on a screen that was read, and all is read again. */
export const moments = ['opening', 'open'] as const;
export type Moment = (typeof moments)[number];

export type Case = {
  readonly view: View;
  readonly target: Target;
  readonly kind: FaultKind;
  readonly forMs: number;
  readonly moment: Moment;
};

const lengths = [2_000, 60_000] as const;

/** With which the hub begins. */
const beginnings = ['connect', 'answer'].map(hubTarget);
/** What an open screen awaits of it. */
const messages = [
  'ping',
  'onAlarm',
  'onAlarmChanged',
  'onAlarmRemoved',
  'onPosition',
  'onCall',
  'onPhone',
  'onHealth',
].map(hubTarget);

export function casesOf(view: View, requests: readonly Target[], moment: Moment): readonly Case[] {
  const targets = [...requests, ...beginnings, ...(moment === 'open' ? messages : [])];
  return targets.flatMap((target) =>
    faultKinds.flatMap((kind) => lengths.map((forMs) => ({ view, target, kind, forMs, moment }))),
  );
}

export function nameOf({ view, target, kind, forMs, moment }: Case): string {
  return `${view} (${moment}), ${target} ${kind} for ${forMs / 1_000} s`;
}
