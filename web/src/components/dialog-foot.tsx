// The end of a dialog's form: what was refused, what happened, and the two buttons.

import type { ReactElement } from 'react';
import { useWords } from '../words/use-words.ts';
import { Button } from './button.tsx';
import styles from './form.module.css';

type DialogFootProps = {
  readonly action: string;
  readonly onClose: () => void;
  readonly trouble: string;
  /** What happened; the form is then done. */
  readonly news?: string | undefined;
  readonly blocked?: string | undefined;
};

export function DialogFoot({ action, onClose, trouble, news, blocked }: DialogFootProps): ReactElement {
  const words = useWords().actions;
  return (
    <>
      <p className={styles.trouble} role="alert">
        {trouble}
      </p>
      <p className={styles.news} role="status">
        {news}
      </p>
      <footer className={styles.foot}>
        {news === undefined ? (
          <>
            <Button onClick={onClose}>{words.cancel}</Button>
            <Button type="submit" kind="ink" blocked={blocked}>
              {action}
            </Button>
          </>
        ) : (
          <Button kind="ink" onClick={onClose}>
            {words.close}
          </Button>
        )}
      </footer>
    </>
  );
}
