// Acknowledges alarms at once, never later: each answer is looked at, and refusals are kept with their reason.

import { acknowledgeAlarms } from '@tocsin/client';
import { useState } from 'react';
import { type Refused, refusalsOf } from '../../data/refusals.ts';
import { useRights } from '../../data/rights.ts';

export function useAcknowledge() {
  const { blockedBy } = useRights();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [isBusy, setBusy] = useState(false);
  /** Returns what was refused; undefined if nothing was sent. */
  const run = async (ids: readonly number[], comment = ''): Promise<readonly Refused[] | undefined> => {
    if (ids.length === 0 || blockedBy('alarms:ack') !== undefined || isBusy) return undefined;
    setBusy(true);
    const said = comment === '' ? {} : { comment };
    const found = await refusalsOf(ids, (some) => acknowledgeAlarms({ ids: some, ...said }));
    setBusy(false);
    setRefused(found);
    return found;
  };
  return { run, refused, isBusy };
}
