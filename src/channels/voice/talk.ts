// Leads one conversation over audio: says what it is given, passes keys on, and notices silence.

import { KeysSettling } from '../../domain/channels/keys-settling.ts';
import type { CallSounds } from './call-sounds.ts';
import type { Conversations, Spoken } from './conversations.ts';

/** The audio of the call. */
export type TalkLine = { play(samples: Int16Array): Promise<'ended' | 'interrupted'>; stop(): void };

export type TalkTimes = {
  /** How long a person has for a key after the last word. */
  readonly keyMs: number;
  readonly longestMs: number;
};

/** `silent`: nobody has pressed a key to the last question. */
export type TalkEnd = 'over' | 'silent' | 'locked-out' | 'too-long' | 'hung-up';

type TalkParts = {
  readonly attemptId: number;
  readonly conversations: Conversations;
  readonly sounds: CallSounds;
  readonly line: TalkLine;
  readonly times: TalkTimes;
};

type TalkEvent = 'key' | 'news' | 'hung-up' | 'too-long';

export class Talk {
  readonly #parts: TalkParts;
  readonly #closing = new AbortController();
  #keys = '';
  #news: Spoken | undefined;
  /** Whether the last sentence is being said: nothing interrupts it. */
  #isClosing = false;
  #ending: 'hung-up' | 'too-long' | undefined;
  #isDeaf = false;
  readonly #settling = new KeysSettling();
  #wake: (event: TalkEvent) => void = () => {};

  constructor(parts: TalkParts) {
    this.#parts = parts;
  }

  /** Resolves when the conversation is over and its last word was said. */
  async run(): Promise<TalkEnd> {
    const { attemptId, conversations, times } = this.#parts;
    const timer = setTimeout(() => this.#end('too-long'), times.longestMs);
    try {
      let said = await conversations.answered(attemptId);
      for (;;) {
        this.#isClosing = said.isOver;
        await this.#say(said);
        if (this.#ending !== undefined) return this.#ending;
        if (said.isOver) return said.isLockedOut ? 'locked-out' : 'over';
        const event = await this.#next();
        if (event === 'hung-up' || event === 'too-long') return event;
        const next = await this.#answerTo(event);
        if (event === 'silence' && next?.isOver === true) {
          await this.#say(next);
          return 'silent';
        }
        said = next ?? { ...said, parts: [], ignoresKeys: false, followsProof: false };
      }
    } finally {
      clearTimeout(timer);
      this.#closing.abort();
    }
  }

  press(key: string): void {
    if (this.#isDeaf || this.#isClosing || !this.#settling.isPress(performance.now())) return;
    this.#keys += key;
    this.#parts.line.stop();
    this.#wake('key');
  }

  /** Alarms are done: the person is told at once, unless it was their own doing. */
  async noteNews(): Promise<void> {
    if (this.#isClosing) return;
    const news = await this.#parts.conversations.news(this.#parts.attemptId);
    if (news === undefined || this.#isClosing) return;
    this.#news = news;
    this.#parts.line.stop();
    this.#wake('news');
  }

  hangUp(): void {
    this.#end('hung-up');
  }

  #end(how: 'hung-up' | 'too-long'): void {
    this.#ending ??= how;
    this.#parts.line.stop();
    this.#closing.abort();
    this.#wake(this.#ending);
  }

  /** Says it, unless a key was pressed already. */
  async #say({ parts, language, ignoresKeys, followsProof }: Spoken): Promise<void> {
    if (parts.length === 0 || this.#ending !== undefined) return;
    if (followsProof) {
      this.#settling.begin();
      this.#keys = '';
    }
    if (this.#keys !== '' && !ignoresKeys) return;
    this.#isDeaf = ignoresKeys;
    if (ignoresKeys) this.#keys = '';
    try {
      const samples = await this.#parts.sounds.of(parts, language, this.#closing.signal);
      const isWanted = this.#ending === undefined && (this.#keys === '' || ignoresKeys);
      if (isWanted) {
        this.#settling.hear(performance.now());
        await this.#parts.line.play(samples);
      }
    } catch (error) {
      // Making the speech was given up because the person has hung up.
      if (this.#ending === undefined) throw error;
    } finally {
      this.#isDeaf = false;
    }
  }

  #next(): Promise<TalkEvent | 'silence'> {
    if (this.#ending !== undefined) return Promise.resolve(this.#ending);
    if (this.#news !== undefined) return Promise.resolve('news');
    if (this.#keys !== '') return Promise.resolve('key');
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve('silence'), this.#parts.times.keyMs);
      this.#wake = (event) => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve(event);
      };
    });
  }

  async #answerTo(event: 'key' | 'news' | 'silence'): Promise<Spoken | undefined> {
    const { attemptId, conversations } = this.#parts;
    if (event === 'silence') return conversations.silence(attemptId);
    if (event === 'news') {
      const news = this.#news;
      this.#news = undefined;
      return news;
    }
    const keys = this.#keys;
    this.#keys = '';
    return conversations.keys(attemptId, keys);
  }
}
