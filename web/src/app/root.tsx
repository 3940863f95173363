// The frame of the console: the sign-in without a session, banner, rail and screen with one.

import { Outlet } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState, useSyncExternalStore } from 'react';
import { LiveAlarms } from '../data/live-alarms.ts';
import { currentSession, onSession } from '../data/session.ts';
import { LiveContext } from '../data/use-live.ts';
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx';
import { Banner } from './banner.tsx';
import { Rail } from './rail.tsx';
import styles from './root.module.css';
import { StaleFrame } from './stale-frame.tsx';

export function Root(): ReactElement {
  const session = useSyncExternalStore(onSession, currentSession);
  return session === undefined ? <SignInPage /> : <SignedIn key={session.name} />;
}

/** The live alarms begin with the session and end with it. */
function SignedIn(): ReactElement | null {
  const [live, setLive] = useState<LiveAlarms>();
  useEffect(() => {
    const begun = new LiveAlarms();
    begun.start();
    setLive(begun);
    return () => void begun.stop();
  }, []);
  if (live === undefined) return null;
  return (
    <LiveContext value={live}>
      <StaleFrame>
        <div className={styles.frame}>
          <Rail />
          <Banner />
          <main className={styles.screen}>
            <Outlet />
          </main>
        </div>
      </StaleFrame>
    </LiveContext>
  );
}
