// The account of who is signed in: language, theme, keys, and the way out.

import { type ReactElement, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { areKeysOn, switchKeys } from '../components/keys.ts';
import { currentSession } from '../data/session.ts';
import { leave } from '../data/sign-out.ts';
import { Choices } from '../pages/sign-in/choices.tsx';
import { useWords } from '../words/use-words.ts';
import styles from './account-dialog.module.css';
import { patterns, playPattern } from './sound/tones.ts';
import { useAudio } from './sound/use-audio.ts';

const betweenSoundsMs = 1_200;

type AccountProps = { readonly onClose: () => void; readonly onHelp: () => void };

export function AccountDialog({ onClose, onHelp }: AccountProps): ReactElement {
  const words = useWords();
  const [isOn, setOn] = useState(areKeysOn);
  const audio = useAudio();
  const trySounds = async (): Promise<void> => {
    for (const pattern of Object.values(patterns)) {
      if (audio !== undefined) playPattern(audio, pattern);
      await new Promise((done) => setTimeout(done, betweenSoundsMs));
    }
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
        <Button onClick={onHelp} keyCap="?">
          {words.help.title}
        </Button>
        <Button onClick={() => void trySounds()}>{words.banner.trySounds}</Button>
        <Button kind="ink" onClick={leave}>
          {words.signIn.signOut}
        </Button>
      </div>
    </Dialog>
  );
}
