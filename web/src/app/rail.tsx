// The rail: the screens of the console, the commands and the account; on a phone a bar at the bottom.

import { Link } from '@tanstack/react-router';
import { type ReactElement, useCallback, useState } from 'react';
import { IconBellRingingFilled, IconCommand } from '../components/icons.tsx';
import { commandKey } from '../components/keys.ts';
import { SystemMark } from '../components/mark.tsx';
import { useAlarmViews } from '../data/alarm-views.tsx';
import { currentSession } from '../data/session.ts';
import { useWords } from '../words/use-words.ts';
import { AccountDialog } from './account-dialog.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { Palette } from './palette/palette.tsx';
import styles from './rail.module.css';
import { screens } from './screens.ts';
import { useScreenKeys } from './use-screen-keys.ts';

/** A diamond on System while Tocsin has an alarm about itself that nobody has acknowledged. */
function SystemTrouble(): ReactElement | null {
  const isTrouble = useAlarmViews().some(({ system, state, masked }) => system && !masked && (state & 2) !== 0);
  return isTrouble ? (
    <span className={styles.trouble}>
      <SystemMark size={11} />
    </span>
  ) : null;
}

export function Rail(): ReactElement {
  const words = useWords();
  const [open, setOpen] = useState<'palette' | 'help' | 'account'>();
  useScreenKeys(setOpen);
  const [refusal, setRefusal] = useState('');
  const close = useCallback(() => {
    setOpen(undefined);
    setRefusal('');
  }, []);
  const tell = (reason: string): void => {
    setRefusal(reason);
    setOpen('palette');
  };
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
              {name === 'system' ? <SystemTrouble /> : null}
              <span>{words.screens[name]}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className={styles.foot}>
        <button type="button" className={styles.help} onClick={() => setOpen('palette')}>
          <IconCommand size={18} stroke={1.75} />
          <span>{commandKey}K</span>
          <span className="unseen">{words.palette.title}</span>
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
      {open === 'palette' ? <Palette onClose={close} onRefused={tell} refusal={refusal} /> : null}
      {open === 'help' ? <HelpDialog onClose={close} /> : null}
      {open === 'account' ? <AccountDialog onClose={close} onHelp={() => setOpen('help')} /> : null}
    </nav>
  );
}
