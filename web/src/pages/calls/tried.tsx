// What was tried: the newest attempts with their outcomes; delivered, call confirmed and alarm acknowledged are apart.

import { listCallHistories } from '@tocsin/client';
import type { ReactElement } from 'react';
import { AttemptTable } from '../../components/attempts/attempt-table.tsx';
import { ListNote } from '../../components/list-note.tsx';
import { outcomeOf } from '../../data/attempt-outcome.ts';
import { useRead } from '../../data/lists/use-read.ts';
import { useNow } from '../../data/time/now.ts';
import type { Period } from '../../data/time/period.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { startOfDay } from '../../data/time/zone-time.ts';
import { useLive } from '../../data/use-live.ts';
import { useWords } from '../../words/use-words.ts';
import type { CallsSearch, Since } from './calls-search.ts';
import styles from './tried.module.css';
import { TriedFilters } from './tried-filters.tsx';

const shown = 200;
const hourMs = 3_600_000;
const lengths: Readonly<Record<Since, number>> = { '3h': 3 * hourMs, '7d': 7 * 24 * hourMs, '30d': 30 * 24 * hourMs };

/** What is shown: a period of one's own, or up to now since a time that moves with each minute. */
function useTriedPeriod({ since, from, to }: CallsSearch): Period {
  const { timeZone } = usePlantClock();
  const minute = Math.floor(useNow() / 60_000) * 60_000;
  if (from !== undefined && to !== undefined) return { from: Date.parse(from), to: Date.parse(to) };
  return { from: since === undefined ? startOfDay(minute, timeZone) : minute - lengths[since], to: minute + 60_000 };
}

/** The attempts of the filter, read again whenever a call changes. */
function useAttempts({ person, group, since, from, to }: CallsSearch, period: Period) {
  const { callsVersion } = useLive();
  const end = to === undefined ? undefined : period.to;
  return useRead({
    queryKey: ['tried', callsVersion, person, group, period.from, end],
    question: [person, group, since, from, to],
    queryFn: () =>
      listCallHistories({
        sort: '-id',
        limit: shown,
        $from: new Date(period.from).toISOString(),
        ...(end === undefined ? {} : { to: new Date(end).toISOString() }),
        ...(person === undefined ? {} : { userId: person }),
        ...(group === undefined ? {} : { callGroupId: group }),
      }),
  });
}

type TriedProps = { readonly search: CallsSearch; readonly change: (search: CallsSearch) => void };

export function Tried({ search, change }: TriedProps): ReactElement {
  const words = useWords().calls;
  const period = useTriedPeriod(search);
  const attempts = useAttempts(search, period).map(({ items }) =>
    items.filter((one) => search.outcome === undefined || outcomeOf(one) === search.outcome),
  );
  return (
    <div className={styles.tried}>
      <header className={styles.head}>
        <h2>{words.tried}</h2>
        <TriedFilters search={search} change={change} period={period} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={words.tried}>
        {attempts.when({
          unread: (state) => <ListNote state={state} />,
          known: (all) =>
            all.length === 0 ? (
              <p className={styles.none}>{words.nothingTried}</p>
            ) : (
              <AttemptTable attempts={all} withCause />
            ),
        })}
      </section>
    </div>
  );
}
