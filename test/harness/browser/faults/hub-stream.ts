// One connection of a page to the hub through a faulty link.

import { WebSocket } from 'ws';

const endOfMessage = '\u001e';

/** That the hub is there. */
export const pingText = `{"type":6}${endOfMessage}`;

type Message = { readonly type?: number; readonly target?: string; readonly invocationId?: string };

const [invocation, completion, ping] = [1, 3, 6];

export class HubStream {
  readonly #page: WebSocket;
  readonly #server: WebSocket;
  readonly #questions = new Set<string>();
  #hasAnswered = false;

  /** `take` gets what the hub sends, for the page. */
  constructor(page: WebSocket, address: string, take: (message: string) => void) {
    this.#page = page;
    this.#server = new WebSocket(address, { perMessageDeflate: false });
    const begun = new Promise((done) => this.#server.once('open', done));
    page.on('message', (data) => {
      const message = String(data);
      for (const { type, invocationId } of messagesOf(message))
        if (type === invocation && invocationId !== undefined) this.#questions.add(invocationId);
      void begun.then(() => this.#server.send(message));
    });
    this.#server.on('message', (data) => {
      this.#hasAnswered = true;
      const message = String(data);
      for (const { type, invocationId } of messagesOf(message))
        if (type === completion && invocationId !== undefined) this.#questions.delete(invocationId);
      take(message);
    });
    this.#server.on('error', () => undefined);
    this.#server.on('close', () => page.close());
  }

  /** Whether it has answered the handshake: only such a hub says that it is there. */
  get hasAnswered(): boolean {
    return this.#hasAnswered && this.#page.readyState === WebSocket.OPEN;
  }

  /** What the hub was asked and has not answered, the handshake included. */
  get unanswered(): number {
    if (this.#page.readyState !== WebSocket.OPEN) return 0;
    return this.#questions.size + (this.#hasAnswered ? 0 : 1);
  }

  send(message: string): void {
    if (this.#page.readyState === WebSocket.OPEN) this.#page.send(message);
  }

  close(): void {
    this.#page.terminate();
    this.#server.terminate();
  }
}

/** The methods of the client that the messages call; `answer`: what the hub answers to a subscription. */
export function targetsOf(text: string): readonly string[] {
  return messagesOf(text).flatMap(({ type, target }) => {
    if (type === invocation && target !== undefined) return [target];
    return type === completion ? ['answer'] : type === ping ? ['ping'] : [];
  });
}

function messagesOf(text: string): readonly Message[] {
  return text
    .split(endOfMessage)
    .filter((part) => part.startsWith('{"'))
    .map((part) => JSON.parse(part) as Message);
}
