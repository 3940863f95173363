// A modal dialog: the browser traps the focus in it, Escape closes it, and the focus returns to where it was.
// An element with `data-first` has the focus first, else the button that closes it.

import { type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { useWords } from '../words/use-words.ts';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { IconX } from './icons.tsx';

type DialogProps = {
  readonly title: string;
  readonly intro?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

export function Dialog({ title, intro, onClose, children }: DialogProps): ReactElement {
  const words = useWords();
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (element.current?.open) return;
    element.current?.showModal();
    element.current?.querySelector<HTMLElement>('[data-first]')?.focus();
  }, []);
  return (
    <dialog ref={element} className={styles.dialog} onClose={onClose} aria-labelledby="dialog-title">
      <header className={styles.head}>
        <div>
          <h2 id="dialog-title" className={styles.title}>
            {title}
          </h2>
          {intro === undefined ? null : <p className={styles.intro}>{intro}</p>}
        </div>
        <IconButton icon={IconX} label={words.actions.close} onClick={() => element.current?.close()} />
      </header>
      {children}
    </dialog>
  );
}
