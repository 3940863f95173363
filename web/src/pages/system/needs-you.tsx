// What needs somebody: the open alarms of Tocsin itself, and times in which nobody is on call.

import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { Mark, SystemMark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { hasFigures, unknownFigure } from '../../data/lists/list-state.ts';
import { useNow } from '../../data/time/now.ts';
import { useLive } from '../../data/use-live.ts';
import { ageText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { comingGaps, useGapTimes } from '../on-call/gap-times.ts';
import { useComing } from '../on-call/use-plan.ts';
import styles from './system-page.module.css';

export function NeedsYou(): ReactElement {
  const {
    system: words,
    onCall: { strip },
  } = useWords();
  const now = useNow();
  const { alarmList } = useLive();
  const own = useAlarmViews()
    .filter(({ system, masked }) => system && !masked)
    .toSorted((a, b) => a.priority - b.priority || b.raisedAt - a.raisedAt);
  const coming = useComing();
  const gapTimes = useGapTimes();
  const uncovered = coming
    .choices(({ items }) => items)
    .flatMap((group) => {
      const gaps = comingGaps(group, now);
      return gaps.length === 0 ? [] : [{ group, gaps }];
    });
  const isCalm = own.length === 0 && uncovered.length === 0 && alarmList.kind === 'read' && coming.isKnown();
  return (
    <section className={styles.card} aria-label={words.needsYou}>
      <header className={styles.cardHead}>
        <h2>{words.needsYou}</h2>
        <Link to="/alarms" search={{ priority: 'sys' }}>
          {hasFigures(alarmList) ? words.systemAlarms(own.length) : unknownFigure}
        </Link>
      </header>
      <ListNote state={hasFigures(alarmList) ? coming.state : alarmList} />
      {isCalm ? <p className={styles.empty}>{words.nothing}</p> : null}
      <ul>
        {own.map((alarm) => (
          <li key={alarm.id} className={styles.need}>
            <Mark {...alarm} size={20} />
            <Link to="/alarms" search={{ id: alarm.id }} className="isolate">
              {plainText(alarm.text)}
            </Link>
            <span className={`${styles.quiet} figures`}>{ageText(now - alarm.raisedAt)}</span>
          </li>
        ))}
        {uncovered.map(({ group, gaps }) => (
          <li key={group.callGroupId} className={styles.need}>
            <SystemMark size={20} />
            <Link to="/oncall" search={{ group: group.callGroupId }} className="isolate">
              {strip.nobody(plainText(group.name))} {gapTimes(gaps)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
