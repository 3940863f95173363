// Who of the groups of the alarm was not called, and why.

import type { AlarmHistory, CallHistory, Explanation } from '@tocsin/client';
import type { ReactElement } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { plainText } from '../../components/plain-text.ts';
import { calledIn, notCalledOf } from '../../components/timeline/not-called.ts';
import { both, type Read } from '../../data/lists/read.ts';
import { useNames } from '../../data/names.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './occurrence-page.module.css';
import { useExplanation } from './use-occurrence.ts';

type NotCalledProps = { readonly entry: AlarmHistory; readonly attempts: Read<readonly CallHistory[]> };

export function NotCalled({ entry, attempts }: NotCalledProps): ReactElement | null {
  return both(attempts, useExplanation(entry)).when<ReactElement | null>({
    unread: (state) => <ListNote state={state} />,
    known: ([made, explanation]) =>
      explanation === null ? null : <Reasons entry={entry} made={made} explanation={explanation} />,
  });
}

type ReasonsProps = {
  readonly entry: AlarmHistory;
  readonly made: readonly CallHistory[];
  readonly explanation: Explanation;
};

function Reasons({ entry, made, explanation }: ReasonsProps): ReactElement | null {
  const words = useWords().occurrence;
  const names = useNames({ saysYou: false });
  const explained = { calls: explanation.calls, made };
  const called = new Set(made.map(({ userId }) => userId));
  const spared = entry.ackTime === undefined ? [] : [...calledIn(explained)].filter((id) => !called.has(id));
  const lines = [...spared.map((id) => `${names.byId(id)}: ${words.takenBefore}`), ...notCalledOf(explained, names)];
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{words.notCalled}</h3>
      <ul className={styles.notCalled}>
        {lines.map((line) => (
          <li key={line}>{plainText(line)}</li>
        ))}
      </ul>
      <p className={styles.means}>{words.notCalledMeans}</p>
    </>
  );
}
