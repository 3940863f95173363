// Takes the colour from what is shown while nothing comes from the server, so that it looks broken and not calm; and says in
// the title of the page what must be seen from another tab.

import type { ReactElement, ReactNode } from 'react';
import { useEffect, useMemo } from 'react';
import { useAlarmViews } from '../data/alarm-views.tsx';
import { failureOf, hasFigures } from '../data/lists/list-state.ts';
import { useLinkHealth, useLive, useTroubles } from '../data/use-live.ts';
import { useWords } from '../words/use-words.ts';

export function StaleFrame({ children }: { readonly children: ReactNode }): ReactElement {
  const { isStale } = useLinkHealth();
  const title = useTitle();
  useEffect(() => {
    document.title = title;
  }, [title]);
  return <div data-stale={isStale ? '' : undefined}>{children}</div>;
}

/** `⚠ No news · P1: 2 · Tocsin`: warnings, then how many alarms of priority 1 nobody has acknowledged. */
function useTitle(): string {
  const words = useWords();
  const troubles = useTroubles();
  const { alarmList } = useLive();
  const alarms = useAlarmViews();
  // The title is made anew each second, and the alarms are many.
  const urgent = useMemo(
    () => alarms.filter(({ hue, state, masked }) => hue === 'p1' && !masked && (state & 2) !== 0).length,
    [alarms],
  );
  // Of a list that was never read whole, those that are known are the least there are.
  const count = `${urgent}${hasFigures(alarmList) ? '' : '+'}`;
  return [
    ...troubles.map(({ kind }) => words.trouble.tab[kind]),
    ...(failureOf(alarmList) === undefined ? [] : [words.lists.tab]),
    ...(urgent === 0 ? [] : [`P1: ${count}`]),
    'Tocsin',
  ].join(' · ');
}
