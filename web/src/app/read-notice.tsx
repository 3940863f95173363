// Says below every screen that something of it could not be read, why, and when it is tried again: what is missing must
// not look calm.

import type { ReactElement } from 'react';
import { SystemMark } from '../components/mark.tsx';
import { type Failure, failureOf, type ListState } from '../data/lists/list-state.ts';
import { useIsReading, useQueryFailure } from '../data/lists/query-failures.ts';
import { useNow } from '../data/time/now.ts';
import { usePlantClock } from '../data/time/plant-clock.ts';
import { useLive, useTroubles } from '../data/use-live.ts';
import { timeText } from '../words/times.ts';
import { useWords } from '../words/use-words.ts';
import styles from './read-notice.module.css';

/** What the server says that it cannot do; a lost link is told by the bar of the alarms, and in the banner. */
function useServerTroubles(): readonly string[] {
  const words = useWords().trouble;
  const clock = usePlantClock();
  return useTroubles().flatMap((trouble) => {
    if (trouble.kind === 'link') return [];
    const since = timeText(clock, trouble.since);
    if (trouble.kind !== 'calling') return [words[trouble.kind](since)];
    return [`${words.calling(since)} ${trouble.codes.map((code) => words.codes[code] ?? code).join(' · ')}`];
  });
}

export function ReadNotice(): ReactElement | null {
  const words = useWords().lists;
  const server = useServerTroubles();
  const clock = usePlantClock();
  const { alarmList, callList } = useLive();
  const query = useQueryFailure();
  const asOf = (at: number): string => words.asOf(timeText(clock, at));
  const ofList = (list: ListState, text: string): [text: string, failure: Failure][] => {
    const failure = failureOf(list);
    return failure === undefined ? [] : [[list.kind === 'stale' ? `${text} ${asOf(list.readAt)}` : text, failure]];
  };
  const ofScreen: readonly [text: string, failure: Failure][] =
    query === undefined ? [] : [[query.readAt === undefined ? words.partFailed : asOf(query.readAt), query]];
  const shown = [...ofList(alarmList, words.alarmsFailed), ...ofList(callList, words.callsFailed), ...ofScreen];
  const isReading = useIsReading();
  if (shown.length + server.length === 0 && !isReading) return null;
  return (
    <ul className={styles.notice} role="status">
      {isReading ? <li>{words.reading}</li> : null}
      {server.map((text) => (
        <li key={text}>
          <SystemMark size={15} />
          <b>{text}</b>
        </li>
      ))}
      {shown.map(([text, failure]) => (
        <li key={text}>
          <SystemMark size={15} />
          <span>
            <b>{text}</b> <Reason {...failure} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Reason({ reason, retryAt }: Failure): ReactElement {
  const words = useWords().lists;
  const now = useNow();
  const seconds = retryAt === undefined ? undefined : Math.ceil((retryAt - now) / 1000);
  const next = seconds === undefined ? '' : seconds > 0 ? words.nextTry(seconds) : words.trying;
  return (
    <>
      {reason === '' ? words.noAnswer : reason} <span className="figures">{next}</span>
    </>
  );
}
