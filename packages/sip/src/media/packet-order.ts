// Puts received packets into the order of their sequence numbers, drops duplicates, and follows a stream that starts anew.

import { type RtpPacket, sequenceDistance } from './rtp.ts';

/** Packets held back while one before them is missing; more, or a longer wait, gives the missing one up. */
const mostHeld = 4;
const longestWaitMs = 60;

/** Packets this far out of order belong to a sender that has started to count anew. */
const mostAhead = 3000;
const mostBehind = 100;

export type OrderedPacket = {
  readonly packet: RtpPacket;
  /** True for the first packet of a stream: its numbers and timestamps do not continue those before. */
  readonly isNewStream: boolean;
};

type Held = { readonly packet: RtpPacket; readonly since: number };

export class PacketOrder {
  #ssrc: number | undefined;
  #next = 0;
  #held: Held[] = [];
  /** A packet of another stream; the second one in its order makes that stream the current one. */
  #stranger: RtpPacket | undefined;

  /** Takes one packet and returns those that are now in order. `now` is in milliseconds of any steady clock. */
  push(packet: RtpPacket, now: number): OrderedPacket[] {
    if (this.#ssrc === undefined) return this.#begin([packet]);
    const distance = sequenceDistance(packet.sequence, this.#next);
    if (packet.ssrc !== this.#ssrc || distance > mostAhead || distance < -mostBehind) return this.#meet(packet);
    this.#stranger = undefined;
    const isKnown = distance < 0 || this.#held.some((held) => held.packet.sequence === packet.sequence);
    if (!isKnown) this.#hold(packet, now);
    return this.#release(now);
  }

  /** Returns packets that have waited long enough for the one before them; called once in a while. */
  expire(now: number): OrderedPacket[] {
    return this.#held.length === 0 ? [] : this.#release(now);
  }

  #begin(packets: readonly RtpPacket[]): OrderedPacket[] {
    const last = packets.at(-1);
    if (last === undefined) return [];
    const left = this.#held.map(({ packet }) => ({ packet, isNewStream: false }));
    this.#held = [];
    this.#stranger = undefined;
    this.#ssrc = last.ssrc;
    this.#next = (last.sequence + 1) & 0xffff;
    return [...left, ...packets.map((packet, index) => ({ packet, isNewStream: index === 0 }))];
  }

  /** A single stray packet changes nothing: two of the same stream, in order, do. */
  #meet(packet: RtpPacket): OrderedPacket[] {
    const before = this.#stranger;
    this.#stranger = packet;
    if (before === undefined || before.ssrc !== packet.ssrc) return [];
    const distance = sequenceDistance(packet.sequence, before.sequence);
    return distance > 0 && distance <= mostHeld ? this.#begin([before, packet]) : [];
  }

  #hold(packet: RtpPacket, now: number): void {
    const after = this.#held.findIndex((held) => sequenceDistance(held.packet.sequence, packet.sequence) > 0);
    this.#held.splice(after < 0 ? this.#held.length : after, 0, { packet, since: now });
  }

  #release(now: number): OrderedPacket[] {
    const released: OrderedPacket[] = [];
    for (let [first] = this.#held; first !== undefined; [first] = this.#held) {
      const isNext = first.packet.sequence === this.#next;
      const isLost = this.#held.length > mostHeld || this.#held.some(({ since }) => now - since >= longestWaitMs);
      if (!isNext && !isLost) break;
      this.#held.shift();
      this.#next = (first.packet.sequence + 1) & 0xffff;
      released.push({ packet: first.packet, isNewStream: false });
    }
    return released;
  }
}
