// A SignalR server with the hub of the tests, on a real port and with a clock that stands still.

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

/** Quick enough for tests, and with room for a busy machine. */
const quick = { tick: 20, closeTimeout: 1_000 } as const;

export type Rig = {
  readonly server: SignalRServer;
  readonly live: HubContext;
  /** Stands still, so that nobody is too late because the machine is slow; see `untilLater`. */
  readonly clock: FakeClock;
  readonly port: number;
  /** The address of the hub. */
  readonly url: string;
  /** What the hub saw: connects and disconnects, in order. */
  readonly seen: string[];
  readonly troubles: unknown[];
  stop(): Promise<void>;
};

export async function startRig(options: Partial<Omit<SignalROptions, 'now'>> = {}): Promise<Rig> {
  const clock = fakeClock();
  const seen: string[] = [];
  const troubles: unknown[] = [];
  const hub = makeTestHub(seen);
  const server = new SignalRServer({
    mounts: [{ path: '/hub', hub }],
    nodeId: 'node-1',
    tokenKeys: { current: 'key', all: ['key'] },
    authenticate: async () => ({ id: 'anybody' }),
    onError: (error) => troubles.push(error),
    ...options,
    now: clock.now,
    intervals: { ...quick, ...options.intervals },
  });
  const http = createServer((request, response) => void server.handleRequest(request, response));
  http.on('upgrade', (request, socket, head) => void server.handleUpgrade(request, socket, head));
  const port = await listen(http);
  return {
    ...{ server, live: server.hub(options.mounts?.[0]?.hub ?? hub), clock, port, seen, troubles },
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

/** Passes a request on to another node, body, answer and all. */
export function passOn(port: number, request: IncomingMessage, response: ServerResponse): void {
  const { url: path, method, headers } = request;
  const onward = httpRequest({ port, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  });
  request.pipe(onward);
}

/** People by token; the token may be used until `expiresAt`. */
export function people(known: Record<string, Principal>) {
  return async (token: string | undefined): Promise<Principal | undefined> => known[token ?? ''];
}

/** Lets time pass, a little with every look, until it is so. */
export async function untilLater<T>({ clock }: Rig, look: () => T, wished: T): Promise<void> {
  await untilEqual(() => {
    clock.advance(5);
    return look();
  }, wished);
}

/** Lets time pass until the answer is there. */
export async function answeredLater<T>(rig: Rig, answer: Promise<T>): Promise<T> {
  let isThere = false;
  const note = () => {
    isThere = true;
  };
  answer.then(note, note);
  await untilLater(rig, () => isThere, true);
  return answer;
}
