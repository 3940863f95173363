// The last 30 days of an alarm: a bar for each time it was raised, as high as it stood long, and the means in words.

import { Link } from '@tanstack/react-router';
import { type AlarmHistory, type FullAlarm, listAlarmHistories } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { ListNote } from '../../../components/list-note.tsx';
import { hueOf } from '../../../components/mark.tsx';
import { useWidth } from '../../../components/use-width.ts';
import { useRead } from '../../../data/lists/use-read.ts';
import { usePlantClock } from '../../../data/time/plant-clock.ts';
import { daysLater, startOfDay } from '../../../data/time/zone-time.ts';
import { dayText, durationText } from '../../../words/times.ts';
import { useWords } from '../../../words/use-words.ts';
import { monthMeans } from './month-means.ts';
import styles from './panel-month.module.css';

const days = 30;
const height = 30;
/** The server is asked for so many at most; more bars would not be told apart. */
const mostBars = 500;

export function PanelMonth({ alarm }: { readonly alarm: FullAlarm }): ReactElement {
  const words = useWords().month;
  const { timeZone } = usePlantClock();
  const [now] = useState(Date.now);
  const from = daysLater(startOfDay(now, timeZone), 1 - days, timeZone);
  const month = useRead({
    question: [alarm.id],
    queryKey: ['month', alarm.id, alarm.occurrences, alarm.state, from],
    queryFn: () =>
      listAlarmHistories({ alarmId: [alarm.id], $from: new Date(from).toISOString(), sort: '-id', limit: mostBars }),
  });
  const facts = month.map(({ items, paging }) => {
    const { stoodMs, takenMs } = monthMeans(items);
    return [
      words.before(Math.max(0, paging.total - 1)),
      ...(stoodMs === undefined ? [] : [words.stood(durationText(stoodMs))]),
      ...(takenMs === undefined ? [] : [words.taken(durationText(takenMs))]),
    ].join(' · ');
  });
  return (
    <section className={styles.month} aria-label={words.title}>
      <p className={styles.head}>
        <Link to="/history" search={{ alarm: alarm.id, period: '30d' }}>
          {words.title}
        </Link>{' '}
        <span>{facts.figure((text) => text)}</span>
      </p>
      {month.when({
        unread: (state) => <ListNote state={state} />,
        known: ({ items }) => <Bars entries={items} from={from} now={now} hue={hueOf(alarm)} />,
      })}
    </section>
  );
}

type BarsProps = {
  readonly entries: readonly AlarmHistory[];
  readonly from: number;
  readonly now: number;
  readonly hue: ReturnType<typeof hueOf>;
};

/** Heights are square roots, so that minutes can be seen beside hours. */
function Bars({ entries, from, now, hue }: BarsProps): ReactElement {
  const words = useWords().month;
  const clock = usePlantClock();
  const { ref, width } = useWidth<HTMLDivElement>();
  const today = startOfDay(now, clock.timeZone);
  const to = daysLater(today, 1, clock.timeZone);
  const x = (at: number): number => ((at - from) / (to - from)) * Math.max(0, width - 3);
  const stood = ({ alarmTime, resetTime }: AlarmHistory): number =>
    Math.sqrt(Math.max(0, (resetTime === undefined ? now : Date.parse(resetTime)) - Date.parse(alarmTime)));
  const longest = Math.max(1, ...entries.map(stood));
  const dates = [0, 7, 14, 21].map((day) => daysLater(from, day, clock.timeZone));
  return (
    <div ref={ref}>
      <svg className={styles.bars} width={width} height={height + 18} aria-hidden="true">
        <line x1="0" x2={width} y1={height} y2={height} />
        {Array.from({ length: days + 1 }, (_, day) => x(daysLater(from, day, clock.timeZone))).map((at) => (
          <line key={at} x1={at} x2={at} y1={height} y2={height + 3} />
        ))}
        {entries.map((entry) => {
          const at = Date.parse(entry.alarmTime);
          const tall = Math.max(3, (stood(entry) / longest) * (height - 4));
          const look = at >= today ? styles[hue] : styles.plain;
          return <rect key={entry.id} className={look} x={x(at)} y={height - tall} width="3" height={tall} rx="1" />;
        })}
        {dates.map((date) => (
          <text key={date} x={x(date)} y={height + 15}>
            {dayText(clock, date)}
          </text>
        ))}
        <text x={width} y={height + 15} textAnchor="end">
          {words.today}
        </text>
      </svg>
    </div>
  );
}
