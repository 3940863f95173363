// The attempts to reach people in the occurrence; the one of the fragment of the address is shown and marked.

import { useLocation } from '@tanstack/react-router';
import type { AlarmHistory, CallHistory } from '@tocsin/client';
import { type ReactElement, useEffect } from 'react';
import { AttemptTable, attemptAnchor } from '../../components/attempts/attempt-table.tsx';
import { useWords } from '../../words/use-words.ts';
import styles from './occurrence-page.module.css';
import { PartState } from './part-state.tsx';
import { useTimeText } from './use-time-text.ts';

type CalledProps = {
  readonly entry: AlarmHistory;
  readonly attempts: { readonly data: readonly CallHistory[] | undefined; readonly error: unknown };
};

export function Called({ entry, attempts }: CalledProps): ReactElement {
  const words = useWords().occurrence;
  const { timeOf } = useTimeText(entry);
  const { hash } = useLocation();
  const meant = attempts.data?.find(({ id }) => attemptAnchor(id) === hash)?.id;
  useEffect(() => {
    if (meant !== undefined) document.getElementById(attemptAnchor(meant))?.scrollIntoView({ block: 'center' });
  }, [meant]);
  return (
    <div className={styles.attempts}>
      <PartState {...attempts} />
      {attempts.data?.length === 0 ? <p>{words.nobodyCalled}</p> : null}
      {attempts.data === undefined || attempts.data.length === 0 ? null : (
        <AttemptTable attempts={attempts.data} timeOf={timeOf} meant={meant} />
      )}
    </div>
  );
}
