// What was tried: the newest attempts with their outcomes; delivered, call acknowledged and alarm acknowledged are apart.

import { useQuery } from '@tanstack/react-query';
import { type CallHistory, listCallHistories } from '@tocsin/client';
import type { ReactElement } from 'react';
import {
  type Icon,
  IconAlertTriangle,
  IconCheck,
  IconCircleCheck,
  IconClockPause,
  IconMessage,
  IconMessageCheck,
  IconPhoneCheck,
  IconPhoneOff,
  IconPhoneOutgoing,
  IconPhoneX,
} from '../../components/icons.tsx';
import { plainText } from '../../components/plain-text.ts';
import { type AttemptOutcome, outcomeOf } from '../../data/attempt-outcome.ts';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/now.ts';
import { usePlantClock } from '../../data/plant-clock.ts';
import { useLive } from '../../data/use-live.ts';
import { minutesText, momentText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './tried.module.css';

const shown = 100;

export function Tried(): ReactElement {
  const words = useWords().calls;
  const { calls } = useLive();
  const { data } = useQuery({
    queryKey: ['tried', calls],
    queryFn: () => listCallHistories({ sort: '-id', limit: shown }),
    placeholderData: (before) => before,
  });
  return (
    <div className={styles.tried}>
      <h2>{words.tried}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={words.tried}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.columns.time}</th>
              <th scope="col">{words.columns.person}</th>
              <th scope="col">{words.columns.channel}</th>
              <th scope="col">{words.columns.number}</th>
              <th scope="col" className={styles.right}>
                {words.columns.attempt}
              </th>
              <th scope="col">{words.columns.outcome}</th>
              <th scope="col">{words.columns.detail}</th>
              <th scope="col" className={styles.right}>
                {words.columns.took}
              </th>
            </tr>
          </thead>
          <tbody>
            {data?.items.map((attempt) => (
              <Attempt key={attempt.id} attempt={attempt} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

const icons: Readonly<Record<AttemptOutcome, Icon>> = {
  underWay: IconPhoneOutgoing,
  taken: IconCircleCheck,
  confirmed: IconCheck,
  reached: IconPhoneCheck,
  delivered: IconMessageCheck,
  sent: IconMessage,
  unanswered: IconPhoneX,
  busy: IconPhoneX,
  declined: IconPhoneX,
  ended: IconPhoneOff,
  heldBack: IconClockPause,
  failed: IconAlertTriangle,
};

function Attempt({ attempt }: { readonly attempt: CallHistory }): ReactElement {
  const words = useWords().calls;
  const { byId } = useNames();
  const clock = usePlantClock();
  const now = useNow();
  const outcome = outcomeOf(attempt);
  const Icon = icons[outcome];
  const start = Date.parse(attempt.startTime);
  return (
    <tr data-outcome={outcome}>
      <td className="figures">{momentText(clock, start, now)}</td>
      <td>
        <b>{byId(attempt.userId)}</b>
      </td>
      <td>{attempt.channel || '—'}</td>
      <td className="mono">{hidden(attempt.address)}</td>
      <td className={`${styles.right} figures`}>{attempt.attempt}</td>
      <td className={styles.outcome}>
        <Icon size={16} stroke={1.75} /> {words.outcome[outcome]}
      </td>
      <td className={styles.detail}>{plainText(attempt.detail)}</td>
      <td className={`${styles.right} figures`}>
        {attempt.endTime === undefined ? '' : minutesText(Date.parse(attempt.endTime) - start)}
      </td>
    </tr>
  );
}

/** A number on a shared screen shows its beginning and its end. */
function hidden(address: string): string {
  return /^\+?\d{7,}$/.test(address) ? `${address.slice(0, 4)} •• •• ${address.slice(-3)}` : plainText(address);
}
