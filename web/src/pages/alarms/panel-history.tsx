// The earlier occurrences of an alarm: when, how long they stood, how soon they were taken.

import { useQuery } from '@tanstack/react-query';
import { type FullAlarm, listAlarmHistories } from '@tocsin/client';
import type { ReactElement } from 'react';
import { plainText } from '../../components/plain-text.ts';
import { usePlantClock } from '../../data/plant-clock.ts';
import { dateTimeText } from '../../words/times.ts';
import styles from './panel-history.module.css';

export function PanelHistory({ alarm }: { readonly alarm: FullAlarm }): ReactElement {
  const clock = usePlantClock();
  const { data } = useQuery({
    queryKey: ['occurrences', alarm.id, alarm.occurrences],
    queryFn: () => listAlarmHistories({ alarmId: [alarm.id], sort: '-id', limit: 100 }),
  });
  return (
    <ol className={styles.history}>
      {data?.items.map(({ id, alarmTime, alarmDuration, comment }) => (
        <li key={id}>
          <span className="figures">{dateTimeText(clock, Date.parse(alarmTime))}</span>
          <span className="figures">{alarmDuration ?? '—'}</span>
          <span className={styles.comment}>{plainText(comment)}</span>
        </li>
      ))}
    </ol>
  );
}
