// The statistics: six figures, alarms over time, and lists of what was most frequent, stood longest, and who took it.

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { Mark } from '../../components/mark.tsx';
import { useSite } from '../../data/directory.ts';
import type { Read } from '../../data/lists/read.ts';
import { searchOf } from '../../data/time/period.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { dateTimeText, rangeText, zoneText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { Figures } from './figures.tsx';
import { Lists } from './lists.tsx';
import { type Bars, priorityTotals, total } from './series.ts';
import { SeriesChart } from './series-chart.tsx';
import styles from './statistics-page.module.css';
import type { StatisticsSearch } from './statistics-search.ts';
import { StatisticsToolbar } from './statistics-toolbar.tsx';
import { AlarmsTable, BarsTable, PeopleTable } from './tables.tsx';
import { useFloodTexts } from './texts.ts';
import { type Asked, type ToldFlood, useAsked, useBars, useBefore, useFloods, useRush } from './use-statistics.ts';

const route = getRouteApi('/statistics');

export function StatisticsPage(): ReactElement {
  const asked = useAsked(route.useSearch());
  return asked === undefined ? <div className={styles.page} aria-busy /> : <Loaded asked={asked} />;
}

type Change = (search: StatisticsSearch) => void;

function Loaded({ asked }: { readonly asked: Asked }): ReactElement {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change: Change = (next) => void navigate({ to: '/statistics', search: next });
  const bars = useBars(asked);
  return (
    <div className={styles.page}>
      <PrintHead asked={asked} />
      <StatisticsToolbar {...{ asked, search, change, bars }} />
      {search.tab === 'alarms' ? <AlarmsTable {...{ asked, search, change }} /> : null}
      {search.tab === 'people' ? <PeopleTable asked={asked} /> : null}
      {search.tab === undefined ? <Overview {...{ asked, search, change, bars }} /> : null}
    </div>
  );
}

/** What a sheet of paper must say itself: whose figures these are, of what time, in which zone, and when it was printed. */
function PrintHead({ asked: { period } }: { readonly asked: Asked }): ReactElement {
  const words = useWords().statistics;
  const clock = usePlantClock();
  const name = useSite().name((site) => site.name, '');
  const now = Date.now();
  return (
    <div className={styles.printHead}>
      <p className={styles.plant}>{name || location.host}</p>
      <p>
        {words.title} · {rangeText(clock, period.from, period.to)} · {zoneText(clock, period.to)} ({clock.timeZone})
      </p>
      <p>{words.printed(dateTimeText(clock, now))}</p>
    </div>
  );
}

type OverviewProps = {
  readonly asked: Asked;
  readonly search: StatisticsSearch;
  readonly change: Change;
  readonly bars: Read<Bars>;
};

function Overview(props: OverviewProps): ReactElement {
  const { asked, search, bars } = props;
  const alarms = bars.map((known) => total(known.bars));
  const before = useBefore(asked, search.compare !== 0);
  const rush = useRush(asked);
  const floods = useFloods(asked, rush);
  return (
    <>
      <Figures {...{ asked, search, alarms, before, rush }} />
      <ChartCard {...props} before={before} floods={floods} />
      <Lists {...{ asked, alarms, search }} />
    </>
  );
}

type ChartCardProps = OverviewProps & {
  /** Undefined: not compared. */
  readonly before: Read<readonly { readonly alarms: number }[]> | undefined;
  readonly floods: readonly ToldFlood[];
};

function ChartCard({ asked, search, change, bars, before, floods }: ChartCardProps): ReactElement {
  const words = useWords();
  const navigate = useNavigate();
  const title = words.statistics.chart[bars.when({ known: ({ length }) => length, unread: () => '1h' as const })];
  const isTable = search.table === 1;
  return (
    <section className={styles.card} aria-label={title} aria-busy={!bars.isKnown()}>
      <header className={styles.cardHead}>
        <h2>{title}</h2>
        <button
          type="button"
          className={styles.link}
          onClick={() => change({ ...search, table: isTable ? undefined : 1 })}
        >
          {isTable ? words.statistics.asChart : words.statistics.asTable}
        </button>
        <ul className={styles.totals}>
          {[0, 1, 2, 3].map((index) => (
            <li key={index}>
              <Mark priority={index + 1} state={1} masked={false} system={false} size={16} isFilled isDecorative />
              <span className="unseen">{words.mark.priority(index + 1)}: </span>
              <span className="figures">{bars.figure((known) => priorityTotals(known.bars)[index] ?? '')}</span>
            </li>
          ))}
        </ul>
      </header>
      {bars.when({
        unread: (state) => (
          <div className={styles.empty}>
            <ListNote state={state} />
          </div>
        ),
        known: (known) =>
          isTable ? (
            <BarsTable {...known} />
          ) : (
            <SeriesChart
              {...known}
              before={before?.when({ known: (earlier) => earlier, unread: () => undefined })}
              floods={floods}
              onOpen={(period) => void navigate({ to: '/history', search: { ...searchOf(period), ...asked.filter } })}
              onPeriod={(period) => change({ ...search, period: undefined, ...searchOf(period) })}
            />
          ),
      })}
      <FloodList floods={floods} />
    </section>
  );
}

/** The floods as sentences: below the chart on a phone, where it has no room for them, and for those who hear the page. */
function FloodList({ floods }: { readonly floods: readonly ToldFlood[] }): ReactElement | null {
  const textsOf = useFloodTexts();
  if (floods.length === 0) return null;
  return (
    <ul className={styles.floods}>
      {floods.map((flood) => {
        const [title, what] = textsOf(flood);
        return (
          <li key={flood.from}>
            <b>{title}</b> {what}
          </li>
        );
      })}
    </ul>
  );
}
