// The rights of who is signed in: a button that is not allowed stays, disabled, and says which right it needs.

import { getOwnAccess } from '@tocsin/client';
import { useWords } from '../words/use-words.ts';
import { useRead } from './lists/use-read.ts';
import { currentSession } from './session.ts';
import { useLinkHealth } from './use-live.ts';

export function useIdentity() {
  return useRead({
    queryKey: ['identity', currentSession()?.token],
    queryFn: () => getOwnAccess(),
    staleTime: 300_000,
  });
}

/** Whether it is known that who is signed in has a right. */
export function useHasRight(scope: string): boolean {
  return useIdentity().isKnown(({ scopes }) => (scopes as readonly string[]).includes(scope));
}

/** The user who is signed in; undefined of a key, and before it was read. */
export function useOwnId(): number | undefined {
  return useIdentity().when({ known: ({ userId }) => userId, unread: () => undefined });
}

/** Returns a function that says why an action is blocked: a right that is missing, or no news from the server. */
export function useRights(): { readonly blockedBy: (scope: string) => string | undefined } {
  const words = useWords();
  const identity = useIdentity();
  const { isStale } = useLinkHealth();
  return {
    blockedBy: (scope) => {
      if (isStale) return words.stale.actionsOff;
      const isMissing = identity.isKnown(({ scopes }) => !(scopes as readonly string[]).includes(scope));
      return isMissing ? words.actions.needs(scope) : undefined;
    },
  };
}
