// What needs somebody: the open alarms of Tocsin itself.

import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { Mark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { failureOf, hasFigures, unknownFigure } from '../../data/lists/list-state.ts';
import { useNow } from '../../data/time/now.ts';
import { useLive } from '../../data/use-live.ts';
import { ageText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './system-page.module.css';

export function NeedsYou(): ReactElement {
  const words = useWords().system;
  const now = useNow();
  const { alarmList } = useLive();
  const own = useAlarmViews()
    .filter(({ system, masked }) => system && !masked)
    .toSorted((a, b) => a.priority - b.priority || b.raisedAt - a.raisedAt);
  return (
    <section className={styles.card} aria-label={words.needsYou}>
      <header className={styles.cardHead}>
        <h2>{words.needsYou}</h2>
        <Link to="/alarms" search={{ priority: 'sys' }}>
          {hasFigures(alarmList) ? words.systemAlarms(own.length) : unknownFigure}
        </Link>
      </header>
      <ListNote isRead={hasFigures(alarmList)} error={failureOf(alarmList)} />
      {own.length === 0 && alarmList.kind === 'read' ? <p className={styles.empty}>{words.nothing}</p> : null}
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
      </ul>
    </section>
  );
}
