// The sound of each priority, made by Web Audio: short tones, repeated while the alarm is not acknowledged.

import type { Hue } from '../../components/mark.tsx';

type Pattern = {
  readonly hertz: readonly number[];
  readonly toneMs: number;
  /** How often it repeats; undefined: it sounds once. */
  readonly everyMs: number | undefined;
};

export const patterns: Readonly<Record<Hue, Pattern>> = {
  p1: { hertz: [880, 660, 880], toneMs: 150, everyMs: 2_000 },
  p2: { hertz: [660, 520], toneMs: 200, everyMs: 5_000 },
  p3: { hertz: [520], toneMs: 250, everyMs: undefined },
  p4: { hertz: [1_200], toneMs: 40, everyMs: undefined },
  sys: { hertz: [330, 280], toneMs: 250, everyMs: 10_000 },
};

/** −12 dB. */
const loudness = 0.25;
const fadeSeconds = 0.015;

export function playPattern(audio: AudioContext, { hertz, toneMs }: Pattern): void {
  hertz.forEach((frequency, index) => {
    const begin = audio.currentTime + (index * toneMs) / 1000;
    const end = begin + toneMs / 1000;
    const tone = new OscillatorNode(audio, { frequency });
    const gain = new GainNode(audio, { gain: 0 });
    gain.gain.setValueAtTime(0, begin);
    gain.gain.linearRampToValueAtTime(loudness, begin + fadeSeconds);
    gain.gain.setValueAtTime(loudness, end - fadeSeconds);
    gain.gain.linearRampToValueAtTime(0, end);
    tone.connect(gain).connect(audio.destination);
    tone.start(begin);
    tone.stop(end);
  });
}
