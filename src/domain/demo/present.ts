// The alarms that stand when the demo plant is made: not acknowledged, acknowledged, cleared and masked. Pure.

import { hourMs, minuteMs } from '../on-call/civil-time.ts';
import type { Acknowledgement, DemoOccurrence, Masking } from './occurrence.ts';
import { demoTags } from './plant.ts';

const secondMs = 1_000;

type Present = {
  readonly path: string;
  /** How long ago it was raised. */
  readonly raisedMs: number;
  /** How long ago it returned to normal. */
  readonly clearedMs?: number;
  readonly taken?: { readonly person: string; readonly afterMs: number; readonly comment?: string };
  readonly mask?: { readonly person: string; readonly reason: string; readonly leftMs: number };
};

const presents: readonly Present[] = [
  {
    path: 'Intake/P-101/Bearing_DE_Temp',
    raisedMs: 9 * minuteMs + 43 * secondMs,
    taken: { person: 'ana', afterMs: 48 * secondMs, comment: 'P-103 started, checking the oil' },
  },
  {
    path: 'Chlorine/CL-201/Leak',
    raisedMs: 13 * minuteMs + 20 * secondMs,
    taken: { person: 'dana', afterMs: 41 * secondMs, comment: 'Building is clear, scrubber runs' },
  },
  {
    path: 'Intake/P-102/Discharge_Pressure',
    raisedMs: 8 * minuteMs + 57 * secondMs,
    taken: { person: 'ana', afterMs: 70 * secondMs },
  },
  { path: 'Reservoir/R1/Level_H', raisedMs: 14 * minuteMs + 29 * secondMs, clearedMs: 5 * minuteMs },
  { path: 'Filter/F3/Diff_Press', raisedMs: 4 * minuteMs + 46 * secondMs },
  { path: 'Lift4/Pit/Level_H', raisedMs: 21 * minuteMs + 38 * secondMs, clearedMs: 9 * minuteMs },
  { path: 'Compressor/C-12/Oil_Temp', raisedMs: 10 * minuteMs },
  { path: 'Ozone/OZ-1/Door', raisedMs: 41 * minuteMs, taken: { person: 'dana', afterMs: 3 * minuteMs } },
  {
    path: 'Intake/Screen/Torque',
    raisedMs: 28 * minuteMs,
    taken: { person: 'ana', afterMs: 95 * secondMs, comment: 'Rake runs backwards, looking' },
  },
  { path: 'Reservoir/Valve-7/Travel', raisedMs: 75 * minuteMs, taken: { person: 'bo', afterMs: 2 * minuteMs } },
  { path: 'Lift4/P-42/Current', raisedMs: 152 * minuteMs, taken: { person: 'ana', afterMs: 70 * secondMs } },
  {
    path: 'UV/Bank-2/Lamp_Fail',
    raisedMs: 52 * minuteMs,
    taken: { person: 'dana', afterMs: 4 * minuteMs, comment: 'Lamps are ordered' },
  },
  {
    path: 'Polymer/Tank-1/Level_L',
    raisedMs: 5 * hourMs,
    taken: { person: 'chidi', afterMs: 8 * minuteMs, comment: 'Delivery Monday 10:00' },
  },
  { path: 'Telemetry/RTU-9/Battery', raisedMs: 6 * hourMs, taken: { person: 'chidi', afterMs: 5 * minuteMs } },
  { path: 'Weather/Wind', raisedMs: 7 * hourMs, taken: { person: 'ana', afterMs: 6 * minuteMs } },
  { path: 'Lab/Turbidity/Cal', raisedMs: 10 * hourMs, taken: { person: 'hana', afterMs: 20 * minuteMs } },
  {
    path: 'Lift4/P-41/Vibration',
    raisedMs: 20 * hourMs,
    mask: { person: 'chidi', reason: 'Bearing is ordered, runs only when needed', leftMs: 5 * hourMs },
  },
  {
    path: 'Filter/F1/Diff_Press',
    raisedMs: 19 * hourMs,
    mask: { person: 'dana', reason: 'Sensor is being exchanged', leftMs: 12 * hourMs },
  },
  {
    path: 'Reservoir/Camera',
    raisedMs: 13 * hourMs,
    mask: { person: 'goran', reason: 'Lamp comes with the next round', leftMs: 30 * hourMs },
  },
];

/** The tags that are raised when everything is made, so that somebody is being called from the start. */
export const calledFromStart: readonly string[] = ['Power/Transformer-1/Temp', 'Power/MV-2/Breaker_52'];

/** How long after a raise the masks of the plant were set. */
const maskedAfterMs = 12 * minuteMs;

/** The occurrences that stand at the instant `at`, none of them older than a day. */
export function presentOccurrences(at: number): readonly DemoOccurrence[] {
  return presents.map((present) => {
    const raisedAt = at - present.raisedMs;
    return {
      tag: tagAt(present.path),
      raisedAt,
      resetAt: present.clearedMs === undefined ? undefined : at - present.clearedMs,
      ack: acknowledgementOf(present, raisedAt),
      mask: maskOf(present, raisedAt, at),
    };
  });
}

function tagAt(path: string): number {
  const index = demoTags.findIndex((tag) => tag.path === path);
  if (index === -1) throw new Error(`The demo plant has no tag ${path}`);
  return index;
}

function acknowledgementOf({ taken }: Present, raisedAt: number): Acknowledgement | undefined {
  if (taken === undefined) return undefined;
  return { person: taken.person, at: raisedAt + taken.afterMs, comment: taken.comment ?? '' };
}

function maskOf({ mask }: Present, raisedAt: number, at: number): Masking | undefined {
  if (mask === undefined) return undefined;
  return { person: mask.person, at: raisedAt + maskedAfterMs, until: at + mask.leftMs, reason: mask.reason };
}
