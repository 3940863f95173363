// The occurrence in four figures: when it was raised, how long it stood, who took it and how, and how many were called.

import type { AlarmHistory, CallHistory } from '@tocsin/client';
import type { ReactElement } from 'react';
import type { Read } from '../../data/lists/read.ts';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { dateText, dateTimeText, durationText, timeText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './occurrence-page.module.css';
import { takenIn } from './story.ts';

type FiguresProps = { readonly entry: AlarmHistory; readonly attempts: Read<readonly CallHistory[]> };
type Figure = readonly [name: string, value: string, more: string];

export function OccurrenceFigures({ entry, attempts }: FiguresProps): ReactElement {
  const words = useWords().occurrence;
  const clock = usePlantClock();
  const raised = Date.parse(entry.alarmTime);
  const figures = [
    [words.raised, timeText(clock, raised), dateText(clock, raised)],
    useStood(entry),
    useTaken(entry, attempts),
    useCalled(attempts),
  ] as const;
  return (
    <dl className={styles.figures}>
      {figures.map(([name, value, more]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b className="figures">{value}</b>
            <span className="figures">{more}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function useStood({ alarmTime, resetTime }: AlarmHistory): Figure {
  const words = useWords().occurrence;
  const clock = usePlantClock();
  const now = useNow();
  const raised = Date.parse(alarmTime);
  if (resetTime === undefined) return [words.standing, durationText(now - raised), words.goesOn];
  const end = Date.parse(resetTime);
  return [words.stood, durationText(end - raised), words.until(dateTimeText(clock, end))];
}

function useTaken(entry: AlarmHistory, attempts: Read<readonly CallHistory[]>): Figure {
  const words = useWords();
  const { occurrence } = words;
  const { byName } = useNames({ saysYou: false });
  const { alarmTime, ackTime, ackUser = '', resetTime } = entry;
  if (ackTime === undefined)
    return [occurrence.takenBy, resetTime === undefined ? occurrence.nobodyYet : occurrence.nobody, ''];
  const way = attempts.name((known) => {
    const attempt = takenIn(entry, known);
    return attempt && occurrence.byTry(words.timeline.channel(attempt.channel), attempt.attempt);
  }, '');
  const after = durationText(Date.parse(ackTime) - Date.parse(alarmTime));
  return [occurrence.takenBy, byName(ackUser), occurrence.after(after, way)];
}

function useCalled(attempts: Read<readonly CallHistory[]>): Figure {
  const words = useWords().occurrence;
  const made = attempts.map((known) => known.filter(({ attempt }) => attempt > 0));
  const people = made.figure((known) =>
    words.people(new Set(known.map(({ userId, user }) => `${userId} ${user}`)).size),
  );
  return [words.called, people, made.name(({ length }) => words.attempts(length), '')];
}
