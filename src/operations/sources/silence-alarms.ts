// The system alarms about sources that have fallen silent: raised on the station of the source, over when it is heard again.

import type { Instant, Tx } from '../../store/store.ts';
import { endOpenSystemAlarm } from '../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';

const pathPrefix = 'source-silent/';

type SilentSource = {
  readonly source: string;
  /** Its kind and name, as a person knows it. */
  readonly label: string;
  readonly stationId: number;
  readonly lastAt: Instant;
  readonly usualMs: number;
};

export async function raiseSilenceAlarm(tx: Tx, now: Instant, silent: SilentSource): Promise<void> {
  const { source, label, stationId, lastAt, usualMs } = silent;
  await raiseSystemAlarm(tx, now, {
    path: `${pathPrefix}${source}`,
    stationId,
    priority: 2,
    message: `Nothing has come from ${label} for ${inWords(now - lastAt)}; usually something comes every ${inWords(usualMs)}. Its alarms may not arrive: look at the source and at the way from there.`,
  });
}

/** Ends the alarm about a source, wherever it stands: the source may be of another station by now. */
export async function endSilenceAlarm(tx: Tx, now: Instant, source: string): Promise<void> {
  await endOpenSystemAlarm(tx, now, `${pathPrefix}${source}`, 'as-policy-says');
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Rounded to one unit: `17 min`. */
function inWords(ms: number): string {
  const [unit, length] = units.find(([, unitMs]) => ms >= 2 * unitMs) ?? ['s', 1_000];
  return `${Math.max(1, Math.round(ms / length))} ${unit}`;
}
