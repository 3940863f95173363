// The heads of the columns; a click on one sorts by it.

import type { ReactElement } from 'react';
import { useWords } from '../../words/use-words.ts';
import styles from './alarm-list.module.css';
import type { AlarmsSearch, Sort, SortColumn } from './alarms-search.ts';

type HeadsProps = { readonly search: AlarmsSearch; readonly change: (search: AlarmsSearch) => void };

export function ColumnHeads({ search, change }: HeadsProps): ReactElement {
  const words = useWords().alarms;
  const { columns } = words;
  const head = (column: SortColumn, look?: string) => (
    <button
      type="button"
      className={look}
      data-sort={search.sort === column ? 'up' : search.sort === `-${column}` ? 'down' : undefined}
      title={words.sortBy(columns[column])}
      onClick={() => change({ ...search, sort: nextSort(search.sort, column) })}
    >
      {columns[column]}
    </button>
  );
  return (
    <div className={styles.heads}>
      <span />
      <span />
      {head('raised')}
      <span className={styles.right}>{columns.age}</span>
      {head('station')}
      {head('message')}
      {head('tag', styles.wide)}
      {head('value', styles.right)}
      <span>{columns.calling}</span>
      <span className={styles.wide}>{columns.comment}</span>
    </div>
  );
}

/** A click sorts by the column, the next from its end, and the third puts the urgent first again. */
function nextSort(sort: Sort | undefined, column: SortColumn): Sort | undefined {
  if (sort === column) return `-${column}`;
  return sort === `-${column}` ? undefined : column;
}
