// Silences the sounds of this screen for a while; silence is not an acknowledgement.

import { type ReactElement, useLayoutEffect } from 'react';
import { IconButton } from '../../components/button.tsx';
import { IconVolume, IconVolumeOff } from '../../components/icons.tsx';
import { isForScreen } from '../../components/keys.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { shortTimeText } from '../../words/times.ts';
import { useWords } from '../../words/use-words.ts';
import styles from '../banner.module.css';
import { useAlarmSound } from './alarm-sound.ts';

export function SoundButton(): ReactElement {
  const words = useWords().banner;
  const clock = usePlantClock();
  const { silence, isAllowed, toggleSilence } = useAlarmSound();
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'm' && isForScreen(event)) toggleSilence();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
  const what = words.silencedFrom[silence?.rank ?? 0] ?? '';
  const until = silence === undefined ? '' : shortTimeText(clock, silence.until);
  const label = silence !== undefined ? words.silenced(what, until) : isAllowed ? words.soundOn : words.soundOff;
  return (
    <>
      <IconButton
        icon={silence !== undefined || !isAllowed ? IconVolumeOff : IconVolume}
        label={label}
        isPressed={silence !== undefined}
        onClick={toggleSilence}
      />
      {silence === undefined ? null : (
        <span className={styles.silenced} role="status">
          <b className="figures">{words.silentUntil(until)}</b>
          <span>{what}</span>
        </span>
      )}
      {isAllowed ? null : <span className={styles.soundOff}>{words.soundOff}</span>}
    </>
  );
}
