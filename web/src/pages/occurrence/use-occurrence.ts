// What is known of one occurrence: its entry, its events, the attempts for it, and why others were not called.

import { useQueryClient } from '@tanstack/react-query';
import {
  type AlarmHistory,
  explainAlarm,
  getAlarm,
  getAlarmHistory,
  getOccurrenceTimeline,
  HttpError,
  listCallHistories,
} from '@tocsin/client';
import { useEffect, useRef } from 'react';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { useCallVersion } from '../../data/lists/use-call-version.ts';
import { useRead } from '../../data/lists/use-read.ts';
import { readAll } from '../../data/read-all.ts';

const key = 'occurrence';

export function useEntry(id: number) {
  const entry = useRead({ queryKey: [key, id], queryFn: () => getAlarmHistory(id) });
  useFollow(id, entry.when({ known: ({ tagId }) => tagId, unread: () => undefined }));
  return entry;
}

/** Reads everything again when the alarm or a call for it changes. */
function useFollow(id: number, tagId: number | undefined): void {
  const queries = useQueryClient();
  const alarm = useAlarmViews().find((one) => one.id === tagId);
  const version = `${alarm?.lastChange} ${useCallVersion(tagId)}`;
  const read = useRef(version);
  useEffect(() => {
    if (read.current === version) return;
    read.current = version;
    void queries.invalidateQueries({ queryKey: [key, id] });
  }, [queries, id, version]);
}

export function useEvents(id: number) {
  return useRead({ queryKey: [key, id, 'events'], queryFn: () => getOccurrenceTimeline(id) });
}

export function useAttempts(id: number) {
  const read = () => readAll((page) => listCallHistories({ occurrenceId: id, sort: '+id', ...page }));
  return useRead({ queryKey: [key, id, 'attempts'], queryFn: read });
}

/** Returns null for an alarm that was removed: nothing is left that says whom it calls, or what to do. */
function unlessRemoved<T>(read: Promise<T>): Promise<T | null> {
  return read.catch((error) => {
    if (error instanceof HttpError && error.status === 404) return null;
    throw error;
  });
}

export function useAlarmNow({ id, tagId }: AlarmHistory) {
  return useRead({ queryKey: [key, id, 'alarm'], queryFn: () => unlessRemoved(getAlarm(tagId)) });
}

/** Whom the alarm calls that is raised at the same time, by what is in force now: nothing else is kept. */
export function useExplanation({ id, tagId, alarmTime }: AlarmHistory) {
  const read = () => unlessRemoved(explainAlarm(tagId, { at: alarmTime }));
  return useRead({ queryKey: [key, id, 'explanation'], queryFn: read });
}
