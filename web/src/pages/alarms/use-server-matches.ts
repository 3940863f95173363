// The alarms that match the filters of which only the server knows: groups that are called, tag groups, scenarios.

import { useQuery } from '@tanstack/react-query';
import { listAlarms } from '@tocsin/client';
import { useMemo } from 'react';
import { readAll } from '../../data/read-all.ts';
import { type AlarmsSearch, idsIn } from './alarms-search.ts';

/** Returns the ids of the matching alarms; undefined without such a filter. */
export function useServerMatches({ group, tagGroup, scenario }: AlarmsSearch): ReadonlySet<number> | undefined {
  const filter = {
    ...(group === undefined ? {} : { callGroupId: [...idsIn(group)] }),
    ...(tagGroup === undefined ? {} : { tagGroupId: [...idsIn(tagGroup)] }),
    ...(scenario === undefined ? {} : { scenarioId: [...idsIn(scenario)] }),
  };
  const isFiltered = Object.keys(filter).length > 0;
  const { data } = useQuery({
    queryKey: ['alarms-on-server', filter],
    enabled: isFiltered,
    refetchInterval: 5_000,
    queryFn: async () => {
      const items = await readAll((page) => listAlarms({ ...filter, ...page, inactiveMasked: 1 }));
      return items.map(({ id }) => id);
    },
  });
  return useMemo(() => (isFiltered ? new Set(data) : undefined), [isFiltered, data]);
}
