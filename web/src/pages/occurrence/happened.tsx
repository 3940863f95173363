// What happened in the occurrence, from its raise on, with the time of the plant.

import type { AlarmEvent, AlarmHistory } from '@tocsin/client';
import type { ReactElement } from 'react';
import { Line } from '../../components/timeline/line.tsx';
import type { TimelineLine } from '../../components/timeline/past-lines.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './occurrence-page.module.css';
import { PartState } from './part-state.tsx';
import { useTimeText } from './use-time-text.ts';

type HappenedProps = {
  readonly entry: AlarmHistory;
  readonly lines: readonly TimelineLine[];
  readonly events: { readonly data: readonly AlarmEvent[] | undefined; readonly error: unknown };
};

export function Happened({ entry, lines, events }: HappenedProps): ReactElement {
  const words = useWords().occurrence;
  const { timeOf, isDated } = useTimeText(entry);
  const isCut = events.data !== undefined && !events.data.some(({ event }) => !event.startsWith('call.'));
  return (
    <>
      <PartState {...events} />
      <ol className={styles.lines} data-dated={lines.some(({ at }) => isDated(at)) ? '' : undefined}>
        {lines.map((line) => (
          <Line key={line.key} line={line} time={timeOf(line.at)} />
        ))}
      </ol>
      {isCut ? <p className={styles.means}>{words.eventsGone}</p> : null}
    </>
  );
}
