// The system alarms about sources that have fallen silent: raised on the station of the source, over when it is heard again.

import type { RoundedTime } from '../../domain/alarms/system-texts/texts.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { endOpenSystemAlarm } from '../alarms/intake/end-open-system-alarm.ts';
import { raiseSystemAlarm } from '../alarms/intake/report.ts';

const pathPrefix = 'source-silent/';

type SilentSource = {
  readonly source: string;
  readonly holder: { readonly kind: 'key' | 'dataServer'; readonly id: number; readonly name: string };
  readonly stationId: number;
  readonly lastAt: Instant;
  readonly usualMs: number;
};

export async function raiseSilenceAlarm(tx: Tx, now: Instant, silent: SilentSource): Promise<void> {
  const { source, holder, stationId, lastAt, usualMs } = silent;
  const { kind, id, name } = holder;
  await raiseSystemAlarm(tx, now, {
    path: `${pathPrefix}${source}`,
    stationId,
    priority: 2,
    message: {
      code: 'source-silent',
      parameters: { kind, id, name, silentFor: rounded(now - lastAt), usually: rounded(usualMs) },
    },
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

function rounded(ms: number): RoundedTime {
  const [unit, length] = units.find(([, unitMs]) => ms >= 2 * unitMs) ?? ['s', 1_000];
  return { amount: Math.max(1, Math.round(ms / length)), unit };
}
