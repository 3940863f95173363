// The alarms that call one of the chosen groups: only the server knows all actions and scenarios that lead to a call.

import { useQuery } from '@tanstack/react-query';
import { listAlarms } from '@tocsin/client';
import { useMemo } from 'react';
import { idsIn } from './alarms-search.ts';

export function useIdsOfGroups(group: string | undefined): ReadonlySet<number> | undefined {
  const groupIds = idsIn(group);
  const { data } = useQuery({
    queryKey: ['alarms-of-groups', group],
    enabled: groupIds.length > 0,
    refetchInterval: 5_000,
    queryFn: async () => {
      const { items } = await listAlarms({ callGroupId: [...groupIds], inactiveMasked: 1, limit: 1000 });
      return items.map(({ id }) => id);
    },
  });
  return useMemo(() => (group === undefined ? undefined : new Set(data)), [group, data]);
}
