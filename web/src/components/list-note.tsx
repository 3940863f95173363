// Stands in the place of a list that is not there: it is being read, or could not be; the notice above the screen says why.

import type { ReactElement } from 'react';
import { useWords } from '../words/use-words.ts';
import styles from './list-note.module.css';

type ListNoteProps = {
  /** Whether the list was read, then there is nothing to say. */
  readonly isRead: boolean;
  readonly error: unknown;
};

export function ListNote({ isRead, error }: ListNoteProps): ReactElement | null {
  const words = useWords().lists;
  if (isRead) return null;
  return <p className={styles.note}>{error === null || error === undefined ? words.reading : words.failed}</p>;
}
