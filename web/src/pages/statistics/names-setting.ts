// Whether this browser shows the names of people in the statistics: figures about persons are not allowed everywhere.

import { useSyncExternalStore } from 'react';
import { useUsers } from '../../data/directory.ts';
import { useWords } from '../../words/use-words.ts';

const key = 'tocsin.statistics.names';
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useAreNamesShown(): boolean {
  return useSyncExternalStore(subscribe, () => localStorage.getItem(key) !== 'hidden');
}

export function showNames(areShown: boolean): void {
  if (areShown) localStorage.removeItem(key);
  else localStorage.setItem(key, 'hidden');
  for (const listener of listeners) listener();
}

/** The name of a person, or their place in the list when names are left out. */
export function usePersonName(): (person: { readonly id: number; readonly user: string }, place: number) => string {
  const areShown = useAreNamesShown();
  const users = useUsers();
  const words = useWords().statistics;
  return ({ id, user }, place) =>
    areShown ? users.name((all) => all.get(id)?.firstName || undefined, user) : words.person(place + 1);
}
