// Clients that send one request after another to a server until it refuses connections, and record every request that was
// lost.

import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '../chance.ts';

export type Tally = {
  /** Complete responses, and those among them that announced the end of the connection. */
  answered: number;
  announced: number;
  /** The bodies of the responses. */
  readonly bodies: string[];
  /** Requests that were sent and got no complete response, with the reason. */
  readonly lost: string[];
};

export type LoadOptions = {
  readonly port: number;
  /** The bytes of one request. */
  readonly request: string;
  readonly chance: Chance;
  /** The longest pause between two requests on one connection, in ms. */
  readonly pauseMs: number;
  /** Whether the client opens a connection for each request. */
  readonly reconnects?: boolean;
};

/** Starts clients; `done` resolves when the server has refused a connection of each. */
export function startLoad(
  count: number,
  options: LoadOptions,
): { readonly tally: Tally; readonly done: Promise<unknown> } {
  const tally: Tally = { answered: 0, announced: 0, bodies: [], lost: [] };
  const clients = Array.from({ length: count }, async () => {
    while (await useConnection(options, tally));
  });
  return { tally, done: Promise.all(clients) };
}

/** Opens a connection and sends requests on it until either side closes it. Returns false when it was refused. */
async function useConnection({ port, request, chance, pauseMs, reconnects = false }: LoadOptions, tally: Tally) {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  const reader = new ResponseReader(socket);
  if ((await reader.connected) === 'ECONNREFUSED') return false;
  for (;;) {
    if (reader.end !== undefined) return true;
    socket.write(request);
    const response = await reader.next();
    if (response === undefined) {
      tally.lost.push(reader.end ?? '');
      return true;
    }
    tally.answered++;
    tally.bodies.push(response.body);
    const isLast = /^connection: close$/im.test(response.head);
    if (isLast) tally.announced++;
    if (isLast || reconnects) {
      socket.end();
      return true;
    }
    await pause(chance.int(0, pauseMs + 1));
  }
}

class ResponseReader {
  readonly connected: Promise<string>;
  /** Why nothing more will arrive. */
  end: string | undefined;
  #text = '';
  #arrived = Promise.withResolvers<void>();

  constructor(socket: Socket) {
    const finish = (reason: string): void => {
      this.end ??= reason;
      this.#arrived.resolve();
    };
    this.connected = new Promise((resolve) => {
      socket.once('connect', () => resolve('connected'));
      socket.once('error', ({ code = 'error' }: NodeJS.ErrnoException) => resolve(code));
    });
    socket.setEncoding('latin1').on('data', (text: string) => {
      this.#text += text;
      this.#arrived.resolve();
    });
    socket.on('end', () => finish('closed'));
    socket.on('error', ({ code = 'error' }: NodeJS.ErrnoException) => finish(code));
    socket.on('close', () => finish('closed'));
  }

  /** The next response, whose length is given; undefined when the connection ended before it was complete. */
  async next(): Promise<{ readonly head: string; readonly body: string } | undefined> {
    for (;;) {
      const [head = '', rest] = splitOnce(this.#text);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      if (rest !== undefined && rest.length >= length) {
        this.#text = rest.slice(length);
        return { head, body: rest.slice(0, length) };
      }
      if (this.end !== undefined) return undefined;
      await this.#arrived.promise;
      this.#arrived = Promise.withResolvers();
      if (this.end !== undefined) this.#arrived.resolve();
    }
  }
}

function splitOnce(text: string): readonly [head: string, rest: string | undefined] {
  const at = text.indexOf('\r\n\r\n');
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 4)];
}
