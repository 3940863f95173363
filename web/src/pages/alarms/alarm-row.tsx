// A row of the alarm list: mark, times, station, message, value, and who is called or has taken it.

import { type MouseEvent, memo, type ReactElement } from 'react';
import { type CallingFacts, type CallingState, callingText } from '../../components/calling-text.ts';
import { IconCheck, IconClockPause, IconEyeOff, IconPhoneCheck, IconPhoneOutgoing } from '../../components/icons.tsx';
import { Mark, SystemMark } from '../../components/mark.tsx';
import { shortText } from '../../components/short-text.ts';
import type { AlarmView } from '../../data/alarm-views.tsx';
import { ageText, type Clock, momentText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './alarm-row.module.css';
import type { AlarmsSearch } from './alarms-search.ts';
import type { Selection } from './use-selection.ts';

/** What all rows need and the list reads once: a row that asks for it itself costs more than its drawing. */
export type RowFacts = CallingFacts & { readonly clock: Clock };

type RowProps = {
  readonly alarm: AlarmView;
  readonly isGone: boolean;
  readonly isNew: boolean;
  readonly index: number;
  readonly top: number;
  readonly height: number;
  readonly facts: RowFacts;
  readonly search: AlarmsSearch;
  readonly change: (search: AlarmsSearch) => void;
  readonly selection: Selection;
  readonly focusedId: number | undefined;
  readonly setFocused: (id: number) => void;
};

export const AlarmRow = memo(function AlarmRow(props: RowProps): ReactElement {
  const { alarm, isGone, isNew, index, top, height, facts, search, change, selection, focusedId, setFocused } = props;
  const words = useWords();
  const isSelected = selection.selected.has(alarm.id);
  const isUrgent = alarm.hue === 'p1' && alarm.state === 3 && !alarm.masked;
  /** A box is ticked alone, and with Shift up to here; a row does the same with Ctrl or Shift, and else opens. */
  const choose = (event: MouseEvent): void => {
    event.stopPropagation();
    if (event.shiftKey) selection.extend(focusedId, alarm.id);
    else selection.toggle(alarm.id);
    setFocused(alarm.id);
  };
  const open = (event: MouseEvent): void => {
    if (event.shiftKey || event.ctrlKey || event.metaKey) choose(event);
    else change({ ...search, id: alarm.id });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the page has the keys of the list
    <div
      className={styles.row}
      style={{ transform: `translateY(${top}px)`, height }}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      data-id={alarm.id}
      data-state={alarm.masked ? 'masked' : alarm.state}
      data-urgent={isUrgent ? '' : undefined}
      data-new={isNew ? '' : undefined}
      data-gone={isGone ? '' : undefined}
      data-open={search.id === alarm.id ? '' : undefined}
      data-focused={focusedId === alarm.id ? '' : undefined}
      tabIndex={focusedId === alarm.id ? 0 : -1}
      // A range is selected with Shift, and not its text.
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={open}
    >
      <span role="gridcell" className={styles.box} data-any={selection.selected.size > 0 ? '' : undefined}>
        <input
          type="checkbox"
          checked={isSelected}
          onClick={choose}
          readOnly
          aria-label={words.alarms.select(shortText(alarm.text))}
          tabIndex={-1}
        />
      </span>
      <span role="gridcell" className={styles.mark}>
        <Mark {...alarm} size={20} />
      </span>
      <Times alarm={alarm} facts={facts} />
      <span role="gridcell" className={styles.station}>
        {alarm.station}
      </span>
      <Message alarm={alarm} isGone={isGone} />
      <span role="gridcell" className={`${styles.tag} mono`}>
        {shortText(alarm.path)}
      </span>
      <span role="gridcell" className={`${styles.value} mono isolate`}>
        {shortText(alarm.value)}
      </span>
      <Calling alarm={alarm} facts={facts} />
      <span role="gridcell" className={`${styles.comment} isolate`} title={shortText(alarm.comment)}>
        {shortText(alarm.comment)}
      </span>
    </div>
  );
});

type PartProps = { readonly alarm: AlarmView; readonly facts: RowFacts };

function Times({ alarm, facts: { clock, now } }: PartProps): ReactElement {
  return (
    <>
      <span role="gridcell" className={`${styles.time} figures`}>
        {momentText(clock, alarm.raisedAt, now)}
      </span>
      <span role="gridcell" className={`${styles.age} figures`}>
        {ageText(now - alarm.raisedAt)}
      </span>
    </>
  );
}

function Message({ alarm, isGone }: Pick<RowProps, 'alarm' | 'isGone'>): ReactElement {
  const words = useWords().alarms;
  const isCleared = alarm.state === 2 && !alarm.masked;
  return (
    <span role="gridcell" className={styles.message} title={shortText(alarm.text)}>
      {isCleared || isGone ? <span className={styles.badge}>{isGone ? words.gone : words.cleared}</span> : null}
      <span className={`${styles.text} isolate`}>{shortText(alarm.text)}</span>
      {alarm.masked && alarm.maskReason ? (
        <span className={styles.path}>{shortText(alarm.maskReason)}</span>
      ) : (
        <span className={`${styles.path} mono`}>{shortText(alarm.path)}</span>
      )}
    </span>
  );
}

const icons = {
  calling: IconPhoneOutgoing,
  reached: IconPhoneCheck,
  waiting: IconClockPause,
  taken: IconCheck,
  masked: IconEyeOff,
} as const;

function Calling({ alarm, facts }: PartProps): ReactElement {
  const words = useWords();
  const state = callingText(alarm, words, facts);
  return (
    <span role="gridcell" className={styles.calling} data-kind={state?.kind}>
      {state === undefined ? null : <CallingMark {...state} />}
      <span className={styles.callingText}>{state?.text}</span>
    </span>
  );
}

function CallingMark({ kind }: CallingState): ReactElement | null {
  if (kind === 'nobody') return <SystemMark size={12} />;
  if (kind === 'none') return null;
  const Icon = icons[kind];
  return <Icon size={16} stroke={1.75} />;
}
