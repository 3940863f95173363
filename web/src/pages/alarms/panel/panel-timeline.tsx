// One line of time through "now": who is called next above it, what happened below it.

import { useQuery } from '@tanstack/react-query';
import { explainAlarm, type FullAlarm, getAlarmTimeline } from '@tocsin/client';
import type { ReactElement } from 'react';
import { plainText } from '../../../components/plain-text.ts';
import { Line } from '../../../components/timeline/line.tsx';
import { notCalledOf } from '../../../components/timeline/not-called.ts';
import { useCallGroups } from '../../../data/directory.ts';
import { hasFigures } from '../../../data/lists/list-state.ts';
import { refetchEvery } from '../../../data/lists/query-failures.ts';
import { useCallVersion } from '../../../data/lists/use-call-version.ts';
import { useNames } from '../../../data/names.ts';
import { useNow } from '../../../data/time/now.ts';
import { usePlantClock } from '../../../data/time/plant-clock.ts';
import { useLive } from '../../../data/use-live.ts';
import { momentText } from '../../../words/times.ts';
import { useWords } from '../../../words/use-words.ts';
import styles from './panel-timeline.module.css';
import { timelineOf } from './timeline-lines.ts';

const explainEveryMs = 30_000;

export function PanelTimeline({ alarm }: { readonly alarm: FullAlarm }): ReactElement {
  const words = useWords();
  const names = useNames();
  const groups = useCallGroups().data;
  const now = useNow();
  const clock = usePlantClock();
  const version = useCallVersion(alarm.id);
  const { callList } = useLive();
  const explanation = useQuery({
    queryKey: ['explain', alarm.id, alarm.lastChange, version],
    queryFn: () => explainAlarm(alarm.id),
    refetchInterval: refetchEvery(explainEveryMs),
    placeholderData: (before) => before,
  });
  const events = useQuery({
    queryKey: ['timeline', alarm.id, alarm.lastChange, version],
    queryFn: () => getAlarmTimeline(alarm.id),
    placeholderData: (before) => before,
  });
  const groupName = (id: number | undefined): string => groups?.get(id ?? 0)?.name ?? words.calling.lastResort;
  const isCalled = version !== '';
  const { ahead, past } = timelineOf(explanation.data, isCalled, events.data ?? [], now, { words, names, groupName });
  const isNobodyCalled =
    hasFigures(callList) && explanation.data !== undefined && alarm.state === 3 && !alarm.masked && ahead.length === 0;
  const notCalled = isCalled && explanation.data !== undefined ? notCalledOf(explanation.data, names) : [];
  const failed = [explanation, events].find(({ data, error }) => data === undefined && error !== null);
  return (
    <ol className={styles.timeline}>
      {failed === undefined ? null : <li className={styles.nobody}>{words.lists.failed}</li>}
      {isNobodyCalled ? <li className={styles.nobody}>{words.panel.nobodyCalled}</li> : null}
      {explanation.data?.inert.map(({ type, id, reason }) => (
        <li key={`${type}-${id}-${reason}`} className={styles.nobody}>
          {plainText(reason)}
        </li>
      ))}
      {ahead.map((line) => (
        <Line key={line.key} line={line} time={momentText(clock, line.at, now)} isAhead />
      ))}
      {notCalled.length === 0 ? null : (
        <li className={styles.notCalled}>
          {words.panel.notCalled}: {plainText(notCalled.join(' · '))}
        </li>
      )}
      <li className={styles.now}>
        <span>{words.panel.now}</span>
      </li>
      {past.map((line) => (
        <Line key={line.key} line={line} time={momentText(clock, line.at, now)} />
      ))}
    </ol>
  );
}
