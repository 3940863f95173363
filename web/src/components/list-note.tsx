// Stands in the place of a list that is not there: it is being read, or why it is not; the notice below the screen says when it is tried again.

import type { ReactElement } from 'react';
import type { ListState } from '../data/lists/list-state.ts';
import { useWords } from '../words/use-words.ts';
import styles from './list-note.module.css';

export function ListNote({ state }: { readonly state: ListState }): ReactElement | null {
  const words = useWords().lists;
  if (state.kind === 'reading') return <p className={styles.note}>{words.reading}</p>;
  if (state.kind !== 'failed') return null;
  // What was refused is told by nobody else.
  return <p className={styles.note}>{state.retryAt === undefined ? state.reason : words.failed}</p>;
}
