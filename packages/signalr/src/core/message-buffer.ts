// Stateful reconnect: numbers messages, buffers sent ones until they are acknowledged, and replays them.

import type { BacklogShare } from '../sending/backlog.ts';
import { Fifo } from '../sending/fifo.ts';
import type { Payload } from '../sending/payload.ts';
import { type HubMessage, InvalidMessage, isCounted, messageType } from './protocol/messages.ts';
import type { CoreEncoding } from './protocol/protocol.ts';

/** Numbers start at 1, increase by 1 with each counted message and are never reset. */
export class MessageBuffer {
  readonly #encoding: CoreEncoding;
  readonly #share: BacklogShare;
  readonly #unacknowledged = new Fifo<Payload>();
  #bufferedBytes = 0;
  /** The number of the first buffered message; that of the next one if none is buffered. */
  #firstBuffered = 1;
  /** The number of the next counted message received; after a resumption it may be lower than the last one seen. */
  #nextIncoming = 1;
  #lastReceived = 0;
  #lastAcknowledged = 0;
  #awaitsSequence = false;

  constructor(encoding: CoreEncoding, share: BacklogShare) {
    this.#encoding = encoding;
    this.#share = share;
  }

  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  /** Numbers and buffers a payload that is about to be sent. */
  add(payload: Payload): void {
    this.#unacknowledged.push(payload);
    this.#bufferedBytes += payload.bytes.length;
    this.#share.add(payload);
  }

  /**
   * Drops the messages up to this number from the buffer; those that were sent joined are dropped together. Returns
   * whether there were any.
   */
  acknowledge(sequenceId: number): boolean {
    const before = this.#firstBuffered;
    const isAcknowledged = ({ messageCount }: Payload) => this.#firstBuffered + messageCount - 1 <= sequenceId;
    while (this.#unacknowledged.first !== undefined && isAcknowledged(this.#unacknowledged.first)) this.#dropFirst();
    return this.#firstBuffered > before;
  }

  /** Drops all messages, because the connection ends. */
  clear(): void {
    while (this.#unacknowledged.length > 0) this.#dropFirst();
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
   * Returns the messages for a client that resumes: the number that the replay begins with, and all unacknowledged
   * messages.
   */
  replay(): readonly Payload[] {
    this.#awaitsSequence = true;
    // The last acknowledgement may have been lost with the connection.
    this.#lastAcknowledged = 0;
    const sequence = { type: messageType.sequence, sequenceId: this.#firstBuffered } as const;
    return [this.#encoding.encode(sequence), ...this.#unacknowledged];
  }

  /** Returns an acknowledgement if anything was received since the last one. */
  takeAck(): Payload | undefined {
    if (this.#lastReceived === this.#lastAcknowledged) return undefined;
    this.#lastAcknowledged = this.#lastReceived;
    return this.#encoding.encode({ type: messageType.ack, sequenceId: this.#lastReceived });
  }

  #dropFirst(): void {
    const payload = this.#unacknowledged.shift();
    if (payload === undefined) return;
    this.#firstBuffered += payload.messageCount;
    this.#bufferedBytes -= payload.bytes.length;
    this.#share.remove(payload);
  }
}
