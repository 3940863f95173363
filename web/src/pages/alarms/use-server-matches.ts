// The alarms that match the filters of which only the server knows: groups that are called, tag groups, scenarios.

import { listAlarms } from '@tocsin/client';
import { useEffect, useMemo } from 'react';
import { refetchEvery } from '../../data/lists/query-failures.ts';
import { useReadAgain } from '../../data/lists/use-read.ts';
import { readAll } from '../../data/read-all.ts';
import { useLive } from '../../data/use-live.ts';
import { type AlarmsSearch, idsIn } from './alarms-search.ts';

const gatherMs = 250;

type ServerMatches = {
  /** Undefined without such a filter, and as long as the server has not said: too many alarms are shown rather than none. */
  readonly ids: ReadonlySet<number> | undefined;
  /** Whether there is no such filter, or the server has said. */
  readonly isKnown: boolean;
};

export function useServerMatches({ group, tagGroup, scenario }: AlarmsSearch): ServerMatches {
  const filter = {
    ...(group === undefined ? {} : { callGroupId: [...idsIn(group)] }),
    ...(tagGroup === undefined ? {} : { tagGroupId: [...idsIn(tagGroup)] }),
    ...(scenario === undefined ? {} : { scenarioId: [...idsIn(scenario)] }),
  };
  const isFiltered = Object.keys(filter).length > 0;
  const { read, again } = useReadAgain({
    queryKey: ['alarms-on-server', filter],
    enabled: isFiltered,
    refetchInterval: refetchEvery(5_000),
    queryFn: async () => {
      const items = await readAll((page) => listAlarms({ ...filter, ...page, inactiveMasked: 1 }));
      return items.map(({ id }) => id);
    },
  });
  // A new alarm is asked for at once, and not only with the next look.
  const { raises } = useLive();
  const raised = [...raises.values()].reduce((sum, count) => sum + count, 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it asks again when alarms were raised
  useEffect(() => {
    if (!isFiltered) return undefined;
    const timer = setTimeout(again, gatherMs);
    return () => clearTimeout(timer);
  }, [raised, isFiltered, again]);
  const ids = useMemo(
    () => (isFiltered ? read.when({ known: (found) => new Set(found), unread: () => undefined }) : undefined),
    [isFiltered, read],
  );
  return { ids, isKnown: !isFiltered || read.isKnown() };
}
