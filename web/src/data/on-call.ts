// Who is on call now and who could not be reached, read each minute and after a change made here.

import { useQueryClient } from '@tanstack/react-query';
import { getOnCall, getOnCallReadiness } from '@tocsin/client';
import { useCallback } from 'react';
import { refetchEvery } from './lists/query-failures.ts';
import { useRead } from './lists/use-read.ts';

/** What is read below this key is read again after a change of duty. */
export const onCallKey = 'oncall';
const everyMs = 60_000;

export function useOnCallNow() {
  return useRead({ queryKey: [onCallKey], queryFn: () => getOnCall(), refetchInterval: refetchEvery(everyMs) });
}

export function useReadiness() {
  return useRead({
    queryKey: [onCallKey, 'readiness'],
    queryFn: () => getOnCallReadiness(),
    refetchInterval: refetchEvery(everyMs),
  });
}

/** Returns a function that reads everything about duty again. */
export function useRefreshOnCall(): () => Promise<void> {
  const queries = useQueryClient();
  return useCallback(async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: [onCallKey] }),
      queries.invalidateQueries({ queryKey: ['schedules'] }),
    ]);
  }, [queries]);
}
