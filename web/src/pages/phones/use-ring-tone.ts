// Plays a ring tone while a phone rings, if this browser was asked to.

import { useEffect, useState } from 'react';
import { playPattern } from '../../app/sound/tones.ts';
import { useAudio } from '../../app/sound/use-audio.ts';

const setting = 'tocsin.ringAloud';
/** A warble, unlike the sounds of alarms. */
const ring = { hertz: [1_050, 1_300, 1_050, 1_300, 1_050, 1_300, 1_050, 1_300], toneMs: 70, everyMs: 2_400 } as const;

export function useRingTone(isRinging: boolean): { readonly isAloud: boolean; readonly toggle: () => void } {
  const audio = useAudio();
  const [isAloud, setAloud] = useState(() => localStorage.getItem(setting) === 'on');
  const isPlaying = isRinging && isAloud && audio?.state === 'running';
  useEffect(() => {
    if (!isPlaying || audio === undefined) return undefined;
    playPattern(audio, ring);
    const timer = setInterval(() => playPattern(audio, ring), ring.everyMs);
    return () => clearInterval(timer);
  }, [isPlaying, audio]);
  const toggle = (): void => {
    localStorage.setItem(setting, isAloud ? 'off' : 'on');
    setAloud(!isAloud);
  };
  return { isAloud, toggle };
}
