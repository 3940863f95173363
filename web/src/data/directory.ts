// Names of stations, data servers, groups and people, read once and kept.

import {
  getSite,
  listCallGroups,
  listDataServers,
  listScenarios,
  listSchedules,
  listStations,
  listTagGroups,
  listTeams,
  listUsers,
} from '@tocsin/client';
import { useMemo } from 'react';
import { namedApart } from './lists/named-apart.ts';
import { both, type Read } from './lists/read.ts';
import { useRead } from './lists/use-read.ts';
import { readAll } from './read-all.ts';

const kept = { staleTime: 300_000 } as const;

function byId<T extends { readonly id: number }>(items: readonly T[]): ReadonlyMap<number, T> {
  return new Map(items.map((item) => [item.id, item]));
}

export function useStations() {
  return useRead({ queryKey: ['stations'], queryFn: async () => byId(await readAll(listStations)), ...kept });
}

export function useDataServers() {
  return useRead({ queryKey: ['dataservers'], queryFn: async () => byId(await readAll(listDataServers)), ...kept });
}

/** The data servers to choose from, by names that tell them apart. */
export function useServerChoice(): Read<readonly { readonly id: number; readonly name: string }[]> {
  const servers = useDataServers();
  const stations = useStations();
  return useMemo(
    () => both(servers, stations).map(([ofServers, ofStations]) => namedApart(ofServers.values(), ofStations)),
    [servers, stations],
  );
}

export function useTagGroups() {
  return useRead({ queryKey: ['taggroups'], queryFn: async () => byId(await readAll(listTagGroups)), ...kept });
}

export function useCallGroups() {
  return useRead({ queryKey: ['callgroups'], queryFn: async () => byId(await readAll(listCallGroups)), ...kept });
}

export function useScenarios() {
  return useRead({ queryKey: ['scenarios'], queryFn: async () => byId(await readAll(listScenarios)), ...kept });
}

export function useTeams() {
  return useRead({ queryKey: ['teams'], queryFn: async () => byId(await readAll(listTeams)), ...kept });
}

export function useSchedules() {
  return useRead({ queryKey: ['schedules'], queryFn: async () => byId(await readAll(listSchedules)), ...kept });
}

export function useUsers() {
  return useRead({ queryKey: ['users'], queryFn: async () => byId(await readAll(listUsers)), ...kept });
}

export function useSite() {
  return useRead({ queryKey: ['site'], queryFn: () => getSite(), ...kept });
}
