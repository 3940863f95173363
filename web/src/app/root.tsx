// The frame of the console: the sign-in without a session, banner, rail and screen with one.

import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { type ReactElement, useEffect, useState, useSyncExternalStore } from 'react';
import { AlarmViewsProvider } from '../data/alarm-views.tsx';
import { LiveAlarms } from '../data/live-alarms.ts';
import { currentSession, expiredSession, onSession } from '../data/session.ts';
import { LiveContext } from '../data/use-live.ts';
import { SignInAgain } from '../pages/sign-in/sign-in-again.tsx';
import { SignInPage } from '../pages/sign-in/sign-in-page.tsx';
import { useWords } from '../words/use-words.ts';
import { Banner } from './banner.tsx';
import { Rail } from './rail.tsx';
import { ReadNotice } from './read-notice.tsx';
import styles from './root.module.css';
import { ScreenPlace } from './screen-place.tsx';
import { SessionNotice } from './session-notice.tsx';
import { StaleFrame } from './stale-frame.tsx';

export function Root(): ReactElement {
  const session = useSyncExternalStore(onSession, currentSession);
  const expired = useSyncExternalStore(onSession, expiredSession);
  const shown = session ?? expired;
  const queries = useQueryClient();
  // What was refused without a session is read again with the new one.
  useEffect(() => {
    if (session !== undefined) void queries.invalidateQueries();
  }, [queries, session]);
  if (shown === undefined) return <SignInPage />;
  // A session that ended before its time was revoked: who did that wants nobody to read on. It stays mounted for what was typed.
  const isRevoked = session === undefined && shown.expiresAt > Date.now();
  return (
    <>
      <div style={{ display: isRevoked ? 'none' : 'contents' }}>
        <SignedIn key={shown.name} />
      </div>
      {session === undefined ? <SignInAgain name={shown.name} /> : null}
    </>
  );
}

/** What is read of the history and is no event of the hub. */
const countedFromHistory = [['history'], ['statistics']] as const;

/** The live alarms begin with the session and end with it. */
function SignedIn(): ReactElement | null {
  const [live, setLive] = useState<LiveAlarms>();
  const queries = useQueryClient();
  useEffect(() => {
    const begun = new LiveAlarms();
    begun.start();
    setLive(begun);
    // A feed that was refused with an old token connects at once with the new one.
    const forget = onSession(() => begun.retryNow());
    const forgetGap = begun.onGap(() => void queries.invalidateQueries());
    const forgetHistory = begun.onHistory(() => {
      for (const queryKey of countedFromHistory) void queries.invalidateQueries({ queryKey });
    });
    return () => {
      forget();
      forgetGap();
      forgetHistory();
      void begun.stop();
    };
  }, [queries]);
  if (live === undefined) return null;
  return (
    <LiveContext value={live}>
      <AlarmViewsProvider>
        <StaleFrame>
          <div className={styles.frame}>
            <SkipLink />
            <Rail />
            <Banner />
            <main className={styles.screen} tabIndex={-1}>
              <SessionNotice />
              <ReadNotice />
              <Screen />
            </main>
          </div>
        </StaleFrame>
      </AlarmViewsProvider>
    </LiveContext>
  );
}

/** Leads past banner and rail to the list of the screen, or to the screen itself. */
function SkipLink(): ReactElement {
  const words = useWords().screens;
  const skip = (): void => {
    const screen = document.querySelector('main');
    (screen?.querySelector<HTMLElement>('[role=grid]') ?? screen)?.focus();
  };
  return (
    <button type="button" className={styles.skip} onClick={skip}>
      {words.skip}
    </button>
  );
}

function Screen(): ReactElement {
  const { href } = useLocation();
  const queries = useQueryClient();
  // An answer that a screen cannot show would make it throw again: only what the frame uses is kept.
  const forget = (): void => queries.removeQueries({ type: 'inactive' });
  return (
    <ScreenPlace address={href} beforeRetry={forget}>
      <Outlet />
    </ScreenPlace>
  );
}
