// The other nodes: tells them where this one is, and hands them requests whose connection they hold.

import { type IncomingMessage, request as plainRequest, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../clock.ts';
import { findNode } from '../operations/system/node-queries.ts';
import { announceNode, forgottenAfterMs, withdrawNode } from '../operations/system/nodes.ts';
import type { Store } from '../store/store.ts';

const greetEveryMs = 10_000;

/** Marks what was handed on once: a node that does not have the connection either answers itself. */
const handedOn = 'tocsin-handed-on';

export class PeerNodes {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #id: string;
  readonly #onTrouble: (error: unknown) => void;
  /** What is being handed on, so that it can be given up when this node stops. */
  readonly #onTheWay = new Set<AbortController>();
  #hasGivenUp = false;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store, clock: Clock, id: string, onTrouble: (error: unknown) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#id = id;
    this.#onTrouble = onTrouble;
  }

  async greet(address: string): Promise<void> {
    await this.#store.write(announceNode, { id: this.#id, address });
    this.#timer = setInterval(() => {
      this.#last = this.#store.write(announceNode, { id: this.#id, address }).catch(this.#onTrouble);
    }, greetEveryMs);
  }

  async leave(): Promise<void> {
    clearInterval(this.#timer);
    await this.#last;
    await this.#store.write(withdrawNode, { id: this.#id }).catch(this.#onTrouble);
  }

  /** Answers with what that node answers; false when there is no such node, or it cannot be reached. */
  async forward(nodeId: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (nodeId === this.#id || request.headers[handedOn] !== undefined) return false;
    const since = this.#clock.now() - forgottenAfterMs;
    const address = await this.#store.read(findNode, { id: nodeId, since });
    if (address === undefined) return false;
    if (this.#hasGivenUp) {
      // A poll that the other node holds would keep this one from going down for as long.
      response.destroy();
      return true;
    }
    const way = new AbortController();
    this.#onTheWay.add(way);
    try {
      await handOn(new URL(request.url ?? '/', address), request, response, way.signal);
      return true;
    } catch (error) {
      if (response.destroyed) return true;
      this.#onTrouble(error);
      return response.headersSent;
    } finally {
      this.#onTheWay.delete(way);
    }
  }

  /** The clients whose requests are on the way have to ask again, at a node that stays. */
  giveUp(): void {
    this.#hasGivenUp = true;
    for (const way of this.#onTheWay) way.abort();
  }
}

async function handOn(
  address: URL,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const send = address.protocol === 'https:' ? secureRequest : plainRequest;
  const { host: _, connection: __, ...headers } = request.headers;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = send(
    address,
    { method: request.method ?? 'GET', headers: { ...headers, [handedOn]: '1' } },
    resolve,
  );
  outgoing.on('error', reject);
  signal.addEventListener('abort', () => response.destroy());
  // A client that goes away while the other node holds its poll.
  response.on('close', () => outgoing.destroy());
  const [answer] = await Promise.all([promise, pipeline(request, outgoing)]);
  response.writeHead(answer.statusCode ?? 502, answer.headers);
  await pipeline(answer, response);
}
