// Says a day before that the session ends, so that nobody has to sign in in the middle of an alarm.

import type { ReactElement } from 'react';
import { currentSession } from '../data/session.ts';
import { useNow } from '../data/time/now.ts';
import { usePlantClock } from '../data/time/plant-clock.ts';
import { momentText } from '../words/times.ts';
import { useWords } from '../words/use-words.ts';
import styles from './session-notice.module.css';

const noticeMs = 86_400_000;

export function SessionNotice(): ReactElement | null {
  const words = useWords().signIn;
  const clock = usePlantClock();
  const now = useNow();
  const expiresAt = currentSession()?.expiresAt ?? Number.POSITIVE_INFINITY;
  if (expiresAt - now > noticeMs) return null;
  return <p className={styles.notice}>{words.endsSoon(momentText(clock, expiresAt, now))}</p>;
}
