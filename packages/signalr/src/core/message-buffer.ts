// Stateful reconnect: numbers messages, buffers sent ones until they are acknowledged, and replays them.

import { Payload } from '../payload.ts';
import { type HubMessage, InvalidMessage, isCounted, messageType } from './protocol/messages.ts';
import type { CoreEncoding } from './protocol/protocol.ts';

/** Numbers start at 1, increase by 1 with each counted message and are never reset. */
export class MessageBuffer {
  readonly #encoding: CoreEncoding;
  #unacknowledged: Payload[] = [];
  #bufferedBytes = 0;
  #lastSent = 0;
  /** The number of the next counted message received; after a resumption it may be lower than the last one seen. */
  #nextIncoming = 1;
  #lastReceived = 0;
  #lastAcknowledged = 0;
  #awaitsSequence = false;

  constructor(encoding: CoreEncoding) {
    this.#encoding = encoding;
  }

  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  /** Numbers and buffers a payload that is about to be sent. */
  add(payload: Payload): void {
    this.#lastSent += payload.messageCount;
    this.#unacknowledged.push(...payload.parts);
    this.#bufferedBytes += payload.bytes.length;
  }

  /** Drops the messages up to this number from the buffer. */
  acknowledge(sequenceId: number): void {
    const firstUnacknowledged = this.#lastSent - this.#unacknowledged.length + 1;
    const acknowledged = this.#unacknowledged.splice(0, Math.max(0, sequenceId - firstUnacknowledged + 1));
    for (const { bytes } of acknowledged) this.#bufferedBytes -= bytes.length;
  }

  /** Returns whether a received message is new, and not a repetition of one processed before the connection was cut. */
  isNew(message: HubMessage): boolean {
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

  /** The client continues with this number. */
  expectFrom(sequenceId: number): void {
    if (sequenceId > this.#nextIncoming) throw new InvalidMessage('A sequence leaves out messages');
    this.#nextIncoming = sequenceId;
  }

  /**
   * Returns the first message for a client that resumes: the number that the replay begins with, and all unacknowledged
   * messages.
   */
  replay(): Payload {
    this.#awaitsSequence = true;
    // The last acknowledgement may have been lost with the connection.
    this.#lastAcknowledged = 0;
    const sequenceId = this.#lastSent - this.#unacknowledged.length + 1;
    return Payload.join([this.#encoding.encode({ type: messageType.sequence, sequenceId }), ...this.#unacknowledged]);
  }

  /** Returns an acknowledgement if anything was received since the last one. */
  takeAck(): Payload | undefined {
    if (this.#lastReceived === this.#lastAcknowledged) return undefined;
    this.#lastAcknowledged = this.#lastReceived;
    return this.#encoding.encode({ type: messageType.ack, sequenceId: this.#lastReceived });
  }
}
