// One line of time through "now": who is called next above it, what happened below it.

import { explainAlarm, type FullAlarm, getAlarmTimeline } from '@tocsin/client';
import type { ReactElement } from 'react';
import { ListNote } from '../../../components/list-note.tsx';
import { plainText } from '../../../components/plain-text.ts';
import { Line } from '../../../components/timeline/line.tsx';
import { notCalledOf } from '../../../components/timeline/not-called.ts';
import { useCallGroups } from '../../../data/directory.ts';
import { hasFigures } from '../../../data/lists/list-state.ts';
import { refetchEvery } from '../../../data/lists/query-failures.ts';
import { both } from '../../../data/lists/read.ts';
import { useCallVersion } from '../../../data/lists/use-call-version.ts';
import { useRead } from '../../../data/lists/use-read.ts';
import { useNames } from '../../../data/names.ts';
import { useNow } from '../../../data/time/now.ts';
import { usePlantClock } from '../../../data/time/plant-clock.ts';
import { useLive } from '../../../data/use-live.ts';
import { momentText } from '../../../words/times.ts';
import { useWords } from '../../../words/use-words.ts';
import styles from './panel-timeline.module.css';
import { aheadOf, pastOf } from './timeline-lines.ts';

const explainEveryMs = 30_000;

export function PanelTimeline({ alarm }: { readonly alarm: FullAlarm }): ReactElement {
  const words = useWords();
  const names = useNames();
  const groups = useCallGroups();
  const now = useNow();
  const clock = usePlantClock();
  const version = useCallVersion(alarm.id);
  const { callList } = useLive();
  const explanation = useRead({
    question: [alarm.id],
    queryKey: ['explain', alarm.id, alarm.lastChange, version],
    queryFn: () => explainAlarm(alarm.id),
    refetchInterval: refetchEvery(explainEveryMs),
  });
  const events = useRead({
    question: [alarm.id],
    queryKey: ['timeline', alarm.id, alarm.lastChange, version],
    queryFn: () => getAlarmTimeline(alarm.id),
  });
  const groupName = (id: number | undefined): string =>
    !id ? words.calling.lastResort : groups.name((all) => all.get(id)?.name, `#${id}`);
  const isCalled = version !== '';
  const facts = { words, names, groupName };
  const ahead = explanation.choices((known) => aheadOf(known, isCalled, now, facts));
  const past = pastOf(
    explanation.choices(({ made }) => made),
    events.choices((known) => known),
    facts,
  );
  const isNobodyCalled =
    hasFigures(callList) && explanation.isKnown() && alarm.state === 3 && !alarm.masked && ahead.length === 0;
  const notCalled = explanation.choices((known) => (isCalled ? notCalledOf(known, names) : []));
  const { state } = both(explanation, events);
  return (
    <ol className={styles.timeline}>
      {hasFigures(state) ? null : (
        <li className={styles.nobody}>
          <ListNote state={state} />
        </li>
      )}
      {isNobodyCalled ? <li className={styles.nobody}>{words.panel.nobodyCalled}</li> : null}
      {explanation
        .choices(({ inert }) => inert)
        .map(({ type, id, reason }) => (
          <li key={`${type}-${id}-${reason}`} className={styles.nobody}>
            {plainText(reason)}
          </li>
        ))}
      {ahead.map((line) => (
        <Line key={line.key} line={line} time={momentText(clock, line.at, now)} isAhead />
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
        <Line key={line.key} line={line} time={momentText(clock, line.at, now)} />
      ))}
    </ol>
  );
}
