// Asks the server, and returns what was read with what is known of it: the only place of the console that makes queries.

import {
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseQueryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { failureReasonOf } from '../server.ts';
import { type Failure, type ListState, pauseAfter, unread } from './list-state.ts';
import { mayPass } from './query-failures.ts';
import { Read } from './read.ts';

type Result<T> = {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly dataUpdatedAt: number;
  readonly errorUpdatedAt: number;
  readonly errorUpdateCount: number;
};

type Value<T> = { readonly value: T; readonly readAt: number };

/** Answers of another question, or of none, would be shown as those to this one. */
type Asked<O> = Omit<O, 'placeholderData' | 'initialData' | 'select'> & {
  /** What is asked, of a query whose key also says when: an answer stays, as an old one, until that of the next time is there. */
  readonly question?: QueryKey;
};

function failureOf({ error, errorUpdatedAt, errorUpdateCount }: Omit<Result<unknown>, 'data'>): Failure | undefined {
  if (error === null) return undefined;
  const retryAt = mayPass(error) ? errorUpdatedAt + pauseAfter(errorUpdateCount) : undefined;
  return { reason: failureReasonOf(error), retryAt };
}

/** The last answer to the same question; undefined of a query that has none but its key. */
function useFormer<T>({ data, dataUpdatedAt }: Result<T>, question: QueryKey | undefined): Value<T> | undefined {
  const of = JSON.stringify(question);
  const last = useRef<Value<T> & { readonly of: string }>(undefined);
  if (of !== undefined && data !== undefined) {
    const isSame = last.current?.value === data && last.current.readAt === dataUpdatedAt && last.current.of === of;
    if (!isSame) last.current = { value: data, readAt: dataUpdatedAt, of };
  }
  return last.current?.of === of ? last.current : undefined;
}

/** The same object until something of it has changed, so that what is made of it is made once. */
function useResult<T>(result: Result<T>, question: QueryKey | undefined): Read<T> {
  const { data, error, dataUpdatedAt, errorUpdatedAt, errorUpdateCount } = result;
  const former = useFormer(result, question);
  return useMemo(() => {
    const failure = failureOf({ error, dataUpdatedAt, errorUpdatedAt, errorUpdateCount });
    const known = data === undefined ? former : { value: data, readAt: dataUpdatedAt };
    return new Read(stateOf(known, failure, data === undefined), known?.value, error ?? undefined);
  }, [data, error, dataUpdatedAt, errorUpdatedAt, errorUpdateCount, former]);
}

function stateOf(known: Value<unknown> | undefined, failure: Failure | undefined, isFormer: boolean): ListState {
  if (known === undefined) return failure === undefined ? unread : { kind: 'failed', ...failure };
  const { readAt } = known;
  return failure === undefined && !isFormer ? { kind: 'read', at: readAt } : { kind: 'stale', readAt, failure };
}

export function useRead<T>(options: Asked<UseQueryOptions<T>>): Read<T> {
  return useReadAgain(options).read;
}

/** With the means to read it once more. */
export function useReadAgain<T>({ question, ...options }: Asked<UseQueryOptions<T>>) {
  const query = useQuery(options as UseQueryOptions<T>);
  const { refetch } = query;
  const again = useMemo(() => () => void refetch(), [refetch]);
  return { read: useResult<T>(query, question), again };
}

/** A list that is read page by page. */
export function useReadPages<T, P>({
  question,
  ...options
}: Asked<UseInfiniteQueryOptions<T, Error, InfiniteData<T, P>, QueryKey, P>>) {
  const query = useInfiniteQuery(options as UseInfiniteQueryOptions<T, Error, InfiniteData<T, P>, QueryKey, P>);
  const { fetchNextPage, hasNextPage, isFetching } = query;
  const read = useResult<InfiniteData<T, P>>(query, question);
  const pages = useMemo(() => read.map((all) => all.pages), [read]);
  const readMore = (): void => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  return { read: pages, readMore };
}
