// Messages over a WebSocket, and the client's calls that come back over it, one answered after the other.

import type { Intervals, Limits } from '../options.ts';
import type { OpenSocket } from '../websocket.ts';
import { Message } from './messages.ts';
import { StreamTransport } from './stream-transport.ts';
import type { TransportOwner } from './transport.ts';

const normalClosure = 1000;
const policyViolation = 1008;
const tooLarge = 1009;

/** Answers a text of the client, if there is something to answer. */
type Answer = (text: string) => Promise<string | undefined>;

export class WebSocketTransport extends StreamTransport {
  readonly name = 'WebSockets';
  readonly #open: OpenSocket;
  readonly #limits: Limits;
  readonly #answer: Answer;
  readonly #line: string[] = [];
  #isBusy = false;

  constructor(open: OpenSocket, intervals: Intervals, limits: Limits, owner: TransportOwner, answer: Answer) {
    super(open.socket, intervals, limits, owner);
    this.#open = open;
    this.#limits = limits;
    this.#answer = answer;
    open.webSocket.on('message', (data: Buffer) => this.#receive(data));
    // By hand, since the library would keep answers to pings without end for a client that does not read them.
    open.webSocket.on('ping', (data: Buffer) => {
      if (!this.isFull) open.webSocket.pong(data);
    });
    // What breaks the rules is closed by the library; `close` follows.
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
    // A paused socket would never hear the client's close frame.
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
    else if (this.#line.push(data.toString()) > pending) webSocket.close(policyViolation);
    else if (this.#line.length >= waitingInvocations) webSocket.pause();
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let text = this.#line.shift(); text !== undefined; text = this.#line.shift()) {
      const answer = await this.#answer(text);
      if (answer !== undefined) this.#reply(answer);
      if (this.#line.length < this.#limits.waitingInvocations) this.#open.webSocket.resume();
    }
    this.#isBusy = false;
  }

  #reply(answer: string): void {
    if (this.isFull) this.destroy();
    else this.write(new Message(answer));
  }
}
