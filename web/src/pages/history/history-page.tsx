// The history: each occurrence as a row with a bar that says how long it stood and when it was taken.

import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, useEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { IconDownload, IconSearch } from '../../components/icons.tsx';
import { useStations } from '../../data/directory.ts';
import { useWords } from '../../words/use-words.ts';
import { useDownload } from './download-history.ts';
import styles from './history-page.module.css';
import { HistoryRow } from './history-row.tsx';
import type { HistorySearch } from './history-search.ts';
import { useHistory } from './use-history.ts';

const route = getRouteApi('/history');
const rowPx = 40;

export function HistoryPage(): ReactElement {
  const search = route.useSearch();
  const navigate = useNavigate();
  const change = (next: HistorySearch): void => void navigate({ to: '/history', search: next, replace: true });
  const { entries, total, isRead, readMore } = useHistory(search);
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
    <div className={styles.page}>
      <Toolbar {...{ search, change, total }} />
      <div className={styles.table} role="table" aria-label={words.title} aria-rowcount={total}>
        <Heads />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
        <div ref={scroll} className={styles.scroll} role="rowgroup" tabIndex={0}>
          {isRead && total === 0 ? <p className={styles.empty}>{words.none}</p> : null}
          <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const entry = entries[index];
              const place = { transform: `translateY(${start}px)`, height: rowPx };
              return entry === undefined ? null : (
                <HistoryRow key={entry.id} entry={entry} style={place} index={index} />
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

type ToolbarProps = {
  readonly search: HistorySearch;
  readonly change: (search: HistorySearch) => void;
  readonly total: number;
};

function Toolbar({ search, change, total }: ToolbarProps): ReactElement {
  const words = useWords();
  const stations = useStations().data;
  const download = useDownload(search, total);
  const periods = [
    [undefined, words.history.day],
    [168, words.history.week],
    [720, words.history.month],
  ] as const;
  return (
    <header className={styles.head}>
      <h1>{words.history.title}</h1>
      <div className={styles.periods} role="tablist">
        {periods.map(([hours, name]) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={search.hours === hours}
            onClick={() => change({ ...search, hours })}
          >
            {name}
          </button>
        ))}
      </div>
      <label className={styles.search}>
        <IconSearch size={16} />
        <input
          type="search"
          placeholder={words.alarms.search}
          aria-label={words.alarms.search}
          value={search.q ?? ''}
          onChange={(event) => change({ ...search, q: event.target.value === '' ? undefined : event.target.value })}
        />
      </label>
      <label className={styles.choice}>
        {words.alarms.station}
        <select
          value={search.station ?? ''}
          onChange={(event) => change({ ...search, station: Number(event.target.value) || undefined })}
        >
          <option value="">{words.alarms.any}</option>
          {[...(stations?.values() ?? [])].map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Button icon={IconDownload} onClick={download.toggle}>
        {download.progress ?? words.history.export(total)}
      </Button>
    </header>
  );
}

function Heads(): ReactElement {
  const { columns } = useWords().history;
  return (
    <div className={styles.heads} role="row">
      <span role="columnheader" />
      <span role="columnheader">{columns.raised}</span>
      <span role="columnheader">{columns.message}</span>
      <span role="columnheader" />
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
