// What Tocsin is for, whether the server is ready, and a still picture of the list: never live data before the sign-in.

import type { ReactElement } from 'react';
import { IconClock, IconLock, IconLockOpen, IconPlugConnected } from '../../components/icons.tsx';
import { Mark, SystemMark } from '../../components/mark.tsx';
import { failureOf } from '../../data/lists/list-state.ts';
import { useRead } from '../../data/lists/use-read.ts';
import { basePath } from '../../data/server.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { shortTimeText, zoneText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { picture } from './picture.ts';
import styles from './pitch.module.css';

type Ready = { readonly checks?: readonly { readonly name: string; readonly ok: boolean; readonly detail?: string }[] };

async function readReadiness(): Promise<Ready> {
  const response = await fetch(`${basePath}/health/ready`);
  return (await response.json()) as Ready;
}

export function Pitch(): ReactElement {
  const words = useWords();
  const now = useNow();
  const clock = usePlantClock();
  const isEncrypted = location.protocol === 'https:';
  const Lock = isEncrypted ? IconLock : IconLockOpen;
  return (
    <section className={styles.pitch}>
      <p className={styles.promise}>
        {words.signIn.promise.map((sentence) => (
          <span key={sentence}>{sentence}</span>
        ))}
      </p>
      <ul className={styles.facts}>
        <ServerReady />
        <li>
          <Lock size={17} stroke={1.75} /> {isEncrypted ? words.signIn.encrypted : words.signIn.notEncrypted}
        </li>
        <li>
          <IconClock size={17} stroke={1.75} /> {shortTimeText(clock, now)} {zoneText(clock, now)}
        </li>
      </ul>
      <Still />
    </section>
  );
}

function ServerReady(): ReactElement {
  const words = useWords().signIn;
  const { lists } = useWords();
  const ready = useRead({ queryKey: ['ready'], queryFn: readReadiness, refetchInterval: 10_000 });
  const failed = ready.choices(({ checks = [] }) => checks).find(({ ok }) => !ok);
  const trouble =
    failureOf(ready.state) === undefined ? failed && words.notReady(failed.detail ?? failed.name) : words.noServer;
  if (trouble !== undefined)
    return (
      <li className={styles.trouble}>
        <SystemMark size={14} /> {trouble}
      </li>
    );
  return (
    <li>
      <IconPlugConnected size={17} stroke={1.75} /> {ready.name(() => words.ready, lists.reading)}
    </li>
  );
}

/** Without a meaning for those who listen: it shows a plant that does not exist. */
function Still(): ReactElement {
  return (
    <div className={styles.still} aria-hidden="true">
      {picture.map((row) => (
        <div key={row.text} className={styles.row} data-new={(row.state & 2) !== 0 && !row.masked ? '' : undefined}>
          <Mark {...row} size={20} isDecorative />
          <span className="figures">{row.time}</span>
          <span className={styles.quiet}>{row.station}</span>
          <span className={styles.text}>{row.text}</span>
          <span className={`${styles.quiet} mono`}>{row.value}</span>
          <span className={styles.quiet}>{row.who}</span>
        </div>
      ))}
    </div>
  );
}
