// The times ahead in which nobody has the duty of a group, and how they are said.

import type { GroupSlots } from '@tocsin/client';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { soonText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { gapsOf } from './plan/blocks.ts';

type Span = { readonly from: number; readonly to: number };

const weekMs = 7 * 86_400_000;
/** How many gaps of a group are named; the rest is a number. */
const mostGaps = 2;

/** Those that begin within a week. */
export function comingGaps(group: GroupSlots, now: number): readonly Span[] {
  return gapsOf(group, now).filter(({ from }) => from < now + weekMs);
}

export function useGapTimes(): (gaps: readonly Span[]) => string {
  const words = useWords().onCall.strip;
  const clock = usePlantClock();
  const now = useNow();
  const timesOf = ({ from, to }: Span): string =>
    from <= now
      ? words.nowUntil(soonText(clock, to, now))
      : `${soonText(clock, from, now)} – ${soonText(clock, to, now)}`;
  return (gaps) => {
    const times = gaps.slice(0, mostGaps).map(timesOf).join(` ${words.and} `);
    const more = gaps.length - mostGaps;
    return more > 0 ? `${times} ${words.more(more)}` : times;
  };
}
