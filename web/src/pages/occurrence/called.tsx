// The attempts to reach people in the occurrence; the one of the fragment of the address is shown and marked.

import { useLocation } from '@tanstack/react-router';
import type { AlarmHistory, CallHistory } from '@tocsin/client';
import { type ReactElement, useEffect } from 'react';
import { AttemptTable, attemptAnchor } from '../../components/attempts/attempt-table.tsx';
import { ListNote } from '../../components/list-note.tsx';
import type { Read } from '../../data/lists/read.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './occurrence-page.module.css';
import { useTimeText } from './use-time-text.ts';

type CalledProps = {
  readonly entry: AlarmHistory;
  readonly attempts: Read<readonly CallHistory[]>;
};

export function Called({ entry, attempts }: CalledProps): ReactElement {
  const words = useWords().occurrence;
  const { timeOf } = useTimeText(entry);
  const { hash } = useLocation();
  const all = attempts.choices((known) => known);
  const meant = all.find(({ id }) => attemptAnchor(id) === hash)?.id;
  useEffect(() => {
    if (meant !== undefined) document.getElementById(attemptAnchor(meant))?.scrollIntoView({ block: 'center' });
  }, [meant]);
  return (
    <div className={styles.attempts}>
      <ListNote state={attempts.state} />
      {attempts.isKnown(({ length }) => length === 0) ? <p>{words.nobodyCalled}</p> : null}
      {all.length === 0 ? null : <AttemptTable attempts={all} timeOf={timeOf} meant={meant} />}
    </div>
  );
}
