// Downloads what the filters give as CSV, page by page; pressing the button again stops it.

import { type AlarmHistory, listAlarmHistories } from '@tocsin/client';
import { useRef, useState } from 'react';
import { csvOf, downloadText } from '../../components/csv.ts';
import type { Read } from '../../data/lists/read.ts';
import type { Period } from '../../data/time/period.ts';
import { useWords } from '../../words/use-words.ts';
import { firstPlace, type PagePlace, placeAfter, withoutRepeated } from './history-pages.ts';
import type { HistorySearch } from './history-search.ts';
import { historyQuery } from './use-history.ts';

const pageSize = 1000;

export function useDownload(search: HistorySearch, period: Period, total: Read<number>) {
  const words = useWords();
  const [read, setRead] = useState<number>();
  const isStopped = useRef(false);
  const run = async (): Promise<void> => {
    isStopped.current = false;
    const query = historyQuery(search, period);
    const entries: AlarmHistory[] = [];
    for (let place: PagePlace | undefined = firstPlace; place !== undefined; ) {
      setRead(entries.length);
      const page: Awaited<ReturnType<typeof listAlarmHistories>> = await listAlarmHistories({
        ...query,
        limit: pageSize,
        ...place,
      });
      entries.push(...page.items);
      if (isStopped.current) return;
      place = placeAfter(place, page);
    }
    const table = tableOf(withoutRepeated(entries));
    downloadText(`history-${new Date().toISOString().slice(0, 10)}.csv`, csvOf(...table));
  };
  const toggle = (): void => {
    if (read === undefined) void run().finally(() => setRead(undefined));
    else isStopped.current = true;
  };
  const progress = read === undefined ? undefined : total.name((count) => words.alarms.reading(read, count), `${read}`);
  return { toggle, progress };
}

/** Times once as the interface gives them, in the plant's zone, and once in UTC. */
function tableOf(entries: readonly AlarmHistory[]): Parameters<typeof csvOf> {
  const head = ['id', 'tagId', 'tagName', 'message', 'priority', 'alarmTime', 'alarmTimeUtc', 'ackTime', 'resetTime'];
  const durations = ['alarmDuration', 'reactionDuration', 'interventionDuration', 'ackUser', 'comment'];
  const rows = entries.map((entry) => [
    entry.id,
    entry.tagId,
    entry.tagName,
    entry.message,
    entry.priority,
    entry.alarmTime,
    new Date(entry.alarmTime).toISOString(),
    entry.ackTime,
    entry.resetTime,
    entry.alarmDuration,
    entry.reactionDuration,
    entry.interventionDuration,
    entry.ackUser,
    entry.comment,
  ]);
  return [[...head, ...durations], rows];
}
