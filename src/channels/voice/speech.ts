// Speech: text and language to sound for the telephone, by a configured program, remembered in memory and on disk.

import { createHash } from 'node:crypto';
import { readWav } from '@tocsin/sip';
import { spokenForm } from '../../domain/calls/words/spoken-form.ts';
import { type ProviderReason, storedReason } from '../../domain/channels/words/provider-reason.ts';
import { SpeechCache } from './speech-cache.ts';
import { type ProcessPool, ProgramProblem } from './speech-process.ts';

export type SpeechSettings = {
  /** The program and its arguments, where `{voice}` stands for the voice; reads text from its input and writes WAV. */
  readonly command: readonly string[];
  /** Language → voice; the first one speaks every other language. */
  readonly voices: ReadonlyMap<string, string>;
  /** Folder of the sounds that are kept. */
  readonly cacheDir: string;
};

export type Speech = {
  /**
   * Returns samples of 8 kHz, by another voice if that of the language fails. Throws `NoVoice` when the program is missing or no
   * voice speaks, and when `signal` aborts.
   */
  say(text: string, language: string, signal: AbortSignal): Promise<Int16Array>;
  /**
   * Lets every voice speak, if that was an hour ago, something has failed, or it is asked to do so now. Returns why the
   * voices of some languages do not speak, as it is stored, undefined if all do; throws `NoVoice` when none does.
   */
  check(signal: AbortSignal, when?: 'now'): Promise<string | undefined>;
};

/** Nothing can be said; the message is the stored reason. */
export class NoVoice extends Error {
  readonly why: ProviderReason;

  constructor(why: ProviderReason) {
    super(storedReason(why));
    this.why = why;
  }
}

/** Less than a call waits for its provider: a voice that hangs must not take the trunk with it. */
const longestTrialMs = 8_000;
const limits = { timeoutMs: 15_000, mostBytes: 32 * 1024 * 1024 };
const mostSeconds = 600;
const mostCharacters = 5000;
const checkEveryMs = 3_600_000;
/** While a voice is missing. */
const checkAgainMs = 25_000;
const mostCachedBytes = 256 * 1024 * 1024;
/** Eight minutes of sound. */
const mostRememberedSamples = 4 * 1024 * 1024;

/** One run of the program that several callers may wait for; it is stopped when the last of them has gone. */
type Run = { readonly sound: Promise<Int16Array>; readonly abort: AbortController; waiting: number };

export class CommandSpeech implements Speech {
  readonly #settings: SpeechSettings;
  readonly #pool: ProcessPool;
  readonly #cache: SpeechCache;
  readonly #runs = new Map<string, Run>();
  /** In the order of use, the least recent first. */
  readonly #remembered = new Map<string, Int16Array>();
  /** Voices that have failed: others are tried before them. */
  readonly #failing = new Set<string>();
  #checking: Promise<string | undefined> | undefined;
  #checked: { readonly at: number; readonly problem: string | undefined } | undefined;

  constructor(settings: SpeechSettings, pool: ProcessPool, onTrouble: (error: unknown) => void) {
    this.#settings = settings;
    this.#pool = pool;
    this.#cache = new SpeechCache(settings.cacheDir, mostCachedBytes, onTrouble);
  }

  async say(text: string, language: string, signal: AbortSignal): Promise<Int16Array> {
    signal.throwIfAborted();
    const spoken = speakable(spokenForm(text, language));
    let why: ProviderReason | undefined;
    for (const voice of this.#voicesFor(language)) {
      try {
        return await this.#sayBy(voice, spoken, signal);
      } catch (error) {
        signal.throwIfAborted();
        this.#failing.add(voice);
        this.#checked = undefined;
        why ??= reasonOf(error);
      }
    }
    throw new NoVoice(why ?? { code: 'unusable' });
  }

