// The rate of alarms: bars of the last twelve times ten minutes, and a badge from ten in ten minutes on.

import { useQuery } from '@tanstack/react-query';
import { listAlarmHistories } from '@tocsin/client';
import type { ReactElement } from 'react';
import { useNow } from '../data/now.ts';
import { useLive } from '../data/use-live.ts';
import { useWords } from '../words/use-words.ts';
import styles from './rate.module.css';

const spanMs = 600_000;
const spans = 12;
const floodFrom = 10;

export function Rate(): ReactElement {
  const words = useWords();
  const now = useNow();
  const { raises } = useLive();
  const { data: earlier = [], dataUpdatedAt } = useQuery({
    queryKey: ['raises'],
    queryFn: readRaises,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const all = [...earlier, ...raises.filter((at) => at > dataUpdatedAt)];
  const bars = Array.from({ length: spans }, (_, index) => {
    const to = now - (spans - 1 - index) * spanMs;
    return all.filter((at) => at > to - spanMs && at <= to).length;
  });
  const latest = bars.at(-1) ?? 0;
  const highest = Math.max(1, ...bars);
  return (
    <div className={styles.rate}>
      <svg className={styles.bars} width="72" height="30" aria-hidden="true">
        {bars.map((count, index) => {
          const height = Math.max(1.5, (count / highest) * 29);
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
          return <rect key={index} x={index * 6} y={30 - height} width="4.4" height={height} rx="1" />;
        })}
      </svg>
      <span className={styles.text}>
        <span>
          <b className={`${styles.figure} figures`}>{latest}</b> {words.banner.rate}
        </span>
        {latest >= floodFrom ? (
          <span className={styles.flood}>{words.banner.flood}</span>
        ) : (
          <span className={styles.normal}>{words.banner.normal}</span>
        )}
      </span>
    </div>
  );
}

async function readRaises(): Promise<readonly number[]> {
  const from = new Date(Date.now() - spans * spanMs).toISOString();
  const { items } = await listAlarmHistories({ $from: from, sort: '-id', limit: 1000 });
  return items.map(({ alarmTime }) => Date.parse(alarmTime));
}
