// The WebSocket transport of classic ASP.NET SignalR 2; the client's calls arrive over it and run one after another.

import type { Intervals, Limits } from '../../options.ts';
import { frameWriter, type OpenSocket } from '../../websocket.ts';
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
  readonly #owner: TransportOwner;
  readonly #handleCall: HandleCall;
  readonly #queue: string[] = [];
  #isBusy = false;

  constructor(open: OpenSocket, intervals: Intervals, limits: Limits, owner: TransportOwner, handleCall: HandleCall) {
    super(
      intervals,
      frameWriter(open, owner, () => this.#onProgress()),
    );
    this.#open = open;
    this.#owner = owner;
    this.#limits = limits;
    this.#handleCall = handleCall;
    open.webSocket.on('message', (data: Buffer) => owner.guard(() => this.#receive(data)));
    // The library closes a socket that breaks the protocol; `close` follows.
    open.webSocket.on('error', () => {});
    open.webSocket.on('close', () =>
      owner.guard(() => {
        this.discard();
        owner.onGone(this);
      }),
    );
  }

  protected cut(): void {
    this.#open.webSocket.terminate();
  }

  protected close(): void {
    // A paused socket would never receive the client's close frame.
    this.#open.webSocket.resume();
    this.#open.webSocket.close(normalClosure);
  }

  #receive(data: Buffer): void {
    const { classicMessageBytes, waitingInvocations, pending } = this.#limits;
    const { webSocket } = this.#open;
    if (data.length > classicMessageBytes) webSocket.close(tooLarge);
    else if (this.#queue.push(data.toString()) > pending) webSocket.close(policyViolation);
    else if (this.#queue.length >= waitingInvocations) webSocket.pause();
    if (!this.#isBusy) this.#owner.guard(() => this.#work());
  }

  #onProgress(): void {
    this.#owner.onProgress();
    if (!this.#isBusy) this.#owner.guard(() => this.#work());
  }

  /** Stops while the client does not read: its responses would wait without limit. */
  async #work(): Promise<void> {
    this.#isBusy = true;
    while (this.hasRoom) {
      const text = this.#queue.shift();
      if (text === undefined) break;
      const response = await this.#handleCall(text);
      if (response !== undefined) this.write(new Message(response));
      if (this.#queue.length < this.#limits.waitingInvocations) this.#open.webSocket.resume();
    }
    this.#isBusy = false;
  }
}
