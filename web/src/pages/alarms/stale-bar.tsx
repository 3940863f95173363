// Says that nothing came from the server, since when, and when the next attempt is made.

import type { ReactElement } from 'react';
import { Button } from '../../components/button.tsx';
import { SystemMark } from '../../components/mark.tsx';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { useLinkHealth, useLive, useLiveAlarms } from '../../data/use-live.ts';
import { timeText, waitText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './stale-bar.module.css';

/** Says that what was missed is being read; what is shown until then is older. */
export function CatchingUpBar({ since }: { readonly since: number }): ReactElement {
  const words = useWords().stale;
  const clock = usePlantClock();
  return (
    <div className={styles.bar} role="status">
      <p className={styles.title}>{words.catchingUp(timeText(clock, since))}</p>
    </div>
  );
}

export function StaleBar(): ReactElement {
  const words = useWords().stale;
  const live = useLiveAlarms();
  const { link } = useLive();
  const { lastNews, quietForMs = 0 } = useLinkHealth();
  const clock = usePlantClock();
  const now = useNow();
  const next =
    link.kind === 'lost'
      ? words.retry(Math.max(0, Math.ceil((link.retryAt - now) / 1000)), link.attempt)
      : words.trying;
  return (
    <div className={styles.bar} role="alert">
      <SystemMark size={26} />
      <div className={styles.text}>
        <p className={styles.title}>{lastNews === 0 ? words.never : words.title(timeText(clock, lastNews))}</p>
        <p>
          {lastNews === 0 ? '' : words.heard(waitText(quietForMs))} {next} {words.calls}
        </p>
      </div>
      <Button onClick={() => live.retryNow()}>{words.now}</Button>
    </div>
  );
}
