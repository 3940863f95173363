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
};

const mostTexts = 12;

export function phoneStateOf({ userId, user, messages }: Phone): PhoneState {
  const voice = messages.filter(({ channel }) => channel === 'voice');
  const ringing = voice.find(({ state }) => state === 'ringing');
  const answered = voice.find(({ state }) => state === 'answered');
  const call = answered ?? ringing;
  const texts = messages
    .filter(({ channel }) => channel !== 'voice')
    .slice(0, mostTexts)
    .reverse();
  const kind =
    answered !== undefined ? 'inCall' : ringing !== undefined ? 'ringing' : texts.length > 0 ? 'text' : 'rest';
  return { userId, user, kind, call, texts };
}
