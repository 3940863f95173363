// The sign-in: name and password at the left, what Tocsin is for and whether the server is ready at the right.

import { type ReactElement, useSyncExternalStore } from 'react';
import { IconBellRingingFilled, IconInfoCircle } from '../../components/icons.tsx';
import { onSignOut, pendingSignOuts } from '../../data/sign-out.ts';
import { useWords } from '../../words/use-words.ts';
import { Choices } from './choices.tsx';
import { Pitch } from './pitch.tsx';
import { SignInForm } from './sign-in-form.tsx';
import styles from './sign-in-page.module.css';

export function SignInPage(): ReactElement {
  return (
    <div className={styles.page}>
      <section className={styles.left}>
        <p className={styles.brand}>
          <IconBellRingingFilled size={30} /> Tocsin
        </p>
        <div className={styles.form}>
          <SignInForm />
          <SignOutNote />
          <FirstStartNote />
        </div>
        <Choices />
      </section>
      <Pitch />
    </div>
  );
}

/** The token goes on working until the server has heard of the sign-out. */
function SignOutNote(): ReactElement | null {
  const words = useWords().signIn;
  const isPending = useSyncExternalStore(onSignOut, pendingSignOuts) > 0;
  return isPending ? (
    <p className={styles.note} role="status">
      <IconInfoCircle size={18} stroke={1.75} />
      <span>{words.notSignedOut}</span>
    </p>
  ) : null;
}

function FirstStartNote(): ReactElement {
  const words = useWords().signIn;
  return (
    <p className={styles.note}>
      <IconInfoCircle size={18} stroke={1.75} />
      <span>
        {words.firstStart} <code>admin</code>
        {words.firstStartPassword} <code>npx tocsin user password admin</code>
      </span>
    </p>
  );
}
