// The rail: the screens of the console, the commands and the account; on a phone a bar at the bottom.

import { Link } from '@tanstack/react-router';
import { type ReactElement, useCallback, useState } from 'react';
import { IconBellRingingFilled, IconKeyboard } from '../components/icons.tsx';
import { currentSession } from '../data/session.ts';
import { useWords } from '../words/use-words.ts';
import { AccountDialog } from './account-dialog.tsx';
import { HelpDialog } from './help-dialog.tsx';
import styles from './rail.module.css';
import { screens } from './screens.ts';
import { useScreenKeys } from './use-screen-keys.ts';

export function Rail(): ReactElement {
  const words = useWords();
  const [open, setOpen] = useState<'help' | 'account'>();
  useScreenKeys(useCallback(() => setOpen('help'), []));
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
        <button type="button" className={styles.help} onClick={() => setOpen('help')} aria-label={words.help.title}>
          <IconKeyboard size={18} stroke={1.75} />
          <span>?</span>
        </button>
        <button
          type="button"
          className={styles.avatar}
          onClick={() => setOpen('account')}
          aria-label={words.screens.account}
        >
          {(currentSession()?.name ?? '').slice(0, 1).toUpperCase()}
        </button>
      </div>
      {open === 'help' ? <HelpDialog onClose={() => setOpen(undefined)} /> : null}
      {open === 'account' ? <AccountDialog onClose={() => setOpen(undefined)} /> : null}
    </nav>
  );
}
