// A SignalR server with the test hub, on a real port and with a clock that stands still.

import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HubContext } from '../../src/hub.ts';
import type { SignalROptions } from '../../src/options.ts';
import type { Principal } from '../../src/principal.ts';
import { SignalRServer } from '../../src/server.ts';
import { type FakeClock, fakeClock } from './clock.ts';
import { makeTestHub } from './test-hub.ts';
import { untilEqual } from './until.ts';

/** Short intervals for the tests, with a margin for a busy machine. */
const quick = { tick: 20, closeTimeout: 1_000 } as const;

export type Rig = {
  readonly server: SignalRServer;
  readonly live: HubContext;
  /** Stands still, so that nothing times out because the machine is slow; see `untilLater`. */
  readonly clock: FakeClock;
  readonly port: number;
  /** The address of the hub. */
  readonly url: string;
  /** Connects and disconnects that the hub saw, in order. */
  readonly seen: string[];
  readonly errors: unknown[];
  stop(): Promise<void>;
};

export async function startRig(options: Partial<Omit<SignalROptions, 'now'>> = {}): Promise<Rig> {
  const clock = fakeClock();
  const seen: string[] = [];
  const errors: unknown[] = [];
  const hub = makeTestHub(seen);
  const server = new SignalRServer({
    mounts: [{ path: '/hub', hub }],
    nodeId: 'node-1',
    tokenKeys: { current: 'key', all: ['key'] },
    authenticate: async () => ({ id: 'anybody' }),
    onError: (error) => errors.push(error),
    ...options,
    now: clock.now,
    intervals: { ...quick, ...options.intervals },
  });
  const http = createServer((request, response) => void server.handleRequest(request, response));
  http.on('upgrade', (request, socket, head) => void server.handleUpgrade(request, socket, head));
  const port = await listen(http);
  return {
    ...{ server, live: server.hub(options.mounts?.[0]?.hub ?? hub), clock, port, seen, errors },
    url: `http://127.0.0.1:${port}/hub`,
    async stop() {
      await server.close();
      http.closeAllConnections();
      await new Promise((done) => http.close(done));
    },
  };
}

async function listen(http: Server): Promise<number> {
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  return (http.address() as AddressInfo).port;
}

/** Forwards a request to another node and its response back. */
export function passOn(port: number, request: IncomingMessage, response: ServerResponse): void {
  const { url: path, method, headers } = request;
  const onward = httpRequest({ port, path, method, headers }, (forwarded) => {
    response.writeHead(forwarded.statusCode ?? 500, forwarded.headers);
    forwarded.pipe(response);
  });
  request.pipe(onward);
}

/** Returns an `authenticate` function for principals by token. */
export function people(known: Record<string, Principal>) {
  return async (token: string | undefined): Promise<Principal | undefined> => known[token ?? ''];
}

/** Advances the clock a little with every poll until the value is the expected one. */
export async function untilLater<T>({ clock }: Rig, read: () => T, expected: T): Promise<void> {
  await untilEqual(() => {
    clock.advance(5);
    return read();
  }, expected);
}

/** Advances the clock until the promise settles. */
export async function settledLater<T>(rig: Rig, promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const note = () => {
    isSettled = true;
  };
  promise.then(note, note);
  await untilLater(rig, () => isSettled, true);
  return promise;
}
