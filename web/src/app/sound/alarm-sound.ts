// Sounds for the most urgent alarm that is not acknowledged, until it is, or this screen is silenced.

import { useEffect, useMemo, useRef, useState } from 'react';
import type { Hue } from '../../components/mark.tsx';
import { type AlarmView, useAlarmViews } from '../../data/alarm-views.tsx';
import { readFile } from '../../data/server.ts';
import { useNow } from '../../data/time/now.ts';
import { isBlind } from '../../data/trouble.ts';
import { useLiveAlarms, useTroubles } from '../../data/use-live.ts';
import { beginSilence, isOver, mostUrgentRank, type Silence, soundingOf, urgency } from './silence.ts';
import { patterns, playPattern } from './tones.ts';
import { useAudio } from './use-audio.ts';

type AlarmSound = {
  /** Undefined while nothing is silenced. */
  readonly silence: Silence | undefined;
  /** Whether the browser plays sounds: not before the first click on the page. */
  readonly isAllowed: boolean;
  readonly toggleSilence: () => void;
};

export function useAlarmSound(): AlarmSound {
  const audio = useAudio();
  const isAllowed = audio?.state === 'running';
  const [silence, setSilence] = useState<Silence>();
  const alarms = useAlarmViews();
  const sounding = useMemo(() => soundingOf(alarms), [alarms]);
  const now = useNow();
  // A silence that is over is forgotten: it does not come back when what ended it is acknowledged.
  if (silence !== undefined && isOver(silence, sounding, now)) setSilence(undefined);
  const { hue, newest } = mostUrgent(sounding);
  const heard = silence === undefined ? hue : undefined;
  useEffect(() => {
    if (heard === undefined || audio === undefined || !isAllowed || newest === 0) return undefined;
    const pattern = patterns[heard];
    playPattern(audio, pattern);
    if (pattern.everyMs === undefined) return undefined;
    const timer = setInterval(() => playPattern(audio, pattern), pattern.everyMs);
    return () => clearInterval(timer);
  }, [audio, isAllowed, heard, newest]);
  useBlindTone(isAllowed ? audio : undefined, silence !== undefined);
  useSentSounds(isAllowed && silence === undefined);
  return {
    silence,
    isAllowed,
    toggleSilence: () => setSilence(silence === undefined ? beginSilence(sounding, Date.now()) : undefined),
  };
}

/** The tone of Tocsin itself when nothing comes any more, or the server takes no alarms: once in any case, and on until silenced. */
function useBlindTone(audio: AudioContext | undefined, isSilenced: boolean): void {
  const isNowBlind = isBlind(useTroubles());
  const told = useRef(false);
  useEffect(() => {
    if (!isNowBlind) told.current = false;
    if (!isNowBlind || audio === undefined || (isSilenced && told.current)) return undefined;
    told.current = true;
    playPattern(audio, patterns.sys);
    if (isSilenced) return undefined;
    const timer = setInterval(() => playPattern(audio, patterns.sys), patterns.sys.everyMs);
    return () => clearInterval(timer);
  }, [audio, isNowBlind, isSilenced]);
}

/** The hue of the most urgent ones, and when the newest of them was raised. */
function mostUrgent(sounding: readonly AlarmView[]): { readonly hue: Hue | undefined; readonly newest: number } {
  const hue = urgency[mostUrgentRank(sounding)];
  const times = sounding.filter((alarm) => alarm.hue === hue).map(({ raisedAt }) => raisedAt);
  return { hue, newest: times.reduce((one, other) => Math.max(one, other), 0) };
}

/** Plays the sounds that actions of alarms send to consoles, each once. */
function useSentSounds(isHeard: boolean): void {
  const live = useLiveAlarms();
  useEffect(() => {
    if (!isHeard) return undefined;
    return live.onSound(({ media }) => void playFile(media));
  }, [live, isHeard]);
}

async function playFile(name: string): Promise<void> {
  try {
    const url = URL.createObjectURL(await readFile(`/api/v1/media/${encodeURIComponent(name)}`));
    const sound = new Audio(url);
    sound.addEventListener('ended', () => URL.revokeObjectURL(url));
    await sound.play();
  } catch {
    // A file that is gone or that this browser cannot play: the tone of the priority sounds anyway.
  }
}
