// Who of the groups of the alarm was not called, and why.

import type { AlarmHistory, CallHistory } from '@tocsin/client';
import type { ReactElement } from 'react';
import { plainText } from '../../components/plain-text.ts';
import { calledIn, notCalledOf } from '../../components/timeline/not-called.ts';
import { useNames } from '../../data/names.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './occurrence-page.module.css';
import { useExplanation } from './use-occurrence.ts';

type NotCalledProps = { readonly entry: AlarmHistory; readonly attempts: readonly CallHistory[] | undefined };

export function NotCalled({ entry, attempts }: NotCalledProps): ReactElement | null {
  const words = useWords().occurrence;
  const names = useNames({ saysYou: false });
  const explanation = useExplanation(entry).data;
  if (attempts === undefined || !explanation) return null;
  const explained = { calls: explanation.calls, made: attempts };
  const made = new Set(attempts.map(({ userId }) => userId));
  const spared = entry.ackTime === undefined ? [] : [...calledIn(explained)].filter((id) => !made.has(id));
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
