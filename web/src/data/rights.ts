// The rights of who is signed in: a button that is not allowed stays, disabled, and says which right it needs.

import { useQuery } from '@tanstack/react-query';
import { getOwnAccess } from '@tocsin/client';
import { useWords } from '../words/use-words.ts';
import { currentSession } from './session.ts';
import { useLinkHealth } from './use-live.ts';

export function useIdentity() {
  return useQuery({
    queryKey: ['identity', currentSession()?.token],
    queryFn: () => getOwnAccess(),
    staleTime: 300_000,
  });
}

/** Returns a function that says why an action is blocked: a right that is missing, or no news from the server. */
export function useRights(): { readonly blockedBy: (scope: string) => string | undefined } {
  const words = useWords();
  const { data } = useIdentity();
  const { isStale } = useLinkHealth();
  return {
    blockedBy: (scope) => {
      if (isStale) return words.stale.actionsOff;
      const scopes: readonly string[] | undefined = data?.scopes;
      if (scopes === undefined || scopes.includes(scope)) return undefined;
      return words.actions.needs(scope);
    },
  };
}
