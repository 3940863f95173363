// The list of alarms: virtual rows in three groups, which do not move while pointer or keyboard are in it.

import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { IconArrowUp } from '../../components/icons.tsx';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/now.ts';
import { usePlantClock } from '../../data/plant-clock.ts';
import { useLinkHealth, useLive } from '../../data/use-live.ts';
import { ageText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './alarm-list.module.css';
import { AlarmRow, type RowFacts } from './alarm-row.tsx';
import type { AlarmsSearch } from './alarms-search.ts';
import { type Group, groupOf, type Row } from './arrange.ts';
import type { AlarmKeys } from './use-alarm-keys.ts';
import type { HeldOrder } from './use-held-order.ts';
import type { Selection } from './use-selection.ts';

type ListProps = {
  readonly order: HeldOrder;
  readonly search: AlarmsSearch;
  readonly change: (search: AlarmsSearch) => void;
  readonly selection: Selection;
  readonly keys: AlarmKeys;
  /** The number of alarms without the filters. */
  readonly total: number;
};

type Line = { readonly group: Group; readonly count: number } | Row;

const headingPx = 26;

/** Adds a heading before the first row of each group; a row that changed its group in place gets none. */
function linesOf(rows: readonly Row[]): readonly Line[] {
  const counts = new Map<Group, number>();
  for (const { alarm, isGone } of rows) {
    const group = groupOf(alarm);
    counts.set(group, (counts.get(group) ?? 0) + (isGone ? 0 : 1));
  }
  const headed = new Set<Group>();
  return rows.flatMap((row): Line[] => {
    const group = groupOf(row.alarm);
    if (headed.has(group)) return [row];
    headed.add(group);
    return [{ group, count: counts.get(group) ?? 0 }, row];
  });
}

function rowPx(): number {
  return Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) || 40;
}

const phone = matchMedia('(max-width: 639px)');
const phoneRowPx = 88;

export function AlarmList(props: ListProps): ReactElement {
  const { order } = props;
  const words = useWords();
  const lines = useMemo(() => linesOf(order.rows), [order.rows]);
  return (
    <div className={styles.list}>
      <ColumnHeads />
      {order.waiting.length > 0 ? (
        <button type="button" className={styles.waiting} onClick={order.order}>
          <IconArrowUp size={15} stroke={2} /> {words.alarms.newAbove(order.waiting.length)}
        </button>
      ) : null}
      <Announcer order={order} />
      {lines.length === 0 ? <Empty {...props} /> : <Rows {...props} lines={lines} />}
    </div>
  );
}

function Rows(props: ListProps & { readonly lines: readonly Line[] }): ReactElement {
  const { order, lines, search, change, selection } = props;
  const { focusedId, setFocused } = props.keys;
  const words = useWords();
  const facts = useRowFacts();
  const scroll = useRef<HTMLDivElement>(null);
  const places = (id: number | undefined): readonly number[] => {
    const place = lines.findIndex((line) => 'alarm' in line && line.alarm.id === id);
    return place < 0 ? [] : [place];
  };
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => ('group' in (lines[index] ?? {}) ? headingPx : phone.matches ? phoneRowPx : rowPx()),
    overscan: 6,
    // The row with the focus stays in the page wherever the list is scrolled, so that the focus is not lost.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...places(focusedId)])].toSorted((a, b) => a - b),
  });
  // Only a focus that moves scrolls the list: news must not bring back what was scrolled away.
  const scrollTo = useEffectEvent(() => {
    for (const index of places(focusedId)) virtual.scrollToIndex(index, { align: 'auto' });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is what moves
  useEffect(() => scrollTo(), [focusedId]);
  return (
    <div
      ref={scroll}
      className={styles.scroll}
      role="grid"
      aria-label={words.alarms.title}
      aria-rowcount={order.rows.length}
      tabIndex={0}
      // The list may appear under a pointer that rests: then it does not enter.
      onPointerMove={() => order.enter('pointer')}
      onPointerEnter={() => order.enter('pointer')}
      onPointerLeave={() => order.leave('pointer')}
      onFocus={() => order.enter('focus')}
      onBlur={() => order.leave('focus')}
    >
      <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return 'group' in line ? (
            <Heading key={`${line.group}-${index}`} {...line} top={start} />
          ) : (
            <AlarmRow
              key={line.alarm.id}
              alarm={line.alarm}
              isGone={line.isGone}
              {...{ index, facts, search, change, selection, focusedId, setFocused }}
              top={start}
              height={size}
            />
          );
        })}
      </div>
    </div>
  );
}

function useRowFacts(): RowFacts {
  const { locale, timeZone } = usePlantClock();
  const names = useNames();
  const { isStale, lastNews } = useLinkHealth();
  const tick = useNow();
  const now = isStale ? lastNews : tick;
  return useMemo(() => ({ clock: { locale, timeZone }, names, now }), [locale, timeZone, names, now]);
}

function ColumnHeads(): ReactElement {
  const { columns } = useWords().alarms;
  return (
    <div className={styles.heads} aria-hidden="true">
      <span />
      <span />
      <span>{columns.raised}</span>
      <span className={styles.right}>{columns.age}</span>
      <span>{columns.station}</span>
      <span>{columns.message}</span>
      <span className={styles.wide}>{columns.tag}</span>
      <span className={styles.right}>{columns.value}</span>
      <span>{columns.calling}</span>
      <span className={styles.wide}>{columns.comment}</span>
    </div>
  );
}

type HeadingProps = { readonly group: Group; readonly count: number; readonly top: number };

function Heading({ group, count, top }: HeadingProps): ReactElement {
  const words = useWords().alarms;
  return (
    <div className={styles.heading} style={{ transform: `translateY(${top}px)`, height: headingPx }} role="row">
      <span role="gridcell">
        {words[group]} <span className={`${styles.headingCount} figures`}>{count}</span>
      </span>
    </div>
  );
}

/** Tells those who listen what waits; of priority 1 the banner tells at once. */
function Announcer({ order }: { readonly order: HeldOrder }): ReactElement {
  const words = useWords().alarms;
  return (
    <p className="unseen" aria-live="polite">
      {order.waiting.length === 0 ? '' : words.newAbove(order.waiting.length)}
    </p>
  );
}

function Empty({ total, change, search }: ListProps): ReactElement {
  const { alarms: words, stale } = useWords();
  const { reading } = useLive();
  const { quietForMs = 0, isStale } = useLinkHealth();
  // Without news nothing is known: an empty list must not look calm. The bar above says so.
  if (isStale && total === 0) return <p className={styles.empty}>{stale.actionsOff}</p>;
  if (reading !== undefined) {
    const progress = reading.total === 0 ? '' : words.reading(reading.read, reading.total);
    return <p className={styles.empty}>{progress}</p>;
  }
  if (total === 0) return <p className={styles.empty}>{words.calm(ageText(quietForMs))}</p>;
  return (
    <p className={styles.empty}>
      {words.noMatch(total)}{' '}
      <button type="button" className={styles.link} onClick={() => change({ id: search.id })}>
        {words.clearFilters}
      </button>
    </p>
  );
}
