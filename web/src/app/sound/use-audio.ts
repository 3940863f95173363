// The audio of this page: a browser lets it sound only after a click or a key.

import { useSyncExternalStore } from 'react';

let audio: AudioContext | undefined;
const listeners = new Set<() => void>();

function begin(): void {
  if (audio === undefined) {
    audio = new AudioContext();
    audio.addEventListener('statechange', tell);
  }
  if (audio.state === 'suspended') void audio.resume();
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

addEventListener('pointerdown', begin);
addEventListener('keydown', begin);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useAudio(): AudioContext | undefined {
  useSyncExternalStore(subscribe, () => audio?.state);
  return audio;
}
