// What happened in the occurrence, from its raise on, with the time of the plant.

import type { AlarmEvent, AlarmHistory } from '@tocsin/client';
import type { ReactElement } from 'react';
import { Line } from '../../components/timeline/line.tsx';
import { useWords } from '../../words/use-words.ts';
import styles from './occurrence-page.module.css';
import { PartState } from './part-state.tsx';
import { isCut, type StoryLine } from './story.ts';
import { useTimeText } from './use-time-text.ts';

type HappenedProps = {
  readonly entry: AlarmHistory;
  readonly lines: readonly StoryLine[];
  readonly events: { readonly data: readonly AlarmEvent[] | undefined; readonly error: unknown };
};

export function Happened({ entry, lines, events }: HappenedProps): ReactElement {
  const words = useWords().occurrence;
  const { timeOf, isDated } = useTimeText(entry);
  const isLater = lines.some(({ at }) => at !== undefined && isDated(at));
  return (
    <>
      <PartState {...events} />
      <ol className={styles.lines} data-dated={isLater ? '' : undefined}>
        {lines.map((line) => (
          <Line key={line.key} line={line} time={line.at === undefined ? '' : timeOf(line.at)} />
        ))}
      </ol>
      {isCut(events.data) ? <p className={styles.means}>{words.eventsGone}</p> : null}
    </>
  );
}
