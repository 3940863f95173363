// Sounds for the most urgent alarm that is not acknowledged, until it is, or this screen is silenced.

import { useEffect, useState } from 'react';
import { useAlarmViews } from '../data/alarm-views.ts';
import { useNow } from '../data/now.ts';
import { patterns, playPattern } from './tones.ts';

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
  const [silence, setSilence] = useState({ until: 0, rank: 0 });
  const alarms = useAlarmViews().filter(({ state, masked }) => state === 3 && !masked);
  const ranks = alarms.map(({ hue }) => urgency.indexOf(hue));
  const rank = ranks.length === 0 ? -1 : Math.min(...ranks);
  const newest = Math.max(
    0,
    ...alarms.filter(({ hue }) => urgency.indexOf(hue) === rank).map(({ raisedAt }) => raisedAt),
  );
  const now = useNow();
  // Silence ends when something more urgent comes.
  const isSilenced = silence.until > now && rank >= silence.rank;
  const hue = isSilenced ? undefined : urgency[rank];
  useEffect(() => {
    if (hue === undefined || audio?.state !== 'running' || newest === 0) return undefined;
    const pattern = patterns[hue];
    playPattern(audio, pattern);
    if (pattern.everyMs === undefined) return undefined;
    const timer = setInterval(() => playPattern(audio, pattern), pattern.everyMs);
    return () => clearInterval(timer);
  }, [audio, audio?.state, hue, newest]);
  return {
    silencedUntil: isSilenced ? silence.until : 0,
    isAllowed: audio?.state === 'running',
    toggleSilence: () =>
      setSilence(isSilenced ? { until: 0, rank: 0 } : { until: now + silenceMs, rank: Math.max(rank, 0) }),
  };
}

/** A browser lets a page sound only after a click or a key. */
function useAudio(): AudioContext | undefined {
  const [audio, setAudio] = useState<AudioContext>();
  useEffect(() => {
    const begin = (): void => setAudio((known) => known ?? new AudioContext());
    addEventListener('pointerdown', begin, { once: true });
    addEventListener('keydown', begin, { once: true });
    return () => {
      removeEventListener('pointerdown', begin);
      removeEventListener('keydown', begin);
    };
  }, []);
  return audio;
}
