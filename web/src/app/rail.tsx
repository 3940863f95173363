// The rail: the screens of the console, the commands and the account; on a phone a bar at the bottom.

import { IconBellRingingFilled, IconCommand } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { currentSession } from '../data/session.ts';
import { useWords } from '../words/use-words.ts';
import styles from './rail.module.css';
import { screens } from './screens.ts';

export function Rail(): ReactElement {
  const words = useWords();
  return (
    <nav className={styles.rail} aria-label={words.screens.more}>
      <span className={styles.logo}>
        <IconBellRingingFilled size={28} />
      </span>
      <ul className={styles.items}>
        {screens.map(({ name, path, icon: Icon }) => (
          <li key={path}>
            <Link to={path} className={styles.item ?? ''} activeProps={{ className: styles.active ?? '' }}>
              <Icon size={20} stroke={1.75} />
              <span>{words.screens[name]}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        <span className={styles.palette}>
          <IconCommand size={18} stroke={1.75} />
          <span>⌘K</span>
        </span>
        <span className={styles.avatar} title={words.screens.account}>
          {(currentSession()?.name ?? '').slice(0, 1).toUpperCase()}
        </span>
      </div>
    </nav>
  );
}
