// The message that a channel delivers to a person, and the outcome of the delivery. Pure.

import type { ProviderChoice } from '../channels/choose-provider.ts';
import type { AnnouncedItem } from './announced.ts';
import type { StationCount } from './words/words.ts';

/** One message to one number of one person. */
export type CallMessage = {
  /** The id of the attempt; also the idempotency key for providers that support one. */
  readonly attemptId: number;
  readonly userId: number;
  readonly firstName: string;
  readonly language: string;
  /** The name that a telephone call introduces itself with, what it says before, and what ends a text; empty if there is none. */
  readonly siteName: string;
  readonly opening: string;
  readonly closing: string;
  readonly channel: string;
  readonly address: string;
  readonly priority: number;
  /** The whole text for channels that carry text; on channels that read replies it ends with how to reply. */
  readonly text: string;
  /** The texts of the announced causes, the most urgent first; `total` counts the causes left out as well. */
  readonly texts: readonly string[];
  /** The announced item of each text. */
  readonly items: readonly AnnouncedItem[];
  readonly total: number;
  /** How many of all causes each station has; empty if there is one cause. */
  readonly stations: readonly StationCount[];
  /** The code a reply contains to identify the message it answers. */
  readonly replyCode: string;
  readonly isTest: boolean;
  /** Whether it only tells a number what became of something, so that there is nothing to answer. */
  readonly isNews: boolean;
  /** Another node started this attempt and lost its lease: query the provider first, if it supports that. */
  readonly isUnsure: boolean;
  /** The provider that carries it; undefined if none can, for the reason `unserved`. */
  readonly providerId: number | undefined;
  readonly unserved?: Unserved | undefined;
  /** Whether there is a provider that works and was not asked yet, so that this one need not be waited for long. */
  readonly hasNextProvider: boolean;
  /** The provider's reference of the delivery, if it has taken it before. */
  readonly providerRef: string | undefined;
};

/** Why no provider carries a message. */
export type Unserved = Extract<ProviderChoice, { kind: 'none' }>['reason'];

/** A step that a provider reports of a delivery; each kind once, and never a step back. */
export type Progress =
  | { readonly kind: 'accepted'; readonly ref: string }
  /** A reference given with it replaces that of `accepted`. */
  | { readonly kind: 'answered'; readonly ref?: string }
  | { readonly kind: 'ringing' | 'delivered' | 'read' };

/** A code that is told to a person at a number that is being verified; it belongs to no call. */
export type CodeMessage = {
  readonly userId: number;
  readonly channel: string;
  readonly address: string;
  readonly text: string;
  readonly language: string;
};

/** Whether the channel is a telephone, which takes one call at a time; all other channels carry text. */
export function isSpoken(channel: string): boolean {
  return channel === 'voice' || channel === 'simulator';
}

/** The line that a telephone call uses; each simulated phone has one of its own, although all have the same address. */
export function lineOf(channel: string, address: string, numberId: number): string {
  return channel === 'simulator' ? `number ${numberId}` : address;
}

/** Whether the channel has room for short texts alone: it gets the short message of an alarm and the number of a message. */
export function isShort(channel: string): boolean {
  return channel === 'sms' || channel === 'pager';
}

/** When a failed attempt is made again; `channel-up`: when a provider of the channel works, without using up a try. */
export type Retry = 'later' | 'never' | 'channel-up';

/** Channels return the rejection of a provider as an outcome and never throw it. */
export type Delivery =
  | { readonly kind: 'delivered'; readonly detail: string }
  | {
      readonly kind: 'failed';
      readonly retry: Retry;
      readonly outcome: Exclude<CallOutcome, 'answered'>;
      readonly failure?: DeliveryFailure;
      /**
       * Why the next provider is tried at once: `down` counts for the circuit breaker of this one, `refused` (a wrong password,
       * no right to call) is a mistake in its settings, and `barred` says nothing against it: it may or can not carry this message.
       */
      readonly fault?: ProviderFault;
      /** The provider asks for no other try before that. */
      readonly retryAfterSeconds?: number;
      /** Text for people; no rule reads it. */
      readonly reason: string;
    };

export type ProviderFault = 'down' | 'refused' | 'barred';

/** How an attempt ended. */
export type CallOutcome =
  | 'answered'
  | 'busy'
  | 'noAnswer'
  | 'declined'
  | 'badNumber'
  | 'voicemail'
  | 'undeliverable'
  | 'providerDown'
  | 'limited'
  | 'locked'
  | 'cancelled'
  | 'failed';

/**
 * Failures that rules read: after three wrong PINs a number is locked for a while; an error in Tocsin itself is an alarm, and so is
 * the end of the thread that has cut off calls, one for all of them.
 */
export type DeliveryFailure = 'wrong-pin' | 'own-fault' | 'cut-off';
