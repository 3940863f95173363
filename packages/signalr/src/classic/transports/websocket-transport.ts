// The WebSocket transport of classic ASP.NET SignalR 2; the client's calls arrive over it and run one after another.

import type { Intervals, Limits } from '../../options.ts';
import type { OpenSocket } from '../../websocket.ts';
import { Message } from '../messages.ts';
import { StreamTransport } from './stream-transport.ts';
import type { TransportOwner } from './transport.ts';

const normalClosure = 1000;
const policyViolation = 1008;
const tooLarge = 1009;

/** Resolves to the response to a message of the client, if there is one. */
type HandleCall = (text: string) => Promise<string | undefined>;

export class WebSocketTransport extends StreamTransport {
  readonly name = 'WebSockets';
  readonly #open: OpenSocket;
  readonly #limits: Limits;
  readonly #handleCall: HandleCall;
  readonly #queue: string[] = [];
  #isBusy = false;

  constructor(open: OpenSocket, intervals: Intervals, limits: Limits, owner: TransportOwner, handleCall: HandleCall) {
    super(open.socket, intervals, limits, owner);
    this.#open = open;
    this.#limits = limits;
    this.#handleCall = handleCall;
    open.webSocket.on('message', (data: Buffer) => this.#receive(data));
    // Pongs are sent here because the library would queue them without limit for a client that does not read.
    open.webSocket.on('ping', (data: Buffer) => {
      if (!this.isFull) open.webSocket.pong(data);
    });
    // The library closes a socket that breaks the protocol; `close` follows.
    open.webSocket.on('error', () => {});
    open.webSocket.on('close', () => owner.onGone(this));
  }

  destroy(): void {
    this.#open.webSocket.terminate();
  }

  protected bytesOf(message: Message): Buffer {
    return message.frame;
  }

  protected close(): void {
    // A paused socket would never receive the client's close frame.
    this.#open.webSocket.resume();
    this.#open.webSocket.close(normalClosure);
  }

  protected override write(message: Message): void {
    if (this.#open.webSocket.readyState === this.#open.webSocket.OPEN) super.write(message);
  }

  #receive(data: Buffer): void {
    const { classicMessageBytes, waitingInvocations, pending } = this.#limits;
    const { webSocket } = this.#open;
    if (data.length > classicMessageBytes) webSocket.close(tooLarge);
    else if (this.#queue.push(data.toString()) > pending) webSocket.close(policyViolation);
    else if (this.#queue.length >= waitingInvocations) webSocket.pause();
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let text = this.#queue.shift(); text !== undefined; text = this.#queue.shift()) {
      const response = await this.#handleCall(text);
      if (response !== undefined) this.#reply(response);
      if (this.#queue.length < this.#limits.waitingInvocations) this.#open.webSocket.resume();
    }
    this.#isBusy = false;
  }

  #reply(response: string): void {
    if (this.isFull) this.destroy();
    else this.write(new Message(response));
  }
}
