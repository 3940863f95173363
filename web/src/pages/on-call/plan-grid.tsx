// The plan as a grid: a row for each group, a column for each day, the line of now, and a popover on a block.

import { type CSSProperties, type KeyboardEvent, type ReactElement, useRef, useState } from 'react';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { columnDateText, shortTimeText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { BlockPopover } from './block-popover.tsx';
import type { OpenDialog } from './on-call-dialogs.tsx';
import { type Block, blocksOf, placeIn } from './plan/blocks.ts';
import { isDirection, nextBlock } from './plan/move.ts';
import type { PlanDay, PlanPeriod } from './plan/period.ts';
import { PlanBlock } from './plan-block.tsx';
import styles from './plan-grid.module.css';
import { DutyNow, GroupHead } from './plan-row.tsx';
import { manyGroups, type ReadPlan } from './use-plan.ts';

type PlanGridProps = { readonly plan: ReadPlan; readonly openDialog: (dialog: OpenDialog) => void };

export function PlanGrid({ plan, openDialog }: PlanGridProps): ReactElement {
  const words = useWords().onCall;
  const { period, groups, total } = plan;
  const rows = groups.map((group) => ({ group, blocks: blocksOf(group.plan, period) }));
  const focus = useBlockFocus(rows.map(({ blocks }) => blocks));
  const open = rows.flatMap(({ blocks }) => blocks).find(({ key }) => key === focus.openKey);
  const openGroup = groups.find(({ plan: { callGroupId } }) => callGroupId === open?.callGroupId);
  return (
    <div className={styles.frame} ref={focus.frame}>
      <div
        className={styles.grid}
        role="grid"
        aria-label={words.title}
        aria-rowcount={groups.length + 1}
        data-dense={total >= manyGroups ? '' : undefined}
        data-days={period.days.length}
        tabIndex={-1}
        onKeyDown={focus.onKeyDown}
      >
        <div role="row" className={styles.headRow}>
          <div role="columnheader" className={styles.corner}>
            {words.groups(groups.length)}
          </div>
          <div className={styles.track} role="presentation">
            {period.days.map((day) => (
              <DayHead key={day.from} day={day} period={period} />
            ))}
            {period.days.length > 7 ? null : <NowBadge period={period} />}
          </div>
        </div>
        {rows.map(({ group, blocks }) => (
          <div role="row" key={group.plan.callGroupId} className={styles.row}>
            <div role="rowheader" className={styles.left}>
              <GroupHead group={group} />
              <DutyNow group={group} />
            </div>
            <div className={styles.track} role="presentation">
              <Columns period={period} />
              {blocks.map((block) => (
                <PlanBlock
                  key={block.key}
                  block={block}
                  groupName={group.plan.name}
                  isOpen={block.key === focus.openKey}
                  isReached={block.key === focus.reachedKey}
                  onOpen={() => focus.setOpenKey(block.key === focus.openKey ? undefined : block.key)}
                  onReach={() => focus.setReachedKey(block.key)}
                />
              ))}
              <NowLine period={period} />
            </div>
          </div>
        ))}
      </div>
      {open === undefined || openGroup === undefined ? null : (
        <BlockPopover
          key={open.key}
          block={open}
          group={openGroup}
          frame={focus.frame}
          onClose={focus.close}
          openDialog={openDialog}
        />
      )}
    </div>
  );
}

/** Which block the Tab key reaches and which has its popover open; arrows move from block to block. */
function useBlockFocus(rows: readonly (readonly Block[])[]) {
  const frame = useRef<HTMLDivElement>(null);
  const [openKey, setOpenKey] = useState<string>();
  const [lastKey, setReachedKey] = useState('');
  const all = rows.flat();
  const reachedKey = all.some(({ key }) => key === lastKey) ? lastKey : all[0]?.key;
  const focusOn = (key: string): void =>
    frame.current?.querySelector<HTMLElement>(`[data-block="${key}"]`)?.focus({ preventScroll: false });
  const onKeyDown = (event: KeyboardEvent): void => {
    const key = (event.target as HTMLElement).dataset.block;
    if (key === undefined || !isDirection(event.key)) return;
    event.preventDefault();
    const next = nextBlock(rows, key, event.key);
    if (next === undefined) return;
    setOpenKey(undefined);
    setReachedKey(next.key);
    focusOn(next.key);
  };
  const close = (): void => {
    if (openKey !== undefined) focusOn(openKey);
    setOpenKey(undefined);
  };
  return { frame, openKey, setOpenKey, reachedKey, setReachedKey, onKeyDown, close };
}

type DayProps = { readonly day: PlanDay; readonly period: PlanPeriod };

function placeStyle(span: { readonly from: number; readonly to: number }, period: PlanPeriod): CSSProperties {
  const { left = 0, width = 0 } = placeIn(span, period) ?? {};
  return { left: `${left * 100}%`, width: `${width * 100}%` };
}

function DayHead({ day, period }: DayProps): ReactElement {
  const words = useWords().onCall;
  const clock = usePlantClock();
  const now = useNow();
  const isToday = day.from <= now && now < day.to;
  const share = (now - day.from) / (day.to - day.from);
  // In the first half of the day the badge of now would lie over the date.
  const isBeside = isToday && share < 0.5 && period.days.length === 7;
  return (
    <div
      role="columnheader"
      className={styles.day}
      data-weekend={day.isWeekend ? '' : undefined}
      data-today={isToday ? '' : undefined}
      style={placeStyle(day, period)}
    >
      {period.days.length === 1 ? null : (
        <span style={isBeside ? { marginLeft: `calc(${share * 100}% + 19px)` } : undefined}>
          {columnDateText(clock, day.from)}
        </span>
      )}
      {day.hours === 24 ? null : (
        <span className={styles.clockChange} title={words.clockChange(day.hours)}>
          {period.days.length === 1 ? words.clockChange(day.hours) : words.hoursOfDay(day.hours)}
        </span>
      )}
      {period.days.length === 1 ? <Hours day={day} /> : null}
    </div>
  );
}

const hourMs = 3_600_000;

/** The hours of a single day, every three; the day on which the clock changes has its own number of them. */
function Hours({ day }: { readonly day: PlanDay }): ReactElement {
  const clock = usePlantClock();
  const times = Array.from(
    { length: Math.floor((day.hours - 1) / 3) },
    (_, index) => day.from + (index + 1) * 3 * hourMs,
  );
  return (
    <>
      {times.map((at) => (
        <span key={at} className={styles.hour} style={{ left: `${((at - day.from) / (day.to - day.from)) * 100}%` }}>
          {shortTimeText(clock, at)}
        </span>
      ))}
    </>
  );
}

function Columns({ period }: { readonly period: PlanPeriod }): ReactElement {
  return (
    <div aria-hidden="true">
      {period.days.map((day) => (
        <span
          key={day.from}
          className={styles.column}
          data-weekend={day.isWeekend ? '' : undefined}
          style={placeStyle(day, period)}
        />
      ))}
    </div>
  );
}

function useNowPlace({ from, to }: PlanPeriod): { readonly now: number; readonly left: string | undefined } {
  const now = useNow();
  return { now, left: now < from || now >= to ? undefined : `${((now - from) / (to - from)) * 100}%` };
}

function NowLine({ period }: { readonly period: PlanPeriod }): ReactElement | null {
  const { left } = useNowPlace(period);
  return left === undefined ? null : <span className={styles.nowLine} style={{ left }} aria-hidden="true" />;
}

function NowBadge({ period }: { readonly period: PlanPeriod }): ReactElement | null {
  const words = useWords().onCall;
  const clock = usePlantClock();
  const { now, left } = useNowPlace(period);
  return left === undefined ? null : (
    <span className={`${styles.nowBadge} figures`} style={{ left }}>
      <span className="unseen">{words.now} </span>
      {shortTimeText(clock, now)}
    </span>
  );
}
