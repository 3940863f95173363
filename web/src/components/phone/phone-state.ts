// What a simulated phone shows: at rest, ringing, in a call, or its texts. Pure.

import type { Phone, PhoneMessage } from '@tocsin/client';

export type PhoneState = {
  readonly userId: number;
  readonly user: string;
  readonly kind: 'rest' | 'ringing' | 'inCall' | 'text';
  /** The call that rings or goes on. */
  readonly call: PhoneMessage | undefined;
  /** Texts, oldest first. */
  readonly texts: readonly PhoneMessage[];
  /** How many texts came since the last reply. */
  readonly newTexts: number;
};

const mostTexts = 12;

export function phoneStateOf({ userId, user, messages }: Phone): PhoneState {
  const ringing = messages.find(({ state }) => state === 'ringing');
  const answered = messages.find(({ state }) => state === 'answered');
  const call = answered ?? ringing;
  const texts = messages
    .filter(({ state }) => state === 'delivered')
    .slice(0, mostTexts)
    .reverse();
  const kind =
    answered !== undefined ? 'inCall' : ringing !== undefined ? 'ringing' : texts.length > 0 ? 'text' : 'rest';
  const newTexts = texts.length - 1 - texts.findLastIndex(({ direction }) => direction === 'from');
  return { userId, user, kind, call, texts, newTexts };
}

/** The phone of somebody who has had no call and no text. */
export function phoneAtRest(userId: number, user: string): PhoneState {
  return phoneStateOf({ userId, user, messages: [] });
}
