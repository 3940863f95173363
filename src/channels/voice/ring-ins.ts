// Takes the calls of people who ring in over a trunk: answers, and leads the same conversation as with people who are called.

import { lookup } from 'node:dns/promises';
import { BlockList, isIPv6 } from 'node:net';
import { type IncomingCall, type MediaSession, NoFreePort, parseUri, SdpError } from '@tocsin/sip';
import { networkOf } from '../../domain/access/network.ts';
import { acceptAnswer, followAnswers } from './accept-answer.ts';
import { connectTalk, endOnFault, faultIn, type VoicePorts } from './connect-talk.ts';
import type { Conversations } from './conversations.ts';

/** More at once are busy: strangers who ring must not keep the processor from calling people. */
const mostAtOnce = 10;
/** Callers of one source who have not signed in; more are busy, so that no stranger holds all lines. */
const mostStrangers = 4;
/** Before the voice begins, so that its first word is heard. */
const ringMs = 500;

export type RingInParts = VoicePorts & {
  readonly providerId: number;
  readonly host: () => string;
  /** Addresses and networks from which calls of the trunk come as well. */
  readonly allowFrom: () => readonly string[];
  readonly openMedia: () => Promise<MediaSession>;
  /** Whether the account is registered: its registrar chooses from where calls come. */
  readonly isRegistered: () => boolean;
};

export class RingIns {
  readonly #parts: RingInParts;
  #underWay = 0;
  /** The sources of calls whose callers have not signed in. */
  readonly #strangers = new Map<IncomingCall, string>();

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
      .finally(() => {
        this.#underWay--;
        this.#strangers.delete(call);
      })
      .then(() => call.hangUp())
      .catch(this.#parts.onTrouble);
  }

  async #lead(call: IncomingCall): Promise<void> {
    const { conversations, providerId } = this.#parts;
    // From the first moment on: a caller may hang up during every look-up, and would be waited for without end.
    const ended = new Promise<'ended'>((resolve) => call.once('ended', () => resolve('ended')));
    const isOfTrunk = await this.#isOfTrunk(call);
    if (!isOfTrunk && !this.#parts.isRegistered()) return call.reject(403);
    // What comes by the trunk is told apart by its caller id; a stranger who comes past it could show any.
    const source = isOfTrunk ? lineOf(call) : networkOf(call.source.address);
    if (this.#strangersOf(source) >= mostStrangers) return call.reject(486);
    this.#strangers.set(call, source);
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
    const { conversations } = this.#parts;
    const keys = async (...pressed: Parameters<Conversations['keys']>): ReturnType<Conversations['keys']> => {
      const said = await conversations.keys(...pressed);
      if (said.followsProof) this.#strangers.delete(call);
      return said;
    };
    const parts = { ...this.#parts, conversations: { ...conversations, keys } };
    const { talk, stopNews } = connectTalk(parts, { media, call, end: ended }, attemptId);
    try {
      await talk.run();
    } finally {
      stopNews();
      await conversations.ended(attemptId);
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

  #strangersOf(source: string): number {
    return [...this.#strangers.values()].filter((one) => one === source).length;
  }

  /** Whether it comes from an address of the trunk; strangers who found the port do not. */
  async #isOfTrunk({ source }: IncomingCall): Promise<boolean> {
    const from = source.address.replace(/^::ffff:/, '');
    if (isWithin(from, this.#parts.allowFrom())) return true;
    const addresses = await lookup(this.#parts.host().replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
    return addresses.some(({ address }) => address === from);
  }
}

function isWithin(address: string, networks: readonly string[]): boolean {
  const familyOf = (one: string): 'ipv4' | 'ipv6' => (isIPv6(one) ? 'ipv6' : 'ipv4');
  const list = new BlockList();
  for (const network of networks) {
    const [first = '', bits] = network.split('/');
    if (bits === undefined) list.addAddress(first, familyOf(first));
    else list.addSubnet(first, Number(bits), familyOf(first));
  }
  return list.check(address, familyOf(address));
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
