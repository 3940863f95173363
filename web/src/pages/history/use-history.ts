// The entries of the history for a period and its filters, read in pages as the list is scrolled.

import { useInfiniteQuery } from '@tanstack/react-query';
import { type AlarmHistory, listAlarmHistories } from '@tocsin/client';
import { useMemo } from 'react';
import type { HistorySearch } from './history-search.ts';

const pageSize = 200;
const hourMs = 3_600_000;

/** The parameters of the interface; the period ends now, to the minute, so that pages fit together. */
export function historyQuery({ hours, q, station, alarm }: HistorySearch, now: number) {
  const minute = Math.floor(now / 60_000) * 60_000;
  return {
    $from: new Date(minute - (hours ?? 24) * hourMs).toISOString(),
    sort: '-id',
    view: 'full',
    ...(q === undefined ? {} : { search: q }),
    ...(station === undefined ? {} : { stationId: [station] }),
    ...(alarm === undefined ? {} : { alarmId: [alarm] }),
  } as const;
}

export function useHistory(search: HistorySearch) {
  const query = useMemo(() => historyQuery(search, Date.now()), [search]);
  const { data, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['history', query],
    queryFn: ({ pageParam }) => listAlarmHistories({ ...query, limit: pageSize, offset: pageParam }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const read = pages.reduce((sum, { items }) => sum + items.length, 0);
      return last.items.length === 0 || read >= last.paging.total ? undefined : read;
    },
  });
  const entries: readonly AlarmHistory[] = data?.pages.flatMap(({ items }) => items) ?? [];
  const readMore = (): void => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  return { entries, total: data?.pages[0]?.paging.total ?? 0, isRead: data !== undefined, readMore };
}
