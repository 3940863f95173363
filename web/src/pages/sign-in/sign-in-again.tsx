// The sign-in over a screen whose session has ended: the screen stays as it is, with what was typed.

import { type ReactElement, useEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { endSession } from '../../data/session.ts';
import { useWords } from '../../words/use-words.ts';
import styles from './sign-in-again.module.css';
import { SignInForm } from './sign-in-form.tsx';

export function SignInAgain({ name }: { readonly name: string }): ReactElement {
  const words = useWords().signIn;
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!element.current?.open) element.current?.showModal();
  }, []);
  return (
    <dialog
      ref={element}
      className={styles.dialog}
      aria-label={words.ended}
      // Without a session there is nothing to go back to. A browser lets a second Esc close what the first one could not.
      onCancel={(event) => event.preventDefault()}
      onClose={({ currentTarget }) => currentTarget.showModal()}
    >
      <h2 className={styles.title}>{words.ended}</h2>
      <p className={styles.means}>{words.endedMeans}</p>
      <SignInForm name={name} />
      <Button kind="quiet" isWide onClick={endSession}>
        {words.signOut}
      </Button>
    </dialog>
  );
}
