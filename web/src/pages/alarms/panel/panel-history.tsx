// The times an alarm was raised: when, how long each stood, who took it and how soon, and the comments.

import { Link } from '@tanstack/react-router';
import { type AlarmHistory, type FullAlarm, listAlarmHistories } from '@tocsin/client';
import type { ReactElement } from 'react';
import { ListNote } from '../../../components/list-note.tsx';
import { plainText } from '../../../components/plain-text.ts';
import { useRead } from '../../../data/lists/use-read.ts';
import { useNames } from '../../../data/names.ts';
import { usePlantClock } from '../../../data/time/plant-clock.ts';
import { dateTimeText, durationText } from '../../../words/times.ts';
import { useWords } from '../../../words/use-words.ts';
import styles from './panel-history.module.css';

const mostRows = 100;

export function PanelHistory({ alarm }: { readonly alarm: FullAlarm }): ReactElement {
  const words = useWords().month;
  const history = useRead({
    question: [alarm.id],
    queryKey: ['occurrences', alarm.id, alarm.occurrences, alarm.state],
    queryFn: () => listAlarmHistories({ alarmId: [alarm.id], sort: '-id', view: 'full', limit: mostRows }),
  });
  const rows = history.choices(({ items }) => items);
  return (
    <>
      <ListNote state={history.state} />
      <ol className={styles.history}>
        {rows.map((entry) => (
          <Occurrence key={entry.id} entry={entry} />
        ))}
      </ol>
      {rows.length === 0 ? null : (
        <p className={styles.all}>
          <Link to="/history" search={{ alarm: alarm.id, period: '30d' }}>
            {words.all}
          </Link>
        </p>
      )}
    </>
  );
}

function Occurrence({ entry }: { readonly entry: AlarmHistory }): ReactElement {
  const words = useWords();
  const clock = usePlantClock();
  const { byName } = useNames();
  const { alarmTime, ackTime, alarmDuration, ackUser = '', comment } = entry;
  const raised = Date.parse(alarmTime);
  const taken =
    ackTime === undefined
      ? undefined
      : words.month.takenBy(byName(ackUser), durationText(Date.parse(ackTime) - raised));
  return (
    <li>
      <Link to="/occurrence" search={{ id: entry.id }} className="figures">
        {dateTimeText(clock, raised)}
      </Link>
      <span className="figures">{alarmDuration ?? words.history.goesOn}</span>
      <span className={styles.taken}>
        {taken ?? words.month.notTaken}
        {comment === '' ? null : <span className={`${styles.comment} isolate`}>{plainText(comment)}</span>}
      </span>
    </li>
  );
}
