// Sounds for the most urgent alarm that is not acknowledged, until it is, or this screen is silenced.

import { useEffect, useState } from 'react';
import { type AlarmView, useAlarmViews } from '../data/alarm-views.tsx';
import { readFile } from '../data/server.ts';
import { useNow } from '../data/time/now.ts';
import { useLiveAlarms } from '../data/use-live.ts';
import { patterns, playPattern } from './tones.ts';
import { useAudio } from './use-audio.ts';

const silenceMs = 600_000;
const urgency = ['p1', 'p2', 'p3', 'p4', 'sys'] as const;

type AlarmSound = {
  readonly silencedUntil: number;
  /** Whether the browser plays sounds: not before the first click on the page. */
  readonly isAllowed: boolean;
  readonly toggleSilence: () => void;
};

export function useAlarmSound(): AlarmSound {
  const audio = useAudio();
  const isAllowed = audio?.state === 'running';
  const [silence, setSilence] = useState({ until: 0, rank: 0 });
  const { rank, newest } = mostUrgent(useAlarmViews());
  const now = useNow();
  // Silence ends when something more urgent comes.
  const isSilenced = silence.until > now && rank >= silence.rank;
  const hue = isSilenced ? undefined : urgency[rank];
  useEffect(() => {
    if (hue === undefined || audio === undefined || !isAllowed || newest === 0) return undefined;
    const pattern = patterns[hue];
    playPattern(audio, pattern);
    if (pattern.everyMs === undefined) return undefined;
    const timer = setInterval(() => playPattern(audio, pattern), pattern.everyMs);
    return () => clearInterval(timer);
  }, [audio, isAllowed, hue, newest]);
  useSentSounds(isAllowed && !isSilenced);
  return {
    silencedUntil: isSilenced ? silence.until : 0,
    isAllowed,
    toggleSilence: () =>
      setSilence(isSilenced ? { until: 0, rank: 0 } : { until: now + silenceMs, rank: Math.max(rank, 0) }),
  };
}

/** The rank of the most urgent alarm that is not acknowledged (-1: none), and when the newest of that rank was raised. */
function mostUrgent(all: readonly AlarmView[]): { readonly rank: number; readonly newest: number } {
  let [rank, newest] = [-1, 0];
  for (const { state, masked, hue, raisedAt } of all) {
    if (state !== 3 || masked) continue;
    const own = urgency.indexOf(hue);
    if (rank === -1 || own < rank) [rank, newest] = [own, raisedAt];
    else if (own === rank) newest = Math.max(newest, raisedAt);
  }
  return { rank, newest };
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
