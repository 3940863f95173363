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

const kept = { staleTime: 300_000 } as const;
const all = { limit: 1000 } as const;

/** Reads all pages of a list. */
async function everything<T>(
  read: (page: {
    readonly limit: number;
    readonly offset: number;
  }) => Promise<{ readonly items: T[]; readonly paging: { readonly total: number } }>,
): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const page = await read({ ...all, offset: items.length });
    items.push(...page.items);
    if (page.items.length === 0 || items.length >= page.paging.total) return items;
  }
}

function byId<T extends { readonly id: number }>(items: readonly T[]): ReadonlyMap<number, T> {
  return new Map(items.map((item) => [item.id, item]));
}

export function useStations() {
  return useQuery({ queryKey: ['stations'], queryFn: async () => byId(await everything(listStations)), ...kept });
}

export function useDataServers() {
  return useQuery({ queryKey: ['dataservers'], queryFn: async () => byId(await everything(listDataServers)), ...kept });
}

export function useTagGroups() {
  return useQuery({ queryKey: ['taggroups'], queryFn: async () => byId(await everything(listTagGroups)), ...kept });
}

export function useCallGroups() {
  return useQuery({ queryKey: ['callgroups'], queryFn: async () => byId(await everything(listCallGroups)), ...kept });
}

export function useScenarios() {
  return useQuery({ queryKey: ['scenarios'], queryFn: async () => byId(await everything(listScenarios)), ...kept });
}

export function useTeams() {
  return useQuery({ queryKey: ['teams'], queryFn: async () => byId(await everything(listTeams)), ...kept });
}

export function useSchedules() {
  return useQuery({ queryKey: ['schedules'], queryFn: async () => byId(await everything(listSchedules)), ...kept });
}

export function useUsers() {
  return useQuery({ queryKey: ['users'], queryFn: async () => byId(await everything(listUsers)), ...kept });
}

export function useSite() {
  return useQuery({ queryKey: ['site'], queryFn: () => getSite(), ...kept });
}
