// The sound of what a person hears in one call: recordings where there are, and speech for the rest.

import type { Recording, SaidPart } from '../../domain/calls/words/recorded-text.ts';
import { englishReason } from '../../domain/channels/words/catalogue.ts';
import type { ProviderReason } from '../../domain/channels/words/provider-reason.ts';
import type { Speech } from './speech.ts';

/** Reads recordings; throws an Error whose message completes "the recording …". */
export type Recordings = { read(recording: Recording, signal: AbortSignal): Promise<Int16Array> };

/** Between two parts: a tenth of a second. */
const pause = new Int16Array(800);

export class CallSounds {
  readonly #speech: Speech;
  readonly #recordings: Recordings;
  /** By recording, for who wants to hear it again; undefined if it cannot be played. */
  readonly #read = new Map<string, Int16Array | undefined>();
  readonly #failures: ProviderReason[] = [];

  constructor(speech: Speech, recordings: Recordings) {
    this.#speech = speech;
    this.#recordings = recordings;
  }

  /** Why recordings were not played and their texts spoken instead, for the history of the call. */
  get failures(): readonly ProviderReason[] {
    return this.#failures;
  }

  /** Returns samples of 8 kHz. Throws when nothing can be spoken, and when `signal` aborts. */
  async of(parts: readonly SaidPart[], language: string, signal: AbortSignal): Promise<Int16Array> {
    const sounds = await Promise.all(parts.map((part) => this.#ofPart(part, language, signal)));
    const [only] = sounds;
    return only !== undefined && sounds.length === 1 ? only : joined(sounds.flatMap((sound) => [sound, pause]));
  }

  /** A recording that cannot be played is replaced by its text: nobody is left without a message. */
  async #ofPart({ text, recording }: SaidPart, language: string, signal: AbortSignal): Promise<Int16Array> {
    const sound = recording && (await this.#recorded(recording, signal));
    return sound ?? this.#speech.say(text, language, signal);
  }

  async #recorded(recording: Recording, signal: AbortSignal): Promise<Int16Array | undefined> {
    const key = JSON.stringify(recording);
    if (this.#read.has(key)) return this.#read.get(key);
    const sound = await this.#recordings.read(recording, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      const name = recording.kind === 'media' ? recording.name : '';
      const said = error instanceof Error ? englishReason(error.message) : '';
      this.#failures.push({ code: 'recording-not-played', name, said });
      return undefined;
    });
    this.#read.set(key, sound);
    return sound;
  }
}

function joined(sounds: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(sounds.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const sound of sounds) {
    all.set(sound, at);
    at += sound.length;
  }
  return all;
}
