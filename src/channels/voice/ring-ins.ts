// Takes the calls of people who ring in over a trunk: answers, and leads the same conversation as with people who are called.

import { lookup } from 'node:dns/promises';
import { type IncomingCall, MediaSession, parseUri } from '@tocsin/sip';
import { connectTalk, type VoicePorts } from './connect-talk.ts';

/** More at once are busy: strangers who ring must not keep the processor from calling people. */
const mostAtOnce = 10;
/** Before the voice begins, so that its first word is heard. */
const ringMs = 500;

export type RingInParts = VoicePorts & {
  readonly providerId: number;
  readonly host: string;
  /** The local address for sound. */
  readonly localAddress: () => Promise<string>;
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
        call.reject(500);
        this.#parts.onTrouble(error);
      })
      .finally(() => {
        this.#underWay--;
        void call.hangUp().catch(this.#parts.onTrouble);
      });
  }

  async #lead(call: IncomingCall): Promise<void> {
    const { conversations, providerId, localAddress } = this.#parts;
    if (!(await this.#isWelcome(call))) return call.reject(403);
    const ended = new Promise<'ended'>((resolve) => call.once('ended', () => resolve('ended')));
    const media = await MediaSession.open({ address: await localAddress() });
    try {
      const line = { address: lineOf(call), channel: 'voice', providerId };
      const answered = new Promise<'answered'>((resolve) =>
        call.once('answered', ({ description }) => {
          if (description !== undefined) media.accept(description);
          resolve('answered');
        }),
      );
      await call.ring();
      await new Promise((resolve) => setTimeout(resolve, ringMs));
      await call.answer(call.offer === undefined ? media.offer() : media.answer(call.offer), (offer) =>
        offer === undefined ? media.offer() : media.answer(offer),
      );
      if ((await Promise.race([answered, ended])) === 'ended') return;
      await this.#talk(call, media, ended, await conversations.beginRingIn(line));
    } finally {
      media.close();
    }
  }

  async #talk(call: IncomingCall, media: MediaSession, ended: Promise<unknown>, attemptId: number): Promise<void> {
    const { talk, stopNews } = connectTalk(this.#parts, { media, call, end: ended }, attemptId, undefined);
    try {
      await talk.run();
    } finally {
      stopNews();
      await this.#parts.conversations.ended(attemptId);
    }
  }

  /** Strangers who found the port are not the trunk. */
  async #isWelcome({ source }: IncomingCall): Promise<boolean> {
    const { host, isRegistered } = this.#parts;
    if (isRegistered()) return true;
    const addresses = await lookup(host.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
    return addresses.some(({ address }) => address === source.address.replace(/^::ffff:/, ''));
  }
}

/** Returns the caller id, for the call history and the throttle; anybody can forge it, so that it proves nothing. */
function lineOf({ from }: IncomingCall): string {
  const user = parseUri(from.uri)?.user ?? '';
  return /^[\w.+-]{1,64}$/.test(user) ? user : 'anonymous';
}
