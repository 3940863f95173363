// Acknowledges alarms or ends their masks at once, never later: each answer is looked at, and refusals are kept with their reason.

import { acknowledgeAlarms, unmaskAlarms } from '@tocsin/client';
import { useState } from 'react';
import { type Refused, refusalsOf, type Send } from '../../data/refusals.ts';
import { useRights } from '../../data/rights.ts';

export function useAcknowledge() {
  const { send, ...state } = useCommand('alarms:ack');
  /** Returns what was refused; undefined if nothing was sent. */
  const run = (ids: readonly number[], comment = ''): Promise<readonly Refused[] | undefined> => {
    const said = comment === '' ? {} : { comment };
    return send(ids, (some) => acknowledgeAlarms({ ids: some, ...said }));
  };
  return { ...state, run };
}

export function useUnmask() {
  const { send, ...state } = useCommand('alarms:mask');
  /** Returns what was refused; undefined if nothing was sent. */
  const run = (ids: readonly number[]): Promise<readonly Refused[] | undefined> =>
    send(ids, (some) => unmaskAlarms({ ids: some }));
  return { ...state, run };
}

function useCommand(right: string) {
  const { blockedBy } = useRights();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [isBusy, setBusy] = useState(false);
  const send = async (ids: readonly number[], sendSome: Send): Promise<readonly Refused[] | undefined> => {
    if (ids.length === 0 || blockedBy(right) !== undefined || isBusy) return undefined;
    setBusy(true);
    const found = await refusalsOf(ids, sendSome);
    setBusy(false);
    setRefused(found);
    return found;
  };
  return { send, refused, isBusy };
}
