// A SignalR server with a hub of all trades, on a real port, and the published client for it.

import assert from 'node:assert/strict';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, createConnection, createServer as createTcpServer, type Socket } from 'node:net';
import {
  type HubConnection as ClientConnection,
  type HttpTransportType,
  HubConnectionBuilder,
  type IHttpConnectionOptions,
  LogLevel,
} from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { WebSocket } from 'ws';
import { defineHub, type HubConnection, HubException } from '../../packages/signalr/src/hub.ts';
import type { LiveHub } from '../../packages/signalr/src/live-hub.ts';
import type { SignalROptions } from '../../packages/signalr/src/options.ts';
import type { Principal } from '../../packages/signalr/src/principal.ts';
import { SignalRServer } from '../../packages/signalr/src/server.ts';
import { type FakeClock, fakeClock } from '../harness/clock.ts';
import { until } from '../harness/until.ts';

/** Quick enough for tests, and with room for a busy machine. */
const quick = { tick: 20, closeTimeout: 1_000 } as const;

export type Rig = {
  readonly server: SignalRServer;
  readonly live: LiveHub;
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

function makeHub(seen: string[] = []) {
  return defineHub({
    name: 'trades',
    methods: {
      echo: (_call, value) => value,
      nothing: () => {},
      fail: () => {
        throw new Error('a secret of the server');
      },
      refuse: () => {
        throw new HubException('not today');
      },
      whoAmI: ({ connection }) => connection.principal.id,
      myId: ({ connection }) => connection.id,
      sum: async ({ uploads: [numbers] }) => {
        let sum = 0;
        for await (const number of numbers ?? []) sum += Number(number);
        return sum;
      },
      sumOfAnswers: async ({ connection, uploads: [numbers] }) => {
        let sum = 0;
        for await (const number of numbers ?? []) sum += Number(await connection.invoke('answer', [number]));
        return sum;
      },
      askMe: ({ connection }, question) => connection.invoke('answer', [question]),
      join: ({ connection }, name) => connection.joinGroup(String(name)),
      leave: ({ connection }, name) => connection.leaveGroup(String(name)),
      pushMe: ({ connection }, ...args) => connection.send('pushed', args),
      goAway: ({ connection }, allowReconnect) => connection.close({ allowReconnect: allowReconnect === true }),
      untilCanceled: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('canceled'))),
    },
    streams: {
      async *count(_call, upTo) {
        for (let number = 1; number <= Number(upTo); number++) yield number;
      },
      async *double({ uploads: [numbers] }) {
        for await (const number of numbers ?? []) yield 2 * Number(number);
      },
      async *forever({ signal }) {
        seen.push('stream begun');
        try {
          while (!signal.aborted) yield 'again';
        } finally {
          seen.push('stream ended');
        }
      },
      async *breaks() {
        yield 1;
        throw new Error('a secret of the server');
      },
    },
    onConnected: ({ id }) => {
      seen.push(`connected ${id}`);
    },
    onDisconnected: ({ id }: HubConnection) => {
      seen.push(`disconnected ${id}`);
    },
  });
}

