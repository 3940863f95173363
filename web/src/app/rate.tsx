// The rate of alarms: bars of the last twelve times ten minutes, and a badge while there is a flood.

import { useQuery } from '@tanstack/react-query';
import { getAlarmSeries } from '@tocsin/client';
import type { ReactElement } from 'react';
import { floodSpanMs, inFlood } from '../data/flood.ts';
import { unknownFigure } from '../data/lists/list-state.ts';
import { countsBetween, type RaiseCounts, spread, stepAt } from '../data/raise-counts.ts';
import { useNow } from '../data/time/now.ts';
import { useLive } from '../data/use-live.ts';
import { useWords } from '../words/use-words.ts';
import banner from './banner.module.css';
import styles from './rate.module.css';

const spans = 12;

export function Rate(): ReactElement {
  const words = useWords();
  const { bars, isRead, isEstimate } = useRate();
  const latest = bars.at(-1) ?? 0;
  const highest = Math.max(1, ...bars);
  return (
    <div className={`${styles.rate} ${banner.rate}`}>
      <svg className={styles.bars} width="72" height="30" aria-hidden="true">
        {bars.map((count, index) => {
          const height = Math.max(1.5, (count / highest) * 29);
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
          return <rect key={index} x={index * 6} y={30 - height} width="4.4" height={height} rx="1" />;
        })}
      </svg>
      <span className={styles.text}>
        <span>
          <b className={`${styles.figure} figures`}>{isRead ? `${isEstimate ? '≈ ' : ''}${latest}` : unknownFigure}</b>{' '}
          {words.banner.rate}
        </span>
        {inFlood(bars).at(-1) ? (
          <span className={styles.flood}>{`${isEstimate ? '≈ ' : ''}${words.banner.flood}`}</span>
        ) : (
          <span className={styles.normal}>
            {isRead ? `${isEstimate ? '≈ ' : ''}${words.banner.normal}` : words.lists.unknown}
          </span>
        )}
      </span>
    </div>
  );
}

type RateOfAlarms = {
  readonly bars: readonly number[];
  readonly isRead: boolean;
  /** Whether part of the last ten minutes was counted by the server, which does not say when in them. */
  readonly isEstimate: boolean;
};

/** The numbers of the last twelve times ten minutes up to now: first those the server counted, then what came since. */
function useRate(): RateOfAlarms {
  const now = stepAt(useNow());
  const { raises } = useLive();
  const { data: earlier } = useQuery({
    queryKey: ['raises'],
    queryFn: readEarlier,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const bars = Array.from({ length: spans }, (_, index) => {
    const to = now + 1 - (spans - 1 - index) * floodSpanMs;
    const from = to - floodSpanMs;
    const before = earlier === undefined ? 0 : countsBetween(earlier.counts, from, to);
    return before + countsBetween(raises, Math.max(from, earlier?.to ?? 0), to);
  });
  const isEstimate = earlier !== undefined && earlier.to > now - floodSpanMs;
  return { bars, isRead: earlier !== undefined, isEstimate };
}

/** The server counts whole tens of minutes; within one the alarms are taken to have come evenly. */
async function readEarlier(): Promise<{ readonly to: number; readonly counts: RaiseCounts }> {
  const to = stepAt(Date.now());
  const $from = new Date(to - spans * floodSpanMs).toISOString();
  const { items } = await getAlarmSeries({ every: '10m', $from, to: new Date(to).toISOString() });
  const counted = items.map(({ time, number }) => {
    const from = Date.parse(time);
    return { from, to: Math.min(to, from + floodSpanMs), count: number };
  });
  return { to, counts: spread(counted) };
}
