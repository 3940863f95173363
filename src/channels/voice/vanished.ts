// Notices that the other side of a call has vanished: its sound has broken off, and nobody answers there.

import type { IncomingCall, MediaSession, OutgoingCall } from '@tocsin/sip';
import { guard } from '../../guard.ts';

/** The first look is after the `rtpLostAfterMs` of the sound. */
type VanishTimes = {
  /** How long the other side has to say that the call still exists. */
  readonly answerWithinMs: number;
  /** An exchange may know a call whose telephone is gone: without sound for so long it is over, whatever the exchange says. */
  readonly endAfterMs: number;
};

const usualTimes: VanishTimes = { answerWithinMs: 5_000, endAfterMs: 60_000 };

type Watched = { readonly call: OutgoingCall | IncomingCall; readonly media: MediaSession };

/**
 * Ends the call when the other side has vanished; returns a function that says whether it has. A telephone that has never sent
 * sound is left alone: its sound may be lost on the way to us, and its person hears us all the same.
 */
export function endWhenVanished(
  { call, media }: Watched,
  onTrouble: (error: unknown) => void,
  times = usualTimes,
): () => boolean {
  let hasVanished = false;
  let timer: NodeJS.Timeout | undefined;
  const end = async (): Promise<void> => {
    hasVanished = true;
    await call.hangUp({ text: 'No sound came any more' });
  };
  const look = async (): Promise<void> => {
    const { lastHeardAt } = media;
    if (lastHeardAt === undefined) return;
    clearTimeout(timer);
    // A machine that stood still has not read what came meanwhile.
    const waitMs = Math.max(times.endAfterMs - (performance.now() - lastHeardAt), times.answerWithinMs);
    timer = setTimeout(() => guard(onTrouble, () => media.lastHeardAt === lastHeardAt && end()), waitMs);
    await call.probe(times.answerWithinMs);
  };
  media.on('rtpLost', () => guard(onTrouble, () => look()));
  call.once('ended', ({ cause }) => {
    hasVanished ||= cause === 'lost';
    clearTimeout(timer);
  });
  return () => hasVanished;
}
