// The three lists of the overview: the most frequent alarms, those that stood longest, and people.

import { Link } from '@tanstack/react-router';
import type { AlarmIntervention, AlarmStatistic } from '@tocsin/client';
import type { ReactElement, ReactNode } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { Mark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import type { Read } from '../../data/lists/read.ts';
import { fewestForMean } from '../../data/time/mean.ts';
import { searchOf } from '../../data/time/period.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './lists.module.css';
import { useAreNamesShown, usePersonName } from './names-setting.ts';
import type { StatisticsSearch } from './statistics-search.ts';
import { durationMs, sharesSoFar } from './summaries.ts';
import { type Asked, useFrequent, useLongest, usePeople } from './use-statistics.ts';

type ListsProps = {
  readonly asked: Asked;
  readonly alarms: Read<number>;
  readonly search: StatisticsSearch;
};

export function Lists(props: ListsProps): ReactElement {
  return (
    <div className={styles.lists}>
      <Frequent {...props} />
      <Longest {...props} />
      <People {...props} />
    </div>
  );
}

type CardProps = {
  readonly title: string;
  readonly means: ReactNode;
  readonly search: StatisticsSearch;
  readonly tab: Pick<StatisticsSearch, 'tab' | 'order'>;
  readonly children: ReactNode;
};

function Card({ title, means, search, tab, children }: CardProps): ReactElement {
  const words = useWords().statistics;
  return (
    <section className={styles.card} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className={styles.means}>{means}</span>
        <Link className={styles.table ?? ''} to="/statistics" search={{ ...search, ...tab }}>
          {words.asTable}
        </Link>
      </header>
      {children}
    </section>
  );
}

export function textOf({ message, tagName }: Pick<AlarmStatistic, 'message' | 'tagName'>): string {
  return plainText(message === '' ? tagName : message);
}

/** The occurrences of an alarm in the period, in the history. */
export function historySearch({ period, filter }: Asked, more: { readonly alarm?: number; readonly user?: number }) {
  return { ...searchOf(period), ...filter, ...more };
}

function RowMark({ row: { priority, system = false } }: { readonly row: AlarmStatistic }): ReactElement {
  return <Mark priority={priority} state={1} masked={false} system={system} size={18} isDecorative />;
}

/** A bar of some share of the width. */
function ShareBar({ of, look }: { readonly of: number; readonly look: string | undefined }): ReactElement {
  return (
    <svg className={styles.bar} width="100%" height="100%" aria-hidden="true">
      <rect className={look} width={`${Math.max(1, of * 100)}%`} height="100%" rx="2.5" />
    </svg>
  );
}

function Frequent({ asked, alarms, search }: ListsProps): ReactElement {
  const words = useWords().statistics;
  const frequent = useFrequent(asked).map(({ items }) => items);
  const rows = frequent.choices((items) => items);
  const most = rows[0]?.failureNumber ?? 1;
  const shares = alarms.map((total) =>
    sharesSoFar(
      rows.map(({ failureNumber }) => failureNumber),
      total,
    ),
  );
  return (
    <Card title={words.frequent} means={words.frequentMeans} search={search} tab={{ tab: 'alarms', order: undefined }}>
      <ListNote state={frequent.state} />
      {frequent.isKnown(({ length }) => length === 0) ? <p className={styles.none}>{words.none}</p> : null}
      <ol className={styles.rows}>
        {rows.map((row, index) => (
          <li key={row.id}>
            <Link to="/history" search={historySearch(asked, { alarm: row.id })} className={styles.frequent ?? ''}>
              <RowMark row={row} />
              <span className={`${styles.text} isolate`} title={textOf(row)}>
                {textOf(row)}
              </span>
              <ShareBar of={row.failureNumber / most} look={styles.plain} />
              <b className="figures">{row.failureNumber}</b>
              <span className={`${styles.share} figures`}>{shares.figure((known) => known[index] ?? '')} %</span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Longest({ asked, search }: ListsProps): ReactElement {
  const words = useWords().statistics;
  const longest = useLongest(asked);
  const rows = longest.choices((items) => items);
  const most = Math.max(1, durationMs(rows[0]?.failureTotalTime ?? ''));
  return (
    <Card title={words.longest} means={words.longestMeans} search={search} tab={{ tab: 'alarms', order: 'time' }}>
      <ListNote state={longest.state} />
      {longest.isKnown(({ length }) => length === 0) ? <p className={styles.none}>{words.none}</p> : null}
      <ol className={styles.rows}>
        {rows.map((row) => (
          <li key={row.id}>
            <Link to="/history" search={historySearch(asked, { alarm: row.id })} className={styles.longest ?? ''}>
              <RowMark row={row} />
              <span className={`${styles.text} isolate`} title={textOf(row)}>
                {textOf(row)}
              </span>
              <b className="figures">{row.failureTotalTime}</b>
              <span className={styles.track}>
                <ShareBar of={durationMs(row.failureTotalTime) / most} look={styles.strong} />
              </span>
              <span className={styles.times}>{words.times(row.failureNumber)}</span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}

const shownPeople = 5;

function People({ asked, search }: ListsProps): ReactElement {
  const words = useWords().statistics;
  const people = usePeople(asked);
  const rows = people.choices((all) => all.slice(0, shownPeople));
  const longest = Math.max(
    1,
    ...rows.flatMap((row) => [durationMs(row.reactionMeanTime), durationMs(row.interventionMeanTime)]),
  );
  const means = (
    <>
      <span className={styles.reactionKey} /> {words.reactionTime} <span className={styles.interventionKey} />{' '}
      {words.interventionTime}
    </>
  );
  return (
    <Card title={words.people} means={means} search={search} tab={{ tab: 'people' }}>
      <ListNote state={people.state} />
      {people.isKnown(({ length }) => length === 0) ? <p className={styles.none}>{words.nobody}</p> : null}
      <ol className={styles.rows}>
        {rows.map((row, index) => (
          <li key={row.id}>
            <PersonRow {...{ asked, row, index, longest }} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

type PersonProps = {
  readonly asked: Asked;
  readonly row: AlarmIntervention;
  readonly index: number;
  readonly longest: number;
};

function PersonRow({ asked, row, index, longest }: PersonProps): ReactElement {
  const words = useWords().statistics;
  const name = usePersonName()(row, index);
  const areNamesShown = useAreNamesShown();
  const isEnough = row.interventionNumber >= fewestForMean;
  const times = [
    [words.reactionTime, row.reactionMeanTime, styles.strong],
    [words.interventionTime, row.interventionMeanTime, styles.faint],
  ] as const;
  const content = (
    <>
      <span className={styles.avatar} aria-hidden="true">
        {name.slice(0, 1).toUpperCase()}
      </span>
      <span className={`${styles.text} isolate`}>{name}</span>
      <span className={`${styles.share} figures`}>{row.interventionNumber}×</span>
      {isEnough ? (
        <span className={styles.durations}>
          {times.map(([what, text, look]) => (
            <span key={what} className={styles.duration}>
              <ShareBar of={durationMs(text) / longest} look={look} />
              <span className="figures" title={what}>
                {text.replace(/^00:/, '')}
              </span>
            </span>
          ))}
        </span>
      ) : (
        <span className={styles.times}>{words.tooFew}</span>
      )}
    </>
  );
  // Without names nothing leads to a person either.
  return areNamesShown ? (
    <Link to="/history" search={historySearch(asked, { user: row.id })} className={styles.person ?? ''}>
      {content}
    </Link>
  ) : (
    <span className={styles.person}>{content}</span>
  );
}
