// The statistics: six figures, alarms over time, and lists of what was most frequent, stood longest, and who took it.

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { Mark } from '../../components/mark.tsx';
import { useSite } from '../../data/directory.ts';
import { unknownFigure } from '../../data/lists/list-state.ts';
import { mayPass } from '../../data/lists/query-failures.ts';
import { reasonOf } from '../../data/server.ts';
import { searchOf } from '../../data/time/period.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { dateTimeText, rangeText, zoneText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { Figures } from './figures.tsx';
import { Lists } from './lists.tsx';
import type { Bar, BarLength } from './series.ts';
import { priorityTotals, total } from './series.ts';
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
  const { data, error } = useBars(asked);
  const bars = data?.bars ?? [];
  return (
    <div className={styles.page}>
      <PrintHead asked={asked} />
      <StatisticsToolbar {...{ asked, search, change, bars }} />
      {error === null || mayPass(error) ? null : <p className={styles.refused}>{reasonOf(error)}</p>}
      {search.tab === 'alarms' ? <AlarmsTable {...{ asked, search, change }} /> : null}
      {search.tab === 'people' ? <PeopleTable asked={asked} /> : null}
      {search.tab === undefined ? (
        <Overview {...{ asked, search, change, bars, error }} length={data?.length} alarms={data && total(bars)} />
      ) : null}
    </div>
  );
}

/** What a sheet of paper must say itself: whose figures these are, of what time, in which zone, and when it was printed. */
function PrintHead({ asked: { period } }: { readonly asked: Asked }): ReactElement {
  const words = useWords().statistics;
  const clock = usePlantClock();
  const name = useSite().data?.name;
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
  readonly bars: readonly Bar[];
  /** Undefined until the bars are read. */
  readonly length: BarLength | undefined;
  readonly alarms: number | undefined;
  /** Why the bars could not be read. */
  readonly error: unknown;
};

function Overview(props: OverviewProps): ReactElement {
  const { asked, search, alarms } = props;
  const before = useBefore(asked, search.compare !== 0);
  const rush = useRush(asked);
  const floods = useFloods(asked, rush?.floods) ?? [];
  return (
    <>
      <Figures {...{ asked, search, alarms, before, rush }} />
      <ChartCard {...props} before={before} floods={floods} />
      <Lists {...{ asked, alarms, search }} />
    </>
  );
}

type ChartCardProps = OverviewProps & {
  readonly before: readonly { readonly alarms: number }[] | undefined;
  readonly floods: readonly ToldFlood[];
};

function ChartCard({ asked, search, change, bars, length, error, before, floods }: ChartCardProps): ReactElement {
  const words = useWords();
  const navigate = useNavigate();
  const title = words.statistics.chart[length ?? '1h'];
  const isTable = search.table === 1;
  return (
    <section className={styles.card} aria-label={title} aria-busy={length === undefined}>
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
          {priorityTotals(bars).map((count, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a total is that of its priority
            <li key={index}>
              <Mark priority={index + 1} state={1} masked={false} system={false} size={16} isFilled isDecorative />
              <span className="unseen">{words.mark.priority(index + 1)}: </span>
              <span className="figures">{length === undefined ? unknownFigure : count}</span>
            </li>
          ))}
        </ul>
      </header>
      {length === undefined ? (
        <div className={styles.empty}>
          <ListNote isRead={false} error={error} />
        </div>
      ) : null}
      {length !== undefined && isTable ? <BarsTable bars={bars} length={length} /> : null}
      {length !== undefined && !isTable ? (
        <SeriesChart
          {...{ bars, length, before, floods }}
          onOpen={(period) => void navigate({ to: '/history', search: { ...searchOf(period), ...asked.filter } })}
          onPeriod={(period) => change({ ...search, period: undefined, ...searchOf(period) })}
        />
      ) : null}
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
