// What happened in the occurrence, from its raise on, with the time of the plant.

import type { AlarmEvent, AlarmHistory } from '@tocsin/client';
import type { ReactElement } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { Line } from '../../components/timeline/line.tsx';
import type { Read } from '../../data/lists/read.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './occurrence-page.module.css';
import { missingOf, type StoryLine } from './story.ts';
import { useTimeText } from './use-time-text.ts';

type HappenedProps = {
  readonly entry: AlarmHistory;
  readonly lines: readonly StoryLine[];
  readonly events: Read<readonly AlarmEvent[]>;
};

export function Happened({ entry, lines, events }: HappenedProps): ReactElement {
  const words = useWords().occurrence;
  const { timeOf, isDated } = useTimeText(entry);
  const missing = events.when({ known: missingOf, unread: () => undefined });
  const isLater = lines.some(({ at }) => at !== undefined && isDated(at));
  return (
    <>
      <ListNote state={events.state} />
      <ol className={styles.lines} data-dated={isLater ? '' : undefined}>
        {lines.map((line) => (
          <Line key={line.key} line={line} time={line.at === undefined ? '' : timeOf(line.at)} />
        ))}
      </ol>
      {missing === undefined ? null : <p className={styles.means}>{words.missing[missing]}</p>}
    </>
  );
}
