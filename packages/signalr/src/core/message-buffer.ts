// Stateful reconnect: numbers what is sent and received, keeps what is sent until it is acknowledged, and replays it.

import { Payload } from '../payload.ts';
import { type HubMessage, InvalidMessage, isCounted, messageType } from './protocol/messages.ts';
import type { CoreEncoding } from './protocol/protocol.ts';

/** Numbers start at 1, go up by 1 for each counted message and are never reset. */
export class MessageBuffer {
  readonly #encoding: CoreEncoding;
  #kept: Payload[] = [];
  #keptBytes = 0;
  #lastSent = 0;
  /** The number the next counted message has that comes in; after a resumption lower than what has been seen. */
  #nextIncoming = 1;
  #lastReceived = 0;
  #lastAcknowledged = 0;
  #awaitsSequence = false;

  constructor(encoding: CoreEncoding) {
    this.#encoding = encoding;
  }

  get keptBytes(): number {
    return this.#keptBytes;
  }

  /** Counts what is being sent. */
  add(payload: Payload): void {
    this.#lastSent += payload.messageCount;
    this.#kept.push(...payload.parts);
    this.#keptBytes += payload.bytes.length;
  }

  /** The client has everything up to this number. */
  acknowledge(sequenceId: number): void {
    const firstKept = this.#lastSent - this.#kept.length + 1;
    const acknowledged = this.#kept.splice(0, Math.max(0, sequenceId - firstKept + 1));
    for (const { bytes } of acknowledged) this.#keptBytes -= bytes.length;
  }

  /** Whether a message that came in is to be acted on: not one that was seen before the connection was cut. */
  isNews(message: HubMessage): boolean {
    if (this.#awaitsSequence) {
      if (message.type === messageType.sequence) this.#awaitsSequence = false;
      return !this.#awaitsSequence;
    }
    if (!isCounted(message)) return true;
    const number = this.#nextIncoming++;
    if (number <= this.#lastReceived) return false;
    this.#lastReceived = number;
    return true;
  }

  /** The client goes on from this number. */
  goOnFrom(sequenceId: number): void {
    if (sequenceId > this.#nextIncoming) throw new InvalidMessage('A sequence leaves out messages');
    this.#nextIncoming = sequenceId;
  }

  /** What a client that is back is to be sent first: the number replay begins with, and all it has not acknowledged. */
  replay(): Payload {
    this.#awaitsSequence = true;
    // The last acknowledgement may have been lost with the connection.
    this.#lastAcknowledged = 0;
    const sequenceId = this.#lastSent - this.#kept.length + 1;
    return Payload.join([this.#encoding.encode({ type: messageType.sequence, sequenceId }), ...this.#kept]);
  }

  /** The acknowledgement that is due, if something came in since the last one. */
  takeAck(): Payload | undefined {
    if (this.#lastReceived === this.#lastAcknowledged) return undefined;
    this.#lastAcknowledged = this.#lastReceived;
    return this.#encoding.encode({ type: messageType.ack, sequenceId: this.#lastReceived });
  }
}
