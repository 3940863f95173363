// What needs somebody: the open alarms of Tocsin itself.

import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Mark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { useNow } from '../../data/time/now.ts';
import { ageText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './system-page.module.css';

export function NeedsYou(): ReactElement {
  const words = useWords().system;
  const now = useNow();
  const own = useAlarmViews()
    .filter(({ system, masked }) => system && !masked)
    .toSorted((a, b) => a.priority - b.priority || b.raisedAt - a.raisedAt);
  return (
    <section className={styles.card} aria-label={words.needsYou}>
      <header className={styles.cardHead}>
        <h2>{words.needsYou}</h2>
        <Link to="/alarms" search={{ priority: 'sys' }}>
          {words.systemAlarms(own.length)}
        </Link>
      </header>
      {own.length === 0 ? <p className={styles.empty}>{words.nothing}</p> : null}
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
