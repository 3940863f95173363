// Takes the calls of people who ring in over a trunk: answers, and leads the same conversation as with people who are called.

import { lookup } from 'node:dns/promises';
import { type IncomingCall, type MediaSession, NoFreePort, parseUri, SdpError } from '@tocsin/sip';
import { acceptAnswer, followAnswers } from './accept-answer.ts';
import { connectTalk, endOnFault, faultIn, type VoicePorts } from './connect-talk.ts';

/** More at once are busy: strangers who ring must not keep the processor from calling people. */
const mostAtOnce = 10;
/** Before the voice begins, so that its first word is heard. */
const ringMs = 500;

export type RingInParts = VoicePorts & {
  readonly providerId: number;
  readonly host: () => string;
  readonly openMedia: () => Promise<MediaSession>;
  /** Whether the account is registered: its registrar chooses from where calls come. */
  readonly isRegistered: () => boolean;
};

export class RingIns {
  readonly #parts: RingInParts;
  #underWay = 0;

  constructor(parts: RingInParts) {
    this.#parts = parts;
  }

  take(call: IncomingCall): void {
    if (this.#underWay >= mostAtOnce) {
      call.reject(486);
      return;
    }
    this.#underWay++;
    void this.#lead(call)
      .catch((error: unknown) => {
        this.#parts.onTrouble(faultIn(`call ${call.callId}`, error));
        call.abort();
      })
      .finally(() => this.#underWay--)
      .then(() => call.hangUp())
      .catch(this.#parts.onTrouble);
  }

  async #lead(call: IncomingCall): Promise<void> {
    const { conversations, providerId } = this.#parts;
    // From the first moment on: a caller may hang up during every look-up, and would be waited for without end.
    const ended = new Promise<'ended'>((resolve) => call.once('ended', () => resolve('ended')));
    if (!(await this.#isWelcome(call))) return call.reject(403);
    const media = await this.#openMedia();
    if (media === undefined) return call.reject(486);
    try {
      const line = { address: lineOf(call), channel: 'voice', providerId };
      endOnFault(call, media, this.#parts.onTrouble);
      followAnswers(call, media);
      // A caller who left the offer to us answers it with the confirmation of the call.
      const isOurOffer = call.offer === undefined;
      const answered = new Promise<'answered' | 'unusable'>((resolve) =>
        call.once('answered', ({ description }) => {
          const isUsable = !isOurOffer || acceptAnswer(media, description) === undefined;
          resolve(isUsable ? 'answered' : 'unusable');
        }),
      );
      await call.ring();
      const rung = new Promise<'rung'>((resolve) => setTimeout(() => resolve('rung'), ringMs));
      if ((await Promise.race([rung, ended])) === 'ended') return;
      const answer = answerTo(call, media);
      if (answer === undefined) return call.reject(488);
      await call.answer(answer, (offer) => (offer === undefined ? media.offer() : media.answer(offer)));
      if ((await Promise.race([answered, ended])) !== 'answered') return;
      await this.#talk(call, media, ended, await conversations.beginRingIn(line));
    } finally {
      media.close();
    }
  }

  async #talk(call: IncomingCall, media: MediaSession, ended: Promise<unknown>, attemptId: number): Promise<void> {
    const { talk, stopNews } = connectTalk(this.#parts, { media, call, end: ended }, attemptId);
    try {
      await talk.run();
    } finally {
      stopNews();
      await this.#parts.conversations.ended(attemptId);
    }
  }

  /** Undefined when every port for sound is taken. */
  async #openMedia(): Promise<MediaSession | undefined> {
    try {
      return await this.#parts.openMedia();
    } catch (error) {
      if (!(error instanceof NoFreePort)) throw error;
      return undefined;
    }
  }

  /** Strangers who found the port are not the trunk. */
  async #isWelcome({ source }: IncomingCall): Promise<boolean> {
    const { host, isRegistered } = this.#parts;
    if (isRegistered()) return true;
    const addresses = await lookup(host().replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
    return addresses.some(({ address }) => address === source.address.replace(/^::ffff:/, ''));
  }
}

/** Returns our description for the call, an offer where the caller has made none; undefined when the caller's cannot be used. */
function answerTo(call: IncomingCall, media: MediaSession): string | undefined {
  try {
    return call.offer === undefined ? media.offer() : media.answer(call.offer);
  } catch (error) {
    if (!(error instanceof SdpError)) throw error;
    return undefined;
  }
}

/** Returns the caller id, for the call history and the throttle; anybody can forge it, so that it proves nothing. */
function lineOf({ from }: IncomingCall): string {
  const user = parseUri(from.uri)?.user ?? '';
  return /^[\w.+-]{1,64}$/.test(user) ? user : 'anonymous';
}