  async check(signal: AbortSignal, when?: 'now'): Promise<string | undefined> {
    const { at, problem } = this.#checked ?? { at: Number.NEGATIVE_INFINITY, problem: undefined };
    const pause = problem === undefined ? checkEveryMs : checkAgainMs;
    if (when !== 'now' && performance.now() - at < pause) return problem;
    this.#checking ??= this.#tryAll().finally(() => (this.#checking = undefined));
    return unlessAborted(this.#checking, signal);
  }

  /** For everybody who waits for it. */
  async #tryAll(): Promise<string | undefined> {
    const voices = [...new Set(this.#settings.voices.values())];
    const problems = await Promise.all(voices.map((voice) => this.#try(voice)));
    const failed = problems.flatMap(({ voice, why }) => (why === undefined ? [] : [{ voice, why }]));
    const [first] = failed;
    if (first !== undefined && failed.length === problems.length) throw new NoVoice(first.why);
    const problem = first === undefined ? undefined : storedReason({ code: 'voices-silent', voices: failed });
    this.#checked = { at: performance.now(), problem };
    return this.#checked.problem;
  }

  /** Not from the memory: what was spoken once says nothing of the program as it is now. */
  async #try(voice: string): Promise<{ readonly voice: string; readonly why?: ProviderReason }> {
    try {
      const samples = await this.#speak(this.#commandOf(voice), 'Tocsin', AbortSignal.timeout(longestTrialMs));
      if (samples.every((sample) => sample === 0))
        throw new ProgramProblem({ code: 'program-silent', program: this.#program });
      this.#failing.delete(voice);
      return { voice };
    } catch (error) {
      this.#failing.add(voice);
      return { voice, why: reasonOf(error) };
    }
  }

  /** The voice of the language, and then the others: who is called hears a strange accent rather than nothing. */
  #voicesFor(language: string): readonly string[] {
    const { voices } = this.#settings;
    const all = [...new Set([voiceFor(voices, language), ...voices.values()])];
    return [...all.filter((voice) => !this.#failing.has(voice)), ...all.filter((voice) => this.#failing.has(voice))];
  }

  get #program(): string {
    return this.#settings.command[0] ?? '';
  }

  #commandOf(voice: string): readonly string[] {
    return this.#settings.command.map((word) => word.replaceAll('{voice}', voice));
  }

  async #sayBy(voice: string, spoken: string, signal: AbortSignal): Promise<Int16Array> {
    const command = this.#commandOf(voice);
    const key = createHash('sha256')
      .update(JSON.stringify([command, voice, spoken]))
      .digest('hex');
    const remembered = this.#remembered.get(key);
    if (remembered === undefined) return this.#join(key, command, spoken, signal);
    this.#remember(key, remembered);
    return remembered;
  }

  async #join(key: string, command: readonly string[], text: string, signal: AbortSignal): Promise<Int16Array> {
    const run = this.#runs.get(key) ?? this.#start(key, command, text);
    run.waiting++;
    try {
      return await unlessAborted(run.sound, signal);
    } finally {
      if (--run.waiting === 0 && this.#runs.get(key) === run) {
        this.#runs.delete(key);
        run.abort.abort();
      }
    }
  }

  #start(key: string, command: readonly string[], text: string): Run {
    const abort = new AbortController();
    const sound = this.#make(key, command, text, abort.signal);
    // Who waits for it hears of a failure; when everybody has left, nobody has to.
    sound.catch(() => {});
    const run = { sound, abort, waiting: 0 };
    this.#runs.set(key, run);
    return run;
  }

  async #make(key: string, command: readonly string[], text: string, signal: AbortSignal): Promise<Int16Array> {
    const cached = await this.#cache.get(key);
    const samples = cached ?? (await this.#speak(command, text, signal));
    if (cached === undefined) await this.#cache.put(key, samples);
    this.#remember(key, samples);
    return samples;
  }

  async #speak(command: readonly string[], text: string, signal: AbortSignal): Promise<Int16Array> {
    const wav = await this.#pool.run(command, Buffer.from(`${text}\n`, 'utf8'), limits, signal);
    try {
      return readWav(wav, { mostBytes: limits.mostBytes, mostSeconds, isStreamed: true });
    } catch (error) {
      const said = error instanceof Error ? error.message : '';
      throw new ProgramProblem({ code: 'program-output', program: this.#program, said });
    }
  }

  #remember(key: string, samples: Int16Array): void {
    this.#remembered.delete(key);
    this.#remembered.set(key, samples);
    let total = [...this.#remembered.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [oldest, { length }] of this.#remembered) {
      if (total <= mostRememberedSamples || oldest === key) return;
      this.#remembered.delete(oldest);
      total -= length;
    }
  }
}

/**
 * Text as a program may read it: without control characters and marks that turn the direction of writing, without the
 * double brackets that espeak-ng takes for phonemes, on one line, and cut where nobody listens any more.
 */
export function speakable(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\[{2,}|\]{2,}/g, ' ');
  return plain.replace(/ {2,}/g, ' ').trim().slice(0, mostCharacters);
}

function voiceFor(voices: ReadonlyMap<string, string>, language: string): string {
  const [base = ''] = language.toLowerCase().split('-');
  const [first = ''] = voices.values();
  return voices.get(language.toLowerCase()) ?? voices.get(base) ?? first;
}

/** Rejects when the signal aborts; the work itself goes on. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await Promise.race([work, left]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

function reasonOf(error: unknown): ProviderReason {
  if (error instanceof ProgramProblem) return error.why;
  return { code: 'said', text: error instanceof Error ? error.message : String(error) };
}
