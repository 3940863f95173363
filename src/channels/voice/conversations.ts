// The port to conversations, which are rows of the database: the same for every way to telephone.

import type { CallMessage } from '../../domain/calls/delivery.ts';
import type { SaidPart } from '../../domain/calls/words/recorded-text.ts';

/** The sentences and recordings that the person is to hear next. */
export type Spoken = {
  readonly parts: readonly SaidPart[];
  readonly language: string;
  /** Whether the conversation ends after it. */
  readonly isOver: boolean;
  /** Whether the call ends because the PIN was wrong too often. */
  readonly isLockedOut: boolean;
  /** Whether keys that are pressed before its end do not count. */
  readonly ignoresKeys: boolean;
  /** Whether keys count only when some of it was heard and no key was pressed for a while. */
  readonly followsProof: boolean;
};

export type ConversationEnd = {
  /** Whether a person has proved to be human. */
  readonly isHuman: boolean;
  /** Whether something was read to them: before that, a PIN may be asked for. */
  readonly hasHeard: boolean;
  /** Whether the PIN was wrong too often. */
  readonly isLockedOut: boolean;
};

/** The address is as the network reports it and proves nothing. */
export type RingInLine = {
  readonly address: string;
  readonly channel: string;
  readonly providerId: number | undefined;
};

export type Conversations = {
  /**
   * To be called before it rings. Returns how the conversation ended if it is over already: the process that led it was lost
   * before the outcome of the attempt was stored.
   */
  begin(message: CallMessage): Promise<ConversationEnd | undefined>;
  /** Begins the conversation of somebody who rings in; returns the id that stands for it as that of an attempt does. */
  beginRingIn(line: RingInLine): Promise<number>;
  answered(attemptId: number): Promise<Spoken>;
  keys(attemptId: number, keys: string): Promise<Spoken>;
  /** Nobody has pressed a key for a while. */
  silence(attemptId: number): Promise<Spoken>;
  /** Returns what became of alarms in the meantime; undefined if there is nothing to tell. */
  news(attemptId: number): Promise<Spoken | undefined>;
  /** To be called when the line is dead. */
  ended(attemptId: number): Promise<ConversationEnd>;
  /** Calls back when somebody has taken an alarm, or it is over otherwise; returns the function that ends it. */
  onNews(listener: () => void): () => void;
};
