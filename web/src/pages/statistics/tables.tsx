// The full tables of the statistics, as the interface gives them, and the chart as a table.

import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { ListNote } from '../../components/list-note.tsx';
import { Mark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useReadPages } from '../../data/lists/use-read.ts';
import { fewestForMean } from '../../data/time/mean.ts';
import { useWords } from '../../words/use-words.ts';
import { historySearch, textOf } from './lists.tsx';
import { useAreNamesShown, usePersonName } from './names-setting.ts';
import { readAlarms } from './read-statistics.ts';
import type { Bar, BarLength } from './series.ts';
import type { AlarmOrder, StatisticsSearch } from './statistics-search.ts';
import styles from './tables.module.css';
import { useBarTime } from './texts.ts';
import { type Asked, usePeople } from './use-statistics.ts';

const pageSize = 100;

type TableProps = {
  readonly asked: Asked;
  readonly search: StatisticsSearch;
  readonly change: (search: StatisticsSearch) => void;
};

function useAlarmRows({ period, filter, question }: Asked, order: AlarmOrder) {
  const { read, readMore } = useReadPages({
    queryKey: ['statistics', 'alarms', filter, period, order],
    question: [question, order],
    queryFn: ({ pageParam }: { readonly pageParam: number }) => readAlarms(filter, period, order, pageSize, pageParam),
    initialPageParam: 0,
    getNextPageParam: (_, pages) => pages.length * pageSize,
  });
  const table = read.map((pages) => {
    const rows = pages.flatMap(({ items }) => items);
    return { rows, left: Number(pages[0]?.paging.total) - rows.length };
  });
  return { table, readMore };
}

export function AlarmsTable({ asked, search, change }: TableProps): ReactElement {
  const words = useWords().statistics;
  const order = search.order ?? 'number';
  const { table, readMore } = useAlarmRows(asked, order);
  const { columns } = words;
  const sorted = (by: AlarmOrder, name: string): ReactNode => (
    <th scope="col" aria-sort={order === by ? (by === 'id' ? 'ascending' : 'descending') : 'none'}>
      <button type="button" onClick={() => change({ ...search, order: by === 'number' ? undefined : by })}>
        {name}
      </button>
    </th>
  );
  return table.when({
    unread: (state) => <ListNote state={state} />,
    known: ({ rows, left }) =>
      rows.length === 0 ? (
        <p className={styles.none}>{words.none}</p>
      ) : (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                {sorted('id', columns.id)}
                <th scope="col">{columns.message}</th>
                <th scope="col">{columns.name}</th>
                <th scope="col" className={styles.number}>
                  {columns.code}
                </th>
                {sorted('number', columns.failureNumber)}
                {sorted('time', columns.failureTotalTime)}
                <th scope="col" className={styles.number}>
                  {columns.failureMeanTime}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td className="figures">{row.id}</td>
                  <td>
                    <span className={styles.message}>
                      <Mark priority={row.priority} state={1} masked={false} system={row.system ?? false} size={18} />
                      <Link to="/history" search={historySearch(asked, { alarm: row.id })} className="isolate">
                        {textOf(row)}
                      </Link>
                    </span>
                  </td>
                  <td className={`${styles.tag} mono isolate`}>{plainText(row.tagName)}</td>
                  <td className={`${styles.number} figures`}>{row.code}</td>
                  <td className={`${styles.number} figures`}>{row.failureNumber}</td>
                  <td className={`${styles.number} figures`}>{row.failureTotalTime}</td>
                  <td className={`${styles.number} figures`}>
                    {row.failureNumber < fewestForMean ? words.tooFew : row.failureMeanTime}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {left > 0 ? (
            <div className={styles.more}>
              <Button onClick={readMore}>{words.showMore(Math.min(left, pageSize))}</Button>
            </div>
          ) : null}
        </div>
      ),
  });
}

export function PeopleTable({ asked }: Pick<TableProps, 'asked'>): ReactElement {
  const words = useWords().statistics;
  const { columns } = words;
  const people = usePeople(asked);
  const nameOf = usePersonName();
  const areNamesShown = useAreNamesShown();
  return people.when({
    unread: (state) => <ListNote state={state} />,
    known: (rows) =>
      rows.length === 0 ? (
        <p className={styles.none}>{words.nobody}</p>
      ) : (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{columns.user}</th>
                <th scope="col" className={styles.number}>
                  {columns.interventionNumber}
                </th>
                <th scope="col" className={styles.number}>
                  {columns.reactionMeanTime}
                </th>
                <th scope="col" className={styles.number}>
                  {columns.interventionMeanTime}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, index) => {
                const isEnough = row.interventionNumber >= fewestForMean;
                const name = nameOf(row, index);
                return (
                  <tr key={row.id}>
                    <td>
                      {areNamesShown ? (
                        <Link to="/history" search={historySearch(asked, { user: row.id })} className="isolate">
                          {name}
                        </Link>
                      ) : (
                        name
                      )}
                    </td>
                    <td className={`${styles.number} figures`}>{row.interventionNumber}</td>
                    <td className={`${styles.number} figures`}>{isEnough ? row.reactionMeanTime : words.tooFew}</td>
                    <td className={`${styles.number} figures`}>{isEnough ? row.interventionMeanTime : words.tooFew}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      ),
  });
}

/** The chart as a table: a row for each bar with alarms. */
export function BarsTable({
  bars,
  length,
}: {
  readonly bars: readonly Bar[];
  readonly length: BarLength;
}): ReactElement {
  const words = useWords();
  const { columns } = words.statistics;
  const whenOf = useBarTime(length);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <div className={styles.bars} tabIndex={0} role="region" aria-label={words.statistics.chart[length]}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{columns.time}</th>
            <th scope="col" className={styles.number}>
              {columns.number}
            </th>
            {['1', '2', '3', '4+'].map((priority) => (
              <th key={priority} scope="col" className={styles.number}>
                {columns.priority} {priority}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars
            .filter(({ alarms }) => alarms > 0)
            .map((bar) => (
              <tr key={bar.from}>
                <td className="figures">{whenOf(bar)}</td>
                <td className={`${styles.number} figures`}>{bar.alarms}</td>
                {[0, 1, 2, 3].map((index) => (
                  <td key={index} className={`${styles.number} figures`}>
                    {bar.byPriority[index] ?? 0}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
