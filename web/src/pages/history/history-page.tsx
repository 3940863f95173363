// The history: each occurrence as a row with a bar that says how long it stood and when it was taken.

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { AlarmHistory } from '@tocsin/client';
import { type ReactElement, useEffect, useRef } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './history-page.module.css';
import { HistoryRow } from './history-row.tsx';
import type { HistorySearch } from './history-search.ts';
import { HistoryToolbar } from './history-toolbar.tsx';
import { useHistory, useHistoryPeriod } from './use-history.ts';

const route = getRouteApi('/history');
/** On a phone a row has two lines. */
const rowPx = matchMedia('(max-width: 639px)').matches ? 60 : 40;

export function HistoryPage(): ReactElement {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = (next: HistorySearch): void => void navigate({ to: '/history', search: next, replace: true });
  const period = useHistoryPeriod(search);
  const { history, readMore } = useHistory(search, period);
  const [newest] = history.choices(({ entries }) => entries);
  const words = useWords().history;
  return (
    <div className={styles.page}>
      <HistoryToolbar
        {...{ search, change, period }}
        total={history.map(({ total }) => total)}
        alarmName={newest && plainText(newest.message || newest.tagName)}
      />
      <div
        className={styles.table}
        role="table"
        aria-label={words.title}
        aria-rowcount={history.when({ known: ({ total }) => total, unread: () => -1 })}
      >
        <Heads />
        {history.when({
          unread: (state) => (
            <div className={styles.scroll} role="rowgroup">
              <ListNote state={state} />
            </div>
          ),
          known: ({ entries, total }) => <Rows {...{ entries, total, readMore }} />,
        })}
      </div>
    </div>
  );
}

type RowsProps = {
  readonly entries: readonly AlarmHistory[];
  readonly total: number;
  readonly readMore: () => void;
};

function Rows({ entries, total, readMore }: RowsProps): ReactElement {
  const words = useWords().history;
  const scroll = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowPx,
    overscan: 10,
  });
  const last = virtual.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= entries.length - 1) readMore();
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <div ref={scroll} className={styles.scroll} role="rowgroup" tabIndex={0}>
      {total === 0 ? <p className={styles.empty}>{words.none}</p> : null}
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index];
          const place = { transform: `translateY(${start}px)`, height: rowPx };
          return entry === undefined ? null : <HistoryRow key={entry.id} entry={entry} style={place} index={index} />;
        })}
      </div>
    </div>
  );
}

function Heads(): ReactElement {
  const {
    history: { columns },
    alarms: { priority },
  } = useWords();
  return (
    <div className={styles.heads} role="row">
      <span role="columnheader">
        <span className="unseen">{priority}</span>
      </span>
      <span role="columnheader">{columns.raised}</span>
      <span role="columnheader">{columns.message}</span>
      <span aria-hidden="true" />
      <span role="columnheader" className={styles.right}>
        {columns.stood}
      </span>
      <span role="columnheader" className={styles.right}>
        {columns.reaction}
      </span>
      <span role="columnheader" className={styles.right}>
        {columns.intervention}
      </span>
      <span role="columnheader">{columns.takenBy}</span>
      <span role="columnheader">{columns.comment}</span>
    </div>
  );
}
