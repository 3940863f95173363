// The conversation of a telephone call from the shell: says the text, waits for a key, and thanks.

import type { ConversationEnd, Conversations, Spoken } from '../channels/voice/conversations.ts';
import { wordsIn } from '../domain/calls/words/catalogue.ts';

export class ShellConversation implements Conversations {
  readonly #text: string;
  readonly #language: string;
  readonly #onKeys: (keys: string) => void;
  #isHuman = false;

  constructor(text: string, language: string, onKeys: (keys: string) => void) {
    this.#text = text;
    this.#language = language;
    this.#onKeys = onKeys;
  }

  /** Whether somebody has pressed a key. */
  get isHuman(): boolean {
    return this.#isHuman;
  }

  async begin(): Promise<undefined> {}

  async beginRingIn(): Promise<never> {
    throw new Error('nobody rings in to a command');
  }

  async answered(): Promise<Spoken> {
    return this.#say(this.#text, false);
  }

  async keys(_attemptId: number, keys: string): Promise<Spoken> {
    this.#isHuman = true;
    this.#onKeys(keys);
    return this.#say(wordsIn(this.#language).thanks, true);
  }

  async silence(): Promise<Spoken> {
    return this.#say('', true);
  }

  async news(): Promise<undefined> {}

  async ended(): Promise<ConversationEnd> {
    return { isHuman: this.#isHuman, hasHeard: true, isLockedOut: false };
  }

  onNews(): () => void {
    return () => {};
  }

  #say(text: string, isOver: boolean): Spoken {
    return {
      parts: text === '' ? [] : [{ text }],
      language: this.#language,
      isOver,
      isLockedOut: false,
      ignoresKeys: false,
      followsProof: false,
    };
  }
}
