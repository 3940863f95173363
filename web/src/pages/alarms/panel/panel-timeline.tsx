// One line of time through "now": who is called next above it, what happened below it.

import { useQuery } from '@tanstack/react-query';
import { explainAlarm, type FullAlarm, getAlarmTimeline } from '@tocsin/client';
import type { ReactElement } from 'react';
import {
  IconBellRinging,
  IconCheck,
  IconCircle,
  IconEyeOff,
  IconMessage,
  IconMessageCheck,
  IconPhoneCheck,
  IconPhoneOutgoing,
  IconPhoneX,
  IconRefresh,
  IconUsersGroup,
} from '../../../components/icons.tsx';
import { plainText } from '../../../components/plain-text.ts';
import { useCallGroups } from '../../../data/directory.ts';
import { hasFigures } from '../../../data/lists/list-state.ts';
import { refetchEvery } from '../../../data/lists/query-failures.ts';
import { useNames } from '../../../data/names.ts';
import { useNow } from '../../../data/time/now.ts';
import { usePlantClock } from '../../../data/time/plant-clock.ts';
import { useLive } from '../../../data/use-live.ts';
import { momentText } from '../../../words/times.ts';
import { useWords } from '../../../words/use-words.ts';
import styles from './panel-timeline.module.css';
import { notCalledOf, type TimelineIcon, type TimelineLine, timelineOf } from './timeline-lines.ts';

const explainEveryMs = 30_000;

export function PanelTimeline({ alarm }: { readonly alarm: FullAlarm }): ReactElement {
  const words = useWords();
  const names = useNames();
  const groups = useCallGroups().data;
  const now = useNow();
  const version = useCallVersion(alarm.id);
  const { callList } = useLive();
  const explanation = useQuery({
    queryKey: ['explain', alarm.id, alarm.lastChange, version],
    queryFn: () => explainAlarm(alarm.id),
    refetchInterval: refetchEvery(explainEveryMs),
    placeholderData: (before) => before,
  });
  const events = useQuery({
    queryKey: ['timeline', alarm.id, alarm.lastChange, version],
    queryFn: () => getAlarmTimeline(alarm.id),
    placeholderData: (before) => before,
  });
  const groupName = (id: number | undefined): string => groups?.get(id ?? 0)?.name ?? words.calling.lastResort;
  const isCalled = version !== '';
  const { ahead, past } = timelineOf(explanation.data, isCalled, events.data ?? [], now, { words, names, groupName });
  const isNobodyCalled =
    hasFigures(callList) && explanation.data !== undefined && alarm.state === 3 && !alarm.masked && ahead.length === 0;
  const notCalled = isCalled && explanation.data !== undefined ? notCalledOf(explanation.data, names) : [];
  const failed = [explanation, events].find(({ data, error }) => data === undefined && error !== null);
  return (
    <ol className={styles.timeline}>
      {failed === undefined ? null : <li className={styles.nobody}>{words.lists.failed}</li>}
      {isNobodyCalled ? <li className={styles.nobody}>{words.panel.nobodyCalled}</li> : null}
      {explanation.data?.inert.map(({ type, id, reason }) => (
        <li key={`${type}-${id}-${reason}`} className={styles.nobody}>
          {plainText(reason)}
        </li>
      ))}
      {ahead.map((line) => (
        <Line key={line.key} line={line} isAhead />
      ))}
      {notCalled.length === 0 ? null : (
        <li className={styles.notCalled}>
          {words.panel.notCalled}: {plainText(notCalled.join(' · '))}
        </li>
      )}
      <li className={styles.now}>
        <span>{words.panel.now}</span>
      </li>
      {past.map((line) => (
        <Line key={line.key} line={line} />
      ))}
    </ol>
  );
}

/** Changes with every change of the calls for the alarm, so that what is shown of them is read again; empty without a call. */
function useCallVersion(alarmId: number): string {
  const { calls } = useLive();
  return [...calls.values()]
    .filter(({ causes }) => causes.some((cause) => cause.alarmId === alarmId))
    .map(({ id, phase, round, people }) => `${id}${phase}${round}${people.map(({ step, attempt }) => step + attempt)}`)
    .join();
}

const icons: Readonly<Record<TimelineIcon, typeof IconCheck>> = {
  call: IconPhoneOutgoing,
  reached: IconPhoneCheck,
  unanswered: IconPhoneX,
  text: IconMessageCheck,
  group: IconUsersGroup,
  round: IconRefresh,
  raised: IconBellRinging,
  acknowledged: IconCheck,
  cleared: IconCircle,
  comment: IconMessage,
  masked: IconEyeOff,
  other: IconCircle,
};

function Line({ line, isAhead }: { readonly line: TimelineLine; readonly isAhead?: boolean }): ReactElement {
  const clock = usePlantClock();
  const now = useNow();
  const Icon = icons[line.icon];
  return (
    <li className={styles.line} data-ahead={isAhead ? '' : undefined}>
      <span className={`${styles.time} figures`}>{momentText(clock, line.at, now)}</span>
      <span className={styles.icon}>
        <Icon size={13} stroke={1.75} />
      </span>
      <span className={styles.text}>
        <span className="isolate">{plainText(line.text)}</span>
        {line.why === '' ? null : <span className={styles.why}> — {plainText(line.why)}</span>}
      </span>
    </li>
  );
}
