// Limits the connections of an HTTP server, and closes them so that clients that read lose no response: in two steps after a
// last response, and after a grace period when the server stops.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket, Server as TlsServer } from 'node:tls';
import { ConnectionShares, type Sharing } from './connection-shares.ts';
import { type UnreadLimits, UnreadResponses } from './unread-responses.ts';

class Connection implements Sharing {
  /** The TCP connection, below TLS if there is any. */
  readonly #socket: Socket;
  readonly address: string;
  request: IncomingMessage | undefined;
  /** The response to the newest request; earlier ones end before it. */
  response: ServerResponse | undefined;
  isUpgraded = false;
  /** Whether this side has been closed: requests that still arrive get no response and must have no effect. */
  isEnding = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Node remembers an address that was read while the connection was open, and has none for it afterwards.
    this.address = socket.remoteAddress ?? '';
  }

  waitsForClient(): boolean {
    if (this.isUpgraded) return false;
    return this.response === undefined || this.response.writableEnded || this.request?.complete === false;
  }

  /** The bytes that the operating system has not taken yet, below TLS; they become fewer while the client reads. */
  queuedBytes(): number {
    const { _handle: handle } = this.#socket as Socket & { readonly _handle?: { readonly writeQueueSize?: number } };
    return handle?.writeQueueSize ?? 0;
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** How long and how much the server reads from a client after its own side is closed. */
type Linger = { readonly totalMs: number; readonly quietMs: number; readonly bytes: number };

/** The client may still be sending a body that was refused; most clients read the response only after that. */
const lingerAfterResponse: Linger = { totalMs: 30_000, quietMs: 2_000, bytes: 64 * 2 ** 20 };
const lingerAfterError: Linger = { totalMs: 2_000, quietMs: 1_000, bytes: 2 ** 20 };
const lingerWhileStopping: Linger = { totalMs: 2_000, quietMs: 500, bytes: lingerAfterResponse.bytes };
const checkLingeringEveryMs = 100;

/** Less than the ten seconds after which the process ends anyway. */
const longestStopMs = 8_000;
/** How long nobody must connect before the server stops listening, and how long it waits for that. */
const quietBeforeCloseMs = 20;
const longestAcceptMs = 500;
const longTurnMs = 2;

const reportEveryMs = 60_000;
const limitUnreadEveryMs = 500;

type ConnectionsOptions = {
  /** Idle connections are closed this long after the server has stopped listening. */
  readonly stopGraceMs: number;
  readonly maxConnections: number;
  /** The addresses of proxies, from which many clients come. */
  readonly proxies: readonly string[];
  readonly unread: UnreadLimits;
  /** Called at most once a minute with the number of connections that were refused, or closed for others, since the last call. */
  readonly onCrowded: (count: number) => void;
  /** The same for connections that were closed because nobody read the response. */
  readonly onUnread: (count: number) => void;
  readonly onFault: (error: unknown) => void;
};

/** Returns a function that counts its calls, and reports the count at most once a minute. */
function counted(report: (count: number) => void): () => void {
  let count = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  return () => {
    count++;
    const now = performance.now();
    if (now - reportedAt < reportEveryMs) return;
    report(count);
    count = 0;
    reportedAt = now;
  };
}

export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #servers: Server[] = [];
  readonly #tracked = new Map<Socket, Connection>();
  /** All TCP connections by their peer, also those whose TLS handshake is not done. */
  readonly #open = new Map<string, Connection>();
  readonly #shares: ConnectionShares<Connection>;
  #accepted = 0;
  /** Requests that wait until the server has stopped listening. */
  #held: (() => void)[] | undefined;
  readonly #unread: UnreadResponses;
  readonly #limitingUnread: NodeJS.Timeout;
  #isStopping = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#shares = new ConnectionShares(options.maxConnections, options.proxies);
    this.#unread = new UnreadResponses(options.unread, counted(options.onUnread));
    const limit = (): void => this.guard(undefined, () => this.#unread.limit(this.#tracked, performance.now()));
    this.#limitingUnread = setInterval(limit, limitUnreadEveryMs).unref();
  }

  /** Runs what a client has caused: an error that nobody expected ends its connection, and never reaches the process. */
  guard(socket: Duplex | undefined, work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.#options.onFault(error);
      socket?.destroy();
    }
  }

  attach(server: Server): void {
    const countCrowded = counted(this.#options.onCrowded);
    // Only for more than the shares could sort out in one turn.
    server.maxConnections = 2 * this.#options.maxConnections;
    server.on('drop', () => this.guard(undefined, countCrowded));
    server.on('timeout', (socket: Socket) =>
      this.guard(socket, () => this.#unread.noteTimeout(socket, this.#tracked.get(socket))),
    );
    server.timeout = this.#unread.periodMs;
    server.on('connection', (socket: Socket) => this.guard(socket, () => this.#admit(server, socket, countCrowded)));
    server.on('secureConnection', (socket: TLSSocket) =>
      this.guard(socket, () => {
        const connection = this.#open.get(peerOf(socket));
        if (connection === undefined) socket.destroy();
        else this.#track(socket, connection);
      }),
    );
    // Node would destroy idle connections when the server closes, and with them requests on their way.
    server.closeIdleConnections = () => {};
    this.#servers.push(server);
  }

  #admit(server: Server, socket: Socket, countCrowded: () => void): void {
    this.#accepted++;
    const connection = new Connection(socket);
    const admission = this.#shares.admit(connection, performance.now());
    if (admission !== 'taken') countCrowded();
    if (admission === 'refused') {
      socket.destroy();
      return;
    }
    const peer = peerOf(socket);
    this.#open.set(peer, connection);
    socket.once('close', () =>
      this.guard(socket, () => {
        this.#shares.remove(connection);
        if (this.#open.get(peer) === connection) this.#open.delete(peer);
      }),
    );
    if (!(server instanceof TlsServer)) this.#track(socket, connection);
  }

  #track(socket: Socket, connection: Connection): void {
    this.#tracked.set(socket, connection);
    socket.once('close', () => this.guard(socket, () => this.#tracked.delete(socket)));
    // Node's own listener leaves with an upgrade; without one, a connection that is reset would end the process.
    socket.on('error', () => {});
    // Node calls this after a response with `Connection: close`. Its own version closes the socket at once: when the
    // client has sent more than the server has read, the client's system then discards the response.
    socket.destroySoon = () => this.#closeGently(socket, lingerAfterResponse);
  }

  /** Notes that a valid token came on a connection. */
  noteToken(socket: Socket): void {
    const connection = this.#tracked.get(socket);
    if (connection !== undefined) this.#shares.noteToken(connection, performance.now());
  }

  noteUpgrade(socket: Socket): void {
    const connection = this.#tracked.get(socket);
    if (connection !== undefined) connection.isUpgraded = true;
  }

  /** Passes a request to the listener, unless its connection is already closed on this side. */
  handle(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    this.guard(request.socket, () => this.#handle(request, response, listener));
  }

  #handle(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    const connection = this.#tracked.get(request.socket);
    if (connection?.isEnding) {
      request.resume();
      return;
    }
    if (connection !== undefined) {
      connection.request = request;
      connection.response = response;
      this.#shares.noteRequest(connection);
    }
    if (this.#isStopping) response.shouldKeepAlive = false;
    if (this.#held === undefined) listener(request, response);
    else this.#held.push(() => this.guard(request.socket, () => listener(request, response)));
  }

  /** Sends a response on a connection without a valid request, and closes it. */
  endWith(socket: Socket, text: string): void {
    if (this.#tracked.get(socket)?.isEnding) return;
    // The error may be that of a TLS handshake, after which nothing can be sent.
    if (!socket.writable || (socket instanceof TLSSocket && !this.#tracked.has(socket))) {
      socket.destroy();
      return;
    }
    socket.write(text);
    // Nobody reads the connection of an upgrade any more; the client's own end must be noticed.
    socket.resume();
    this.#closeGently(socket, lingerAfterError);
  }

  #closeGently(socket: Socket, usual: Linger): void {
    // Its `close` event, which would end the timer below, may have passed.
    if (socket.destroyed) return;
    const connection = this.#tracked.get(socket);
    if (connection !== undefined) connection.isEnding = true;
    const begin = performance.now();
    const bytesBefore = socket.bytesRead;
    let [seen, seenAt] = [bytesBefore, begin];
    const check = (): void => {
      const linger = this.#isStopping ? lingerWhileStopping : usual;
      const now = performance.now();
      if (socket.bytesRead !== seen) [seen, seenAt] = [socket.bytesRead, now];
      const isOver = now - begin >= linger.totalMs || now - seenAt >= linger.quietMs;
      if (isOver || seen - bytesBefore > linger.bytes) socket.destroy();
    };
    const timer = setInterval(() => this.guard(socket, check), checkLingeringEveryMs);
    socket.once('close', () => clearInterval(timer));
    socket.end();
  }

  /**
   * Stops listening, answers the requests that arrive within the grace period, and resolves when all connections are
   * closed. Each connection is announced to end with its next response; not before nobody can connect any more, because
   * clients connect again at once.
   */
  async stop(): Promise<void> {
    const held: (() => void)[] = [];
    this.#held = held;
    await this.#untilNobodyConnects();
    this.#held = undefined;
    this.#isStopping = true;
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const [socket, { response }] of this.#tracked) {
      if (response === undefined || response.writableFinished) continue;
      if (!response.headersSent) response.shouldKeepAlive = false;
      else response.once('close', () => this.#closeGently(socket, lingerWhileStopping));
    }
    for (const work of held) work();
    // The event loop reads what has arrived before it closes: timers that are late run before the sockets are read.
    const grace = setTimeout(() => setImmediate(() => this.#closeIdle()), this.#options.stopGraceMs);
    const limit = setTimeout(() => this.#open.forEach((connection) => void connection.close()), longestStopMs);
    await Promise.all(closed);
    clearTimeout(grace);
    clearTimeout(limit);
    clearInterval(this.#limitingUnread);
  }

  /**
   * Waits until nobody has connected for a while: the system resets connections that wait to be accepted when the
   * listening socket is closed. Requests are held meanwhile, so that clients that connect for each request pause too.
   */
  async #untilNobodyConnects(): Promise<void> {
    const quietMs = Math.min(quietBeforeCloseMs, this.#options.stopGraceMs);
    const begin = performance.now();
    let [accepted, since, turnAt] = [this.#accepted, begin, begin];
    let now = begin;
    do {
      await new Promise(setImmediate);
      now = performance.now();
      // After a pause of the process clients wait to be accepted, one in each turn.
      if (this.#accepted !== accepted || now - turnAt > longTurnMs) [accepted, since] = [this.#accepted, now];
      turnAt = now;
    } while (now - since < quietMs && now - begin < longestAcceptMs);
  }

  #closeIdle(): void {
    for (const [socket, { response, isEnding }] of this.#tracked)
      if (!isEnding && (response === undefined || response.writableFinished))
        this.#closeGently(socket, lingerWhileStopping);
  }
}

/** Names the other end of a connection, which the socket below TLS and the one above have in common. */
function peerOf({ remoteAddress, remotePort, localPort }: Socket): string {
  return `${remoteAddress}|${remotePort}|${localPort}`;
}
