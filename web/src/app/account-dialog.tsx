// The account of who is signed in: language, theme, keys, and the way out.

import { signOut } from '@tocsin/client';
import { type ReactElement, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { currentSession, endSession } from '../data/session.ts';
import { Choices } from '../pages/sign-in/choices.tsx';
import { useWords } from '../words/use-words.ts';
import styles from './account-dialog.module.css';
import { areKeysOn, switchKeys } from './keys.ts';

export function AccountDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords();
  const [isOn, setOn] = useState(areKeysOn);
  const leave = (): void => {
    // The session ends in this browser whether the server hears of it or not.
    void signOut().catch(() => undefined);
    endSession();
  };
  return (
    <Dialog title={currentSession()?.name ?? ''} onClose={onClose}>
      <div className={styles.account}>
        <Choices />
        <Button
          isPressed={isOn}
          onClick={() => {
            switchKeys(!isOn);
            setOn(!isOn);
          }}
        >
          {isOn ? words.help.on : words.help.off}
        </Button>
        <Button kind="ink" onClick={leave}>
          {words.signIn.signOut}
        </Button>
      </div>
    </Dialog>
  );
}
