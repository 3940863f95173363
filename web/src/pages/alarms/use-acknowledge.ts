// Acknowledges alarms at once, never later: each answer is looked at, and refusals are kept with their reason.

import { acknowledgeAlarms } from '@tocsin/client';
import { useState } from 'react';
import { reasonOf } from '../../data/server.ts';
import { useLinkHealth } from '../../data/use-live.ts';

export type Refused = { readonly id: number; readonly reason: string };

export function useAcknowledge() {
  const { isStale } = useLinkHealth();
  const [refused, setRefused] = useState<readonly Refused[]>([]);
  const [isBusy, setBusy] = useState(false);
  const run = async (ids: readonly number[], comment = ''): Promise<readonly Refused[]> => {
    if (ids.length === 0 || isStale || isBusy) return [];
    setBusy(true);
    const found = await acknowledge(ids, comment);
    setBusy(false);
    setRefused(found);
    return found;
  };
  return { run, refused, isBusy };
}

async function acknowledge(ids: readonly number[], comment: string): Promise<readonly Refused[]> {
  try {
    const results = await acknowledgeAlarms({ ids: [...ids], ...(comment === '' ? {} : { comment }) });
    return results.flatMap((result, index) =>
      typeof result === 'number' ? [] : [{ id: ids[index] ?? 0, reason: result.detail ?? result.title }],
    );
  } catch (error) {
    const reason = reasonOf(error);
    return ids.map((id) => ({ id, reason }));
  }
}
