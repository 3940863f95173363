// The small write by which readiness finds out whether alarms can be stored.

import { setMeta } from '../../store/meta.ts';
import type { Operation } from '../../store/store.ts';

const probeKey = 'store_probe';
/** About as much text as an alarm writes: on a disk that is nearly full a smaller row might still fit. */
const padding = ' '.repeat(2_000);

export const probeStore: Operation<Record<string, never>, void> = {
  name: 'probe-store',
  run: (tx, now) => setMeta(tx, probeKey, `${now}${padding}`),
};
