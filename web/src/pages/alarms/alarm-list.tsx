// The list of alarms: virtual rows in three groups, which do not move while pointer or keyboard are in it.

import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactElement, useEffect, useEffectEvent, useMemo, useRef, useSyncExternalStore } from 'react';
import { onDensity } from '../../app/theme.ts';
import { IconArrowUp } from '../../components/icons.tsx';
import { failureOf } from '../../data/lists/list-state.ts';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { isBlind } from '../../data/trouble.ts';
import { useLinkHealth, useLive, useTroubles } from '../../data/use-live.ts';
import { ageText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './alarm-list.module.css';
import { AlarmRow, type RowFacts } from './alarm-row.tsx';
import { type AlarmsSearch, filterOf } from './alarms-search.ts';
import { ColumnHeads } from './column-heads.tsx';
import { GroupHeading, headingPx } from './group-heading.tsx';
import { type Group, groupOf } from './order/arrange.ts';
import { isHeading, type Line, linesOf } from './order/list-lines.ts';
import type { HeldOrder } from './order/use-held-order.ts';
import type { AlarmKeys } from './use-alarm-keys.ts';
import { useNewRows } from './use-new-rows.ts';
import { usePress } from './use-press.ts';
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

const phone = matchMedia('(max-width: 639px)');
const phoneRowPx = 96;

function rowPx(): number {
  if (phone.matches) return phoneRowPx;
  return Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--row'), 10) || 40;
}

function onRowHeight(listener: () => void): () => void {
  const forget = onDensity(listener);
  phone.addEventListener('change', listener);
  return () => {
    forget();
    phone.removeEventListener('change', listener);
  };
}

export function AlarmList(props: ListProps): ReactElement {
  const { order, search, change } = props;
  const words = useWords();
  const isSorted = search.sort !== undefined;
  const lines = useMemo(() => linesOf(order.rows, isSorted), [order.rows, isSorted]);
  return (
    <div className={styles.list}>
      <ColumnHeads {...{ search, change }} />
      {isSorted ? (
        <p className={styles.sorted}>
          <button type="button" className={styles.link} onClick={() => change({ ...search, sort: undefined })}>
            {words.alarms.urgentFirst}
          </button>
        </p>
      ) : null}
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

function useVirtualRows(lines: readonly Line[], focusedId: number | undefined) {
  const scroll = useRef<HTMLDivElement>(null);
  const places = (id: number | undefined): readonly number[] => {
    if (id === undefined) return [];
    const place = lines.findIndex((line) => 'alarm' in line && line.alarm.id === id);
    return place < 0 ? [] : [place];
  };
  const px = useSyncExternalStore(onRowHeight, rowPx);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: (index) => ('alarm' in (lines[index] ?? {}) ? px : headingPx),
    overscan: 6,
    // The row with the focus stays in the page wherever the list is scrolled, so that the focus is not lost.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...places(focusedId)])].toSorted((a, b) => a - b),
  });
  const onScreen = (group: Group): readonly number[] => {
    const { scrollTop = 0, clientHeight = 0 } = scroll.current ?? {};
    return virtual.getVirtualItems().flatMap(({ index, start, end }) => {
      const line = lines[index];
      const isSeen = end > scrollTop && start < scrollTop + clientHeight;
      return isSeen && line !== undefined && 'alarm' in line && !line.isGone && groupOf(line.alarm) === group
        ? [line.alarm.id]
        : [];
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows of another height are measured anew
  useEffect(() => virtual.measure(), [px]);
  // Only a focus that moves scrolls the list: news must not bring back what was scrolled away.
  const scrollTo = useEffectEvent(() => {
    for (const index of places(focusedId)) virtual.scrollToIndex(index, { align: 'auto' });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is what moves
  useEffect(() => scrollTo(), [focusedId]);
  return { scroll, virtual, onScreen };
}

function Rows(props: ListProps & { readonly lines: readonly Line[] }): ReactElement {
  const { order, lines, search, change, selection } = props;
  const { focusedId, setFocused } = props.keys;
  const words = useWords();
  const facts = useRowFacts();
  const press = usePress();
  const isNew = useNewRows(order.rows, filterOf(search));
  const { scroll, virtual, onScreen } = useVirtualRows(lines, focusedId);
  return (
    <div
      ref={scroll}
      className={styles.scroll}
      role="grid"
      aria-label={words.alarms.title}
      aria-rowcount={order.rows.length}
      tabIndex={0}
      // The list may appear under a pointer that rests: then it does not enter.
      onPointerMove={(event) => {
        order.enter('pointer');
        press.move(event);
      }}
      onPointerEnter={() => order.enter('pointer')}
      // A pointer that has rested so long that the order was let go takes it again before it acts.
      onPointerDown={(event) => {
        order.enter('pointer');
        press.down(event);
      }}
      onPointerUp={press.up}
      onPointerLeave={() => order.leave('pointer')}
      onFocus={() => order.enter('focus')}
      onBlur={() => order.leave('focus')}
    >
      <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return isHeading(line) ? (
            <GroupHeading
              key={`${line.group}-${index}`}
              {...line}
              top={start}
              selection={selection}
              onScreen={() => onScreen(line.group)}
            />
          ) : (
            <AlarmRow
              key={line.alarm.id}
              alarm={line.alarm}
              isGone={line.isGone}
              isNew={isNew(line.alarm.id)}
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
  // The time stands still while nothing comes from the server.
  const now = isStale ? lastNews : tick;
  const { areCallsKnown } = useLive();
  return useMemo(
    () => ({ clock: { locale, timeZone }, names, now, areCallsKnown }),
    [locale, timeZone, names, now, areCallsKnown],
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
  const { alarms: words, trouble, lists } = useWords();
  const { alarmList } = useLive();
  const troubles = useTroubles();
  const { quietForMs = 0 } = useLinkHealth();
  // Without news nothing is known: an empty list must not look calm. The bar above says so.
  const [blind] = troubles.filter((one) => isBlind([one]));
  if (blind !== undefined && total === 0) return <p className={styles.empty}>{trouble.link[blind.kind]}</p>;
  if (failureOf(alarmList) !== undefined) return <p className={styles.empty}>{lists.alarmsFailed}</p>;
  if (alarmList.kind !== 'read') {
    const isCounted = alarmList.kind === 'reading' && alarmList.total > 0;
    return <p className={styles.empty}>{isCounted ? words.reading(alarmList.read, alarmList.total) : lists.reading}</p>;
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