export async function startRig(options: Partial<Omit<SignalROptions, 'now'>> = {}): Promise<Rig> {
  const clock = fakeClock();
  const seen: string[] = [];
  const troubles: unknown[] = [];
  const hub = makeHub(seen);
  const server = new SignalRServer({
    mounts: [{ path: '/hub', hub }],
    nodeId: 'node-1',
    tokenKeys: { current: 'key', all: ['key'] },
    authenticate: async () => ({ id: 'anybody' }),
    onTrouble: (error) => troubles.push(error),
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

export type Protocol = 'json' | 'messagepack';

type ClientOptions = {
  readonly protocol?: Protocol;
  readonly transport?: HttpTransportType;
  readonly isStateful?: boolean;
  readonly retryDelays?: number[];
  readonly accessTokenFactory?: () => string;
};

/** The published client, not started. */
export function makeClient(url: string, options: ClientOptions = {}): ClientConnection {
  const { protocol = 'json', transport, isStateful = false, retryDelays, accessTokenFactory } = options;
  const http: IHttpConnectionOptions = {
    ...(transport !== undefined && { transport }),
    ...(accessTokenFactory !== undefined && { accessTokenFactory }),
  };
  const builder = new HubConnectionBuilder().withUrl(url, http).configureLogging(LogLevel.None);
  if (protocol === 'messagepack') builder.withHubProtocol(new MessagePackHubProtocol());
  if (isStateful) builder.withStatefulReconnect();
  if (retryDelays !== undefined) builder.withAutomaticReconnect(retryDelays);
  return builder.build();
}

export async function untilEqual<T>(look: () => T, wished: T, withinMs = 10_000): Promise<void> {
  await until(
    async () => look(),
    (value) => JSON.stringify(value) === JSON.stringify(wished),
    withinMs,
  );
}

/** Looks until it sees the same many times over. */
export async function untilStill(look: () => number): Promise<void> {
  let last = Number.NaN;
  let sameFor = 0;
  await untilEqual(() => {
    sameFor = look() === last ? sameFor + 1 : 0;
    last = look();
    return sameFor >= 20;
  }, true);
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

export type TcpProxy = {
  readonly port: number;
  cut(chance?: number): void;
  readonly count: number;
  stop(): Promise<void>;
};

/**
 * Without a word to the other side. One that is ending already is only destroyed: Node cannot reset it, leaves its handle half
 * closed, and the process then never ends.
 */
function cutOff(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** A TCP proxy whose connections can be cut without a word to either side: all, or each with a chance. */
export async function startProxy(targetPort: number): Promise<TcpProxy> {
  const open = new Set<Socket>();
  let count = 0;
  const server = createTcpServer((near) => {
    count += 1;
    const far = createConnection(targetPort, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.pipe(near);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const cut = (chance = 1) => {
    for (const socket of open) if (Math.random() < chance) cutOff(socket);
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    get count() {
      return count;
    },
    async stop() {
      cut();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Negotiates by hand and returns the token for `id=`. */
export async function negotiate(url: string, query = 'negotiateVersion=1', init: RequestInit = {}): Promise<string> {
  const response = await fetch(`${url}/negotiate?${query}`, { method: 'POST', ...init });
  assert.equal(response.status, 200);
  const answer = (await response.json()) as { connectionToken?: string; connectionId: string };
  return answer.connectionToken ?? answer.connectionId;
}

export const json = {
  handshake: (protocol = 'json', version = 1) => `${JSON.stringify({ protocol, version })}\x1e`,
  message: (message: unknown) => `${JSON.stringify(message)}\x1e`,
};

/** A WebSocket driven by hand: what came in, as the records of the JSON protocol. */
export class HandSocket {
  readonly socket: WebSocket;
  readonly records: string[] = [];
  closeCode: number | undefined;
  #rest = '';

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on('message', (data: Buffer) => {
      const parts = (this.#rest + data.toString()).split('\x1e');
      this.#rest = parts.pop() ?? '';
      this.records.push(...parts);
    });
    socket.on('close', (code) => {
      this.closeCode = code;
    });
    socket.on('error', () => {});
  }

  static open(url: string, headers: Record<string, string> = {}): Promise<HandSocket> {
    const socket = new WebSocket(url.replace('http', 'ws'), { headers });
    return new Promise((resolve, reject) => {
      const hand = new HandSocket(socket);
      socket.on('open', () => resolve(hand));
      socket.once('error', reject);
    });
  }

  /** Bytes that the server has not taken from this end yet. */
  get unsent(): number {
    return (this.socket as unknown as { _socket: Socket })._socket.writableLength;
  }

  /** This end of the connection stops taking anything from the network. */
  stopReading(): void {
    this.socket.pause();
  }

  /** Open, with the handshake done. */
  static async connect(url: string, headers: Record<string, string> = {}): Promise<HandSocket> {
    const hand = await HandSocket.open(url, headers);
    hand.socket.send(json.handshake());
    await untilEqual(() => hand.records[0], '{}');
    return hand;
  }
}

/** The answer to an upgrade that is refused. */
export function refusedUpgrade(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = httpRequest(url, {
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
        'Sec-WebSocket-Version': '13',
        ...headers,
      },
    });
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('The upgrade was not refused'));
    });
    request.on('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
    request.on('error', reject);
    request.end();
  });
}
