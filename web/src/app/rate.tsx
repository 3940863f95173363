// The rate of alarms: bars of the last twelve times ten minutes, and a badge while there is a flood.

import { getAlarmSeries } from '@tocsin/client';
import type { ReactElement } from 'react';
import { floodSpanMs, inFlood } from '../data/flood.ts';
import type { Read } from '../data/lists/read.ts';
import { useRead } from '../data/lists/use-read.ts';
import { countsBetween, type RaiseCounts, spread, stepAt } from '../data/raise-counts.ts';
import { useNow } from '../data/time/now.ts';
import { useLive } from '../data/use-live.ts';
import { useWords } from '../words/use-words.ts';
import banner from './banner.module.css';
import styles from './rate.module.css';

const spans = 12;

export function Rate(): ReactElement {
  const words = useWords();
  const { bars, rate } = useRate();
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
          <b className={`${styles.figure} figures`}>
            {rate.figure(({ latest, isEstimate }) => `${isEstimate ? '≈ ' : ''}${latest}`)}
          </b>{' '}
          {words.banner.rate}
        </span>
        {inFlood(bars).at(-1) ? (
          <span className={styles.flood}>{rate.name(saying(words.banner.flood), words.banner.flood)}</span>
        ) : (
          <span className={styles.normal}>{rate.name(saying(words.banner.normal), words.lists.unknown)}</span>
        )}
      </span>
    </div>
  );
}

/** A word about the rate, marked where the rate is an estimate. */
const saying =
  (word: string) =>
  ({ isEstimate }: { readonly isEstimate: boolean }): string =>
    `${isEstimate ? '≈ ' : ''}${word}`;

type RateOfAlarms = {
  /** Before the earlier ones were read, only what came since. */
  readonly bars: readonly number[];
  /** `isEstimate`: part of the last ten minutes was counted by the server, which does not say when in them. */
  readonly rate: Read<{ readonly latest: number; readonly isEstimate: boolean }>;
};

/** The numbers of the last twelve times ten minutes up to now: first those the server counted, then what came since. */
function useRate(): RateOfAlarms {
  const now = stepAt(useNow());
  const { raises } = useLive();
  const earlier = useRead({
    queryKey: ['raises'],
    queryFn: readEarlier,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const bars = Array.from({ length: spans }, (_, index) => {
    const to = now + 1 - (spans - 1 - index) * floodSpanMs;
    const from = to - floodSpanMs;
    return earlier.when({
      known: (read) => countsBetween(read.counts, from, to) + countsBetween(raises, Math.max(from, read.to), to),
      unread: () => countsBetween(raises, from, to),
    });
  });
  const rate = earlier.map((read) => ({ latest: Number(bars.at(-1)), isEstimate: read.to > now - floodSpanMs }));
  return { bars, rate };
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
