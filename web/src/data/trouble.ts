// What is wrong between this screen and a call to a person, the worst first: the link, the server's store, calling. Pure.

import type { ServerHealth } from '@tocsin/client';

export type Trouble =
  /** Nothing comes from the server. */
  | { readonly kind: 'link' }
  /** The server is there and takes no alarms, or cannot say which there are. */
  | { readonly kind: 'notTaken' | 'notRead'; readonly since: number }
  /** Alarms are taken, and people cannot be called; `codes` say why. */
  | { readonly kind: 'calling'; readonly since: number; readonly codes: readonly string[] };

/** Each trouble is told apart; behind a lost link nothing is known of the others. */
export function troublesOf(isStale: boolean, server: ServerHealth | undefined): readonly Trouble[] {
  if (isStale) return [{ kind: 'link' }];
  if (server === undefined) return [];
  const { takesAlarms, readsAlarms, calling: codes, since } = server;
  const { takesSince = since, readsSince = since, callingSince = since } = server;
  // Without its store the server cannot call either; that says it twice.
  if (!takesAlarms) return [{ kind: 'notTaken', since: Date.parse(takesSince) }];
  const troubles: Trouble[] = readsAlarms ? [] : [{ kind: 'notRead', since: Date.parse(readsSince) }];
  return codes.length === 0 ? troubles : [...troubles, { kind: 'calling', since: Date.parse(callingSince), codes }];
}

/** Whether what is on screen may be wrong: this sounds, however quiet the plant looks. */
export function isBlind(troubles: readonly Trouble[]): boolean {
  return troubles.some(({ kind }) => kind !== 'calling');
}
