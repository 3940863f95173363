// Names of stations, data servers, groups and people, read once and kept.

import { useQuery } from '@tanstack/react-query';
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
import { readAll } from './read-all.ts';

const kept = { staleTime: 300_000 } as const;

function byId<T extends { readonly id: number }>(items: readonly T[]): ReadonlyMap<number, T> {
  return new Map(items.map((item) => [item.id, item]));
}

export function useStations() {
  return useQuery({ queryKey: ['stations'], queryFn: async () => byId(await readAll(listStations)), ...kept });
}

export function useDataServers() {
  return useQuery({ queryKey: ['dataservers'], queryFn: async () => byId(await readAll(listDataServers)), ...kept });
}

/** The data servers to choose from, by names that tell them apart. */
export function useServerChoice(): readonly { readonly id: number; readonly name: string }[] {
  const servers = useDataServers().data;
  const stations = useStations().data;
  return useMemo(() => namedApart(servers?.values() ?? [], stations ?? new Map()), [servers, stations]);
}

export function useTagGroups() {
  return useQuery({ queryKey: ['taggroups'], queryFn: async () => byId(await readAll(listTagGroups)), ...kept });
}

export function useCallGroups() {
  return useQuery({ queryKey: ['callgroups'], queryFn: async () => byId(await readAll(listCallGroups)), ...kept });
}

export function useScenarios() {
  return useQuery({ queryKey: ['scenarios'], queryFn: async () => byId(await readAll(listScenarios)), ...kept });
}

export function useTeams() {
  return useQuery({ queryKey: ['teams'], queryFn: async () => byId(await readAll(listTeams)), ...kept });
}

export function useSchedules() {
  return useQuery({ queryKey: ['schedules'], queryFn: async () => byId(await readAll(listSchedules)), ...kept });
}

export function useUsers() {
  return useQuery({ queryKey: ['users'], queryFn: async () => byId(await readAll(listUsers)), ...kept });
}

export function useSite() {
  return useQuery({ queryKey: ['site'], queryFn: () => getSite(), ...kept });
}
