// A row of the history; its bar is dark until the occurrence was acknowledged and light until its end.

import { Link } from '@tanstack/react-router';
import type { AlarmHistory } from '@tocsin/client';
import type { CSSProperties, ReactElement } from 'react';
import { Mark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { dateText, timeText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './history-page.module.css';

type RowProps = { readonly entry: AlarmHistory; readonly style: CSSProperties; readonly index: number };

export function HistoryRow({ entry, style, index }: RowProps): ReactElement {
  const words = useWords().history;
  const clock = usePlantClock();
  const { byName } = useNames();
  const raised = Date.parse(entry.alarmTime);
  const isOver = entry.resetTime !== undefined;
  const isTaken = entry.ackTime !== undefined;
  const state = (isOver ? 0 : 1) + (isTaken ? 0 : 2);
  return (
    <div className={styles.row} style={style} role="row" aria-rowindex={index + 1}>
      <span role="cell">
        <Mark
          priority={entry.priority}
          system={entry.system ?? false}
          state={isTaken ? 1 : isOver ? 2 : state}
          masked={false}
          size={20}
        />
      </span>
      <span role="cell" className="figures">
        {dateText(clock, raised)} {timeText(clock, raised)}
      </span>
      <span role="cell" className={styles.message}>
        <Link to="/occurrence" search={{ id: entry.id }} className="isolate">
          {plainText(entry.message === '' ? entry.tagName : entry.message)}
        </Link>
      </span>
      <span aria-hidden="true">
        <Bar entry={entry} />
      </span>
      <span role="cell" className={`${styles.right} figures`}>
        {entry.alarmDuration ?? words.goesOn}
      </span>
      <span role="cell" className={`${styles.right} figures`}>
        {entry.reactionDuration ?? '—'}
      </span>
      <span role="cell" className={`${styles.right} figures`}>
        {entry.interventionDuration ?? '—'}
      </span>
      <span role="cell">{entry.ackUser === undefined || entry.ackUser === '' ? '' : byName(entry.ackUser)}</span>
      <span role="cell" className={`${styles.comment} isolate`} title={entry.comment}>
        {plainText(entry.comment)}
      </span>
    </div>
  );
}

/** The bar of four hours fills its place; lengths are square roots, so that minutes and hours can be compared. */
const fullMs = 4 * 3_600_000;

function percentOf(ms: number): number {
  return Math.max(1, Math.min(1, Math.sqrt(Math.max(0, ms) / fullMs)) * 100);
}

function Bar({ entry }: { readonly entry: AlarmHistory }): ReactElement {
  const now = useNow();
  const raised = Date.parse(entry.alarmTime);
  const end = entry.resetTime === undefined ? now : Date.parse(entry.resetTime);
  const whole = percentOf(end - raised);
  const dark = entry.ackTime === undefined ? 0 : Math.min(whole, percentOf(Date.parse(entry.ackTime) - raised));
  return (
    <svg className={styles.bar} height="8" role="presentation">
      <rect
        className={entry.ackTime === undefined ? styles.untaken : styles.light}
        width={`${whole}%`}
        height="8"
        rx="2.5"
      />
      <rect className={styles.dark} width={`${dark}%`} height="8" rx="2.5" />
      {entry.resetTime === undefined ? (
        <svg x={`${whole}%`} role="presentation">
          <path className={styles.arrow} d="M-1 0l4 4-4 4" />
        </svg>
      ) : null}
    </svg>
  );
}
