// Silences the sounds of this screen for a while; silence is not an acknowledgement.

import { type ReactElement, useEffect } from 'react';
import { IconButton } from '../components/button.tsx';
import { IconVolume, IconVolumeOff } from '../components/icons.tsx';
import { isForScreen } from '../components/keys.ts';
import { useNow } from '../data/time/now.ts';
import { useWords } from '../words/use-words.ts';
import { useAlarmSound } from './alarm-sound.ts';
import styles from './banner.module.css';

export function SoundButton(): ReactElement {
  const words = useWords().banner;
  const now = useNow();
  const { silencedUntil, isAllowed, toggleSilence } = useAlarmSound();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'm' && isForScreen(event)) toggleSilence();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
  const isSilenced = silencedUntil > now;
  const label = isSilenced
    ? words.silenced(Math.ceil((silencedUntil - now) / 60_000))
    : isAllowed
      ? words.soundOn
      : words.soundOff;
  return (
    <>
      <IconButton
        icon={isSilenced || !isAllowed ? IconVolumeOff : IconVolume}
        label={label}
        isPressed={isSilenced}
        onClick={toggleSilence}
      />
      {isSilenced ? <span className="figures">{words.minutes(Math.ceil((silencedUntil - now) / 60_000))}</span> : null}
      {isAllowed ? null : <span className={styles.soundOff}>{words.soundOff}</span>}
    </>
  );
}
