// Attempts to reach people as a table, on a phone as a list: when, for what, whom, by which number, and what came of it.

import { Link } from '@tanstack/react-router';
import type { CallHistory } from '@tocsin/client';
import type { ReactElement } from 'react';
import { useAlarmViews } from '../../data/alarm-views.tsx';
import { type AttemptOutcome, outcomeOf } from '../../data/attempt-outcome.ts';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { minutesText, momentText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import { Avatar } from '../avatar.tsx';
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
  IconSpeakerphone,
} from '../icons.tsx';
import { Mark } from '../mark.tsx';
import { plainText } from '../plain-text.ts';
import styles from './attempt-table.module.css';

type TableProps = {
  readonly attempts: readonly CallHistory[];
  /** Whether each says what it was for, and leads there; else it is a part of a page that others read, too. */
  readonly withCause?: boolean;
  /** How the time of an attempt is shown. */
  readonly timeOf?: ((at: number) => string) | undefined;
  /** The attempt that a link leads to. */
  readonly meant?: number | undefined;
};

export function AttemptTable({ attempts, withCause = false, timeOf, meant }: TableProps): ReactElement {
  const { columns, what } = useWords().calls;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{columns.time}</th>
          {withCause ? <th scope="col">{what}</th> : null}
          <th scope="col">{columns.person}</th>
          <th scope="col">{columns.channel}</th>
          <th scope="col">{columns.number}</th>
          <th scope="col" className={styles.right}>
            {columns.attempt}
          </th>
          <th scope="col">{columns.outcome}</th>
          <th scope="col">{columns.detail}</th>
          <th scope="col" className={styles.right}>
            {columns.took}
          </th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt) => (
          <Attempt key={attempt.id} {...{ attempt, withCause, timeOf }} isMeant={attempt.id === meant} />
        ))}
      </tbody>
    </table>
  );
}

/** The id of the row of an attempt, for the fragment of an address. */
export function attemptAnchor(id: number): string {
  return `attempt-${id}`;
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

type AttemptProps = Required<Pick<TableProps, 'withCause'>> &
  Pick<TableProps, 'timeOf'> & { readonly attempt: CallHistory; readonly isMeant: boolean };

function Attempt({ attempt, withCause, timeOf, isMeant }: AttemptProps): ReactElement {
  const words = useWords();
  const { byId } = useNames({ saysYou: withCause });
  const clock = usePlantClock();
  const now = useNow();
  const outcome = outcomeOf(attempt);
  const OutcomeIcon = icons[outcome];
  const start = Date.parse(attempt.startTime);
  const name = attempt.userId === 0 ? attempt.user : byId(attempt.userId);
  const took = attempt.endTime === undefined ? now - start : Date.parse(attempt.endTime) - start;
  const isTried = attempt.attempt > 0;
  return (
    <tr id={attemptAnchor(attempt.id)} data-outcome={outcome} data-meant={isMeant ? '' : undefined}>
      <td className={`${styles.time} figures`}>{timeOf?.(start) ?? momentText(clock, start, now)}</td>
      {withCause ? (
        <td className={styles.cause}>
          <Cause attempt={attempt} />
        </td>
      ) : null}
      <td className={styles.who}>
        <span className={styles.person}>
          <Avatar name={name} /> <b>{name}</b>
        </span>
      </td>
      <td className={styles.channel}>{attempt.channel === '' ? '—' : words.timeline.channel(attempt.channel)}</td>
      <td className={`${styles.number} mono`}>
        {isStandIn(attempt) ? words.calls.simulatedPhone : hidden(attempt.address)}
      </td>
      <td className={`${styles.try} ${styles.right} figures`} data-name={words.calls.columns.attempt}>
        {attempt.attempt}
      </td>
      <td className={styles.outcome}>
        <OutcomeIcon size={16} stroke={1.75} /> {isTried ? words.calls.outcome[outcome] : words.calls.notCalled}
      </td>
      <td className={styles.detail} title={plainText(attempt.detail)}>
        {plainText(attempt.detail)}
      </td>
      <td className={`${styles.took} ${styles.right} figures`}>{isTried ? minutesText(took) : ''}</td>
    </tr>
  );
}

/** The mark and the text of the alarm, which lead to its occurrence; for what is no alarm an icon with its name. */
function Cause({ attempt }: { readonly attempt: CallHistory }): ReactElement {
  const words = useWords().calls;
  const { alarmId, occurrenceId, priority = 4, cause, text, id } = attempt;
  const alarm = useAlarmViews().find((one) => one.id === alarmId);
  if (alarmId === undefined) {
    const CauseIcon = cause === 'test' ? IconSpeakerphone : IconMessage;
    return (
      <span className={styles.link}>
        <CauseIcon size={16} stroke={1.75} /> {words.cause[cause]}
      </span>
    );
  }
  const said = plainText(text ?? alarm?.text ?? words.cause[cause]);
  const shown = (
    <>
      <Mark {...(alarm ?? { priority, state: 1, masked: false, system: false })} size={16} />{' '}
      <span className={`${styles.text} isolate`} title={said}>
        {said}
      </span>
    </>
  );
  // Attempts of earlier versions do not name their occurrence.
  return occurrenceId === undefined ? (
    <Link to="/alarms" search={{ id: alarmId }} className={styles.link ?? ''}>
      {shown}
    </Link>
  ) : (
    <Link to="/occurrence" search={{ id: occurrenceId }} hash={attemptAnchor(id)} className={styles.link ?? ''}>
      {shown}
    </Link>
  );
}

/** A number on a shared screen shows its beginning and its end. */
/** Who has no number is called on a phone that the server simulates, under a name of its own. */
function isStandIn({ channel, address }: CallHistory): boolean {
  return channel === 'simulator' && address === 'simulated phone';
}

function hidden(address: string): string {
  return /^\+?\d{7,}$/.test(address) ? `${address.slice(0, 4)} •• •• ${address.slice(-3)}` : plainText(address);
}
