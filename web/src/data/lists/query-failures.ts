// Queries that failed: when they are made again, and which of those that are on screen could not be read.

import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query';
import { HttpError } from '@tocsin/client';
import { useEffect, useState } from 'react';
import { failureReasonOf } from '../server.ts';
import { type Failure, pauseAfter } from './list-state.ts';

/** Whether asking again may help: the server did not answer, or could not. A refusal stays one. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof HttpError) || error.status >= 500 || error.status === 429 || error.status === 408;
}

type QueryState = Pick<Query['state'], 'status' | 'error' | 'errorUpdateCount'>;

/** The `refetchInterval` of a query: `ms` after it was read (false: it is not read again), sooner after it failed. */
export function refetchEvery(ms: number | false) {
  return ({ state }: { readonly state: QueryState }): number | false =>
    state.status === 'error' && mayPass(state.error) ? pauseAfter(state.errorUpdateCount) : ms;
}

/** `readAt`: when what is shown was read; undefined: never. */
export type QueryFailure = Failure & { readonly readAt: number | undefined };

/** The failure that has lasted longest of the queries on screen. While a query is made again, its failure still counts. */
export function useQueryFailure(): QueryFailure | undefined {
  const cache = useQueryClient().getQueryCache();
  const [failure, setFailure] = useState<QueryFailure>();
  useEffect(() => {
    const failures = new Map<string, QueryFailure>();
    const look = (): void => {
      for (const known of failures.keys()) if (cache.get(known)?.isActive() !== true) failures.delete(known);
      for (const query of cache.getAll()) if (query.isActive()) note(failures, query);
      const [longest] = failures.values();
      setFailure(longest);
    };
    look();
    // Queries also change while components are drawn, when no state may be set.
    return cache.subscribe(() => notifyManager.schedule(look));
  }, [cache]);
  return failure;
}

/** From then on it is said that something of the screen is being read. */
const slowMs = 2_000;

/** Whether something on screen has been read for a while, and never was before. */
export function useIsReading(): boolean {
  const cache = useQueryClient().getQueryCache();
  const [isReading, setReading] = useState(false);
  useEffect(() => {
    const begun = new Map<string, number>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      const now = performance.now();
      const waiting = cache.getAll().filter((query) => query.isActive() && isFirstReading(query));
      const hashes = new Set(waiting.map(({ queryHash }) => queryHash));
      for (const hash of begun.keys()) if (!hashes.has(hash)) begun.delete(hash);
      for (const hash of hashes) if (!begun.has(hash)) begun.set(hash, now);
      setReading([...begun.values()].some((at) => now - at >= slowMs));
      clearTimeout(timer);
      if (begun.size > 0) timer = setTimeout(look, slowMs);
    };
    look();
    const forget = cache.subscribe(() => notifyManager.schedule(look));
    return () => {
      forget();
      clearTimeout(timer);
    };
  }, [cache]);
  return isReading;
}

function isFirstReading({ state: { status, fetchStatus } }: Query): boolean {
  return status === 'pending' && fetchStatus !== 'idle';
}

function note(failures: Map<string, QueryFailure>, { queryHash, state }: Query): void {
  const { status, error, dataUpdatedAt, errorUpdatedAt, errorUpdateCount } = state;
  if (status === 'success') failures.delete(queryHash);
  if (error === null || !mayPass(error)) return;
  const retryAt = errorUpdatedAt + pauseAfter(errorUpdateCount);
  if (failures.get(queryHash)?.retryAt === retryAt) return;
  const readAt = dataUpdatedAt === 0 ? undefined : dataUpdatedAt;
  failures.set(queryHash, { reason: failureReasonOf(error), retryAt, readAt });
}
