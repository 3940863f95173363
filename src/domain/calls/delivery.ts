// What is delivered to a person, and what becomes of it. Pure.

import type { AnnouncedItem } from './announced.ts';

/** One message to one number of one person. */
export type CallMessage = {
  /** The attempt; with a provider that honours it, also what makes a repetition harmless. */
  readonly attemptId: number;
  readonly callId: number;
  /** The person's turn it is part of. */
  readonly cycleId: number;
  readonly userId: number;
  readonly firstName: string;
  readonly language: string;
  readonly channel: string;
  readonly address: string;
  readonly priority: number;
  /** What to tell, most urgent first; of the others only the number is told. */
  readonly texts: readonly string[];
  readonly shortTexts: readonly string[];
  /** What each of the texts is about. */
  readonly items: readonly AnnouncedItem[];
  readonly total: number;
  /** What a reply must hold, so that it is known what it answers. */
  readonly replyCode: string;
  readonly isTest: boolean;
  /** A node began it and was not heard of again: ask the provider first, where it can be asked. */
  readonly isUnsure: boolean;
};

/** Whether the channel is a telephone, on which one is spoken to at a time; all others carry what is written. */
export function isSpoken(channel: string): boolean {
  return channel === 'voice' || channel === 'simulator';
}

/** Channels never throw for a provider's "no": that is an outcome. */
export type Delivery =
  | { readonly kind: 'delivered'; readonly detail: string }
  | {
      readonly kind: 'failed';
      readonly retry: 'later' | 'never';
      readonly failure?: DeliveryFailure;
      /** For people; no rule reads it. */
      readonly reason: string;
    };

/** Failures that have a consequence of their own: a number is not used for a while after three wrong PINs. */
export type DeliveryFailure = 'wrong-pin';
