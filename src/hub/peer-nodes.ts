// The other nodes of the cluster: announces this node's address, and forwards requests whose connection another node
// holds.

import { type IncomingMessage, request as plainRequest, type ServerResponse } from 'node:http';
import { request as secureRequest } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../clock.ts';
import { guard } from '../guard.ts';
import { findNode } from '../operations/system/node-queries.ts';
import { announceNode, forgottenAfterMs, withdrawNode } from '../operations/system/nodes.ts';
import type { Store } from '../store/store.ts';

/** A node that is not seen for 15 s counts as gone, with the providers that are tied to it. */
const announceEveryMs = 5_000;

/**
 * A long poll may be held for minutes, so that its age says nothing: while another node holds a request, that node is
 * asked this often whether it is alive, and given as long to answer.
 */
const askEveryMs = 5_000;

/** Marks a forwarded request, so that it is not forwarded again: a node without the connection responds itself. */
const forwardedHeader = 'tocsin-handed-on';

export class PeerNodes {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #id: string;
  readonly #onTrouble: (error: unknown) => void;
  /** Requests being forwarded, to be aborted when this node stops. */
  readonly #inFlight = new Set<AbortController>();
  /** The questions under way whether a node is alive, by its address. */
  readonly #asked = new Map<string, Promise<boolean>>();
  #isStopping = false;
  #timer: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store, clock: Clock, id: string, onTrouble: (error: unknown) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#id = id;
    this.#onTrouble = onTrouble;
  }

  async announce(address: string, name: string): Promise<void> {
    const node = { id: this.#id, name, address };
    await this.#store.write(announceNode, node);
    this.#timer = setInterval(() => {
      this.#last = this.#store.write(announceNode, node).catch(this.#onTrouble);
    }, announceEveryMs);
  }

  async withdraw(): Promise<void> {
    clearInterval(this.#timer);
    await this.#last;
    await this.#store.write(withdrawNode, { id: this.#id }).catch(this.#onTrouble);
  }

  /**
   * Forwards the request and pipes back the response; returns false if there is no such node or it cannot be reached.
   */
  async forward(nodeId: string, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (nodeId === this.#id || request.headers[forwardedHeader] !== undefined) return false;
    const since = this.#clock.now() - forgottenAfterMs;
    const address = await this.#store.read(findNode, { id: nodeId, since });
    if (address === undefined) return false;
    if (this.#isStopping) {
      // A long poll held by the other node would delay the shutdown of this one for as long.
      response.destroy();
      return true;
    }
    const controller = new AbortController();
    this.#inFlight.add(controller);
    const ask = async (): Promise<void> => {
      if (!(await this.#isAlive(address))) controller.abort();
    };
    const timer = setInterval(() => guard(this.#onTrouble, ask), askEveryMs);
    try {
      await proxy(targetAt(address, request), request, response, controller.signal);
      return true;
    } catch (error) {
      if (response.destroyed) return true;
      this.#onTrouble(error);
      return response.headersSent;
    } finally {
      clearInterval(timer);
      this.#inFlight.delete(controller);
    }
  }

  /** One question serves all requests that a node holds. */
  #isAlive(address: string): Promise<boolean> {
    const asked = this.#asked.get(address) ?? isAlive(address).finally(() => this.#asked.delete(address));
    this.#asked.set(address, asked);
    return asked;
  }

  /** Aborts requests being forwarded; their clients retry at a node that stays up. */
  abortForwards(): void {
    this.#isStopping = true;
    for (const controller of this.#inFlight) controller.abort();
  }
}

/** The host is the node's own whatever the path: resolved as a reference, `//alarmhub/poll` would name a host `alarmhub`. */
function targetAt(address: string, { url = '/' }: IncomingMessage): URL {
  const target = new URL(address);
  const queryAt = url.indexOf('?');
  target.pathname = queryAt === -1 ? url : url.slice(0, queryAt);
  target.search = queryAt === -1 ? '' : url.slice(queryAt);
  return target;
}

/** Whether a node answers at all, whatever it answers. */
async function isAlive(address: string): Promise<boolean> {
  try {
    await fetch(address, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(askEveryMs) });
    return true;
  } catch {
    return false;
  }
}

async function proxy(
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
    { method: request.method ?? 'GET', headers: { ...headers, [forwardedHeader]: '1' } },
    resolve,
  );
  outgoing.on('error', reject);
  signal.addEventListener('abort', () => response.destroy());
  // The client disconnected while the other node holds its poll.
  response.on('close', () => outgoing.destroy());
  const [reply] = await Promise.all([promise, pipeline(request, outgoing)]);
  response.writeHead(reply.statusCode ?? 502, reply.headers);
  await pipeline(reply, response);
}
