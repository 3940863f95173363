// What was tried: the newest attempts with their outcomes; delivered, call confirmed and alarm acknowledged are apart.

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CallHistory, listCallHistories } from '@tocsin/client';
import type { ReactElement } from 'react';
import { Avatar } from '../../components/avatar.tsx';
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
} from '../../components/icons.tsx';
import { ListNote } from '../../components/list-note.tsx';
import { Mark } from '../../components/mark.tsx';
import { plainText } from '../../components/plain-text.ts';
import { type AlarmView, useAlarmViews } from '../../data/alarm-views.tsx';
import { type AttemptOutcome, outcomeOf } from '../../data/attempt-outcome.ts';
import { useNames } from '../../data/names.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { startOfDay } from '../../data/time/zone-time.ts';
import { useLive } from '../../data/use-live.ts';
import { minutesText, momentText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import type { CallsSearch, Since } from './calls-search.ts';
import styles from './tried.module.css';
import { TriedFilters } from './tried-filters.tsx';

const shown = 200;
const hourMs = 3_600_000;
const lengths: Readonly<Record<Since, number>> = { '3h': 3 * hourMs, '7d': 7 * 24 * hourMs, '30d': 30 * 24 * hourMs };

/** The attempts of the filter, read again whenever a call changes. */
function useAttempts({ person, group, since }: CallsSearch) {
  const { timeZone } = usePlantClock();
  const { callsVersion } = useLive();
  const minute = Math.floor(useNow() / 60_000) * 60_000;
  const from = since === undefined ? startOfDay(minute, timeZone) : minute - lengths[since];
  return useQuery({
    queryKey: ['tried', callsVersion, person, group, from],
    queryFn: () =>
      listCallHistories({
        sort: '-id',
        limit: shown,
        $from: new Date(from).toISOString(),
        ...(person === undefined ? {} : { userId: person }),
        ...(group === undefined ? {} : { callGroupId: group }),
      }),
    placeholderData: (before) => before,
  });
}

type TriedProps = { readonly search: CallsSearch; readonly change: (search: CallsSearch) => void };

export function Tried({ search, change }: TriedProps): ReactElement {
  const words = useWords().calls;
  const { data, error } = useAttempts(search);
  const alarms = new Map(useAlarmViews().map((alarm) => [alarm.id, alarm]));
  const attempts = data?.items.filter((one) => search.outcome === undefined || outcomeOf(one) === search.outcome);
  return (
    <div className={styles.tried}>
      <header className={styles.head}>
        <h2>{words.tried}</h2>
        <TriedFilters search={search} change={change} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <section className={styles.scroll} tabIndex={0} aria-label={words.tried}>
        <ListNote isRead={data !== undefined} error={error} />
        {attempts?.length === 0 ? <p className={styles.none}>{words.nothingTried}</p> : null}
        {attempts === undefined || attempts.length === 0 ? null : (
          <table>
            <Heads />
            <tbody>
              {attempts.map((attempt) => (
                <Attempt key={attempt.id} attempt={attempt} alarm={alarms.get(attempt.alarmId ?? 0)} />
              ))}
            </tbody>
          </table>
        )}
      </section>
    </div>
  );
}

function Heads(): ReactElement {
  const { columns, what } = useWords().calls;
  return (
    <thead>
      <tr>
        <th scope="col">{columns.time}</th>
        <th scope="col">
          <span className="unseen">{what}</span>
        </th>
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

type AttemptProps = { readonly attempt: CallHistory; readonly alarm: AlarmView | undefined };

function Attempt({ attempt, alarm }: AttemptProps): ReactElement {
  const words = useWords();
  const { byId } = useNames();
  const clock = usePlantClock();
  const now = useNow();
  const outcome = outcomeOf(attempt);
  const OutcomeIcon = icons[outcome];
  const start = Date.parse(attempt.startTime);
  const name = attempt.userId === 0 ? attempt.user : byId(attempt.userId);
  const took = attempt.endTime === undefined ? now - start : Date.parse(attempt.endTime) - start;
  return (
    <tr data-outcome={outcome}>
      <td className="figures">{momentText(clock, start, now)}</td>
      <td>
        <Cause attempt={attempt} alarm={alarm} />
      </td>
      <td>
        <span className={styles.person}>
          <Avatar name={name} /> <b>{name}</b>
        </span>
      </td>
      <td>{attempt.channel === '' ? '—' : words.timeline.channel(attempt.channel)}</td>
      <td className="mono">{hidden(attempt.address)}</td>
      <td className={`${styles.right} figures`}>{attempt.attempt}</td>
      <td className={styles.outcome}>
        <OutcomeIcon size={16} stroke={1.75} /> {words.calls.outcome[outcome]}
      </td>
      <td className={styles.detail} title={plainText(attempt.detail)}>
        {plainText(attempt.detail)}
      </td>
      <td className={`${styles.right} figures`}>{attempt.attempt === 0 ? '' : minutesText(took)}</td>
    </tr>
  );
}

/** The mark of the alarm, which opens it; for what is no alarm an icon with its name. */
function Cause({ attempt, alarm }: AttemptProps): ReactElement {
  const words = useWords().calls.cause;
  const { alarmId, priority = 4, cause } = attempt;
  if (alarmId !== undefined) {
    const mark = alarm ?? { priority, state: 1, masked: false, system: false };
    return (
      <Link to="/alarms" search={{ id: alarmId }} title={alarm?.text} className={styles.mark ?? ''}>
        <Mark {...mark} size={16} />
      </Link>
    );
  }
  const CauseIcon = cause === 'test' ? IconSpeakerphone : IconMessage;
  return (
    <span title={words[cause]}>
      <CauseIcon size={16} stroke={1.75} />
      <span className="unseen">{words[cause]}</span>
    </span>
  );
}

/** A number on a shared screen shows its beginning and its end. */
function hidden(address: string): string {
  return /^\+?\d{7,}$/.test(address) ? `${address.slice(0, 4)} •• •• ${address.slice(-3)}` : plainText(address);
}
