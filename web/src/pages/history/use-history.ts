// The entries of the history for a period and its filters, read in pages as the list is scrolled.

import { type AlarmHistory, listAlarmHistories } from '@tocsin/client';
import { useMemo } from 'react';
import { useReadPages } from '../../data/lists/use-read.ts';
import { type Period, periodOf } from '../../data/time/period.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { firstPlace, type PagePlace, placeAfter, withoutRepeated } from './history-pages.ts';
import type { HistorySearch } from './history-search.ts';

const pageSize = 200;

/** The parameters of the interface. A period that ends now has no end, so that news is not left out. */
export function historyQuery(search: HistorySearch, { from, to }: Period) {
  const { q, station, server, tagGroup, group, user, alarm } = search;
  const hasEnd = search.to !== undefined || search.period === 'week';
  return {
    $from: new Date(from).toISOString(),
    ...(hasEnd ? { to: new Date(to).toISOString() } : {}),
    sort: '-id',
    view: 'full',
    ...(q === undefined ? {} : { search: q }),
    ...(station === undefined ? {} : { stationId: [station] }),
    ...(server === undefined ? {} : { dataServerId: [server] }),
    ...(tagGroup === undefined ? {} : { tagGroupId: [tagGroup] }),
    ...(group === undefined ? {} : { callGroupId: [group] }),
    ...(user === undefined ? {} : { userId: user }),
    ...(alarm === undefined ? {} : { alarmId: [alarm] }),
  } as const;
}

/** The period of the address, as of when it was opened: pages of a list must fit together. */
export function useHistoryPeriod({ period, from, to }: HistorySearch): Period {
  const { timeZone } = usePlantClock();
  return useMemo(() => periodOf({ period, from, to }, '24h', Date.now(), timeZone), [period, from, to, timeZone]);
}

export function useHistory(search: HistorySearch, period: Period) {
  const query = useMemo(() => historyQuery(search, period), [search, period]);
  const { read, readMore } = useReadPages({
    queryKey: ['history', query],
    queryFn: ({ pageParam }: { readonly pageParam: PagePlace }) =>
      listAlarmHistories({ ...query, limit: pageSize, ...pageParam }),
    initialPageParam: firstPlace,
    getNextPageParam: (last, _pages, place) => placeAfter(place, last),
  });
  const history = useMemo(
    () =>
      read.map((pages) => ({
        entries: withoutRepeated<AlarmHistory>(pages.flatMap(({ items }) => items)),
        total: Number(pages[0]?.paging.total),
      })),
    [read],
  );
  return { history, readMore };
}
