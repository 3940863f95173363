// Takes the session description of a telephone that was called or that has rung in, and says what is wrong with it.

import { type IncomingCall, type MediaSession, type OutgoingCall, SdpError } from '@tocsin/sip';
import type { ProviderReason } from '../../domain/channels/words/provider-reason.ts';

/** Returns why nobody can be spoken to; undefined when the sound is agreed on. */
export function acceptAnswer(media: MediaSession, description: string | undefined): ProviderReason | undefined {
  if (description === undefined) return { code: 'no-session-description' };
  try {
    media.accept(description);
    return undefined;
  } catch (error) {
    if (!(error instanceof SdpError)) throw error;
    return { code: 'session-description', said: error.message };
  }
}

/** Takes the answers to offers that the other side asks for in mid-call; one that cannot be used leaves the sound as it was. */
export function followAnswers(call: OutgoingCall | IncomingCall, media: MediaSession): void {
  call.on('renegotiated', ({ description }) => void acceptAnswer(media, description));
}
