// Limits the connections of an HTTP server, and closes them so that clients that read lose no response: in two steps after a
// last response, and after a grace period when the server stops.

import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket, Server as TlsServer } from 'node:tls';
import { type UnreadLimits, UnreadResponses } from './unread-responses.ts';

type Connection = {
  /** The response to the newest request; earlier ones end before it. */
  response: ServerResponse | undefined;
  /** Whether this side has been closed: requests that still arrive get no response and must have no effect. */
  isEnding: boolean;
};

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
  readonly unread: UnreadLimits;
  /** Called at most once a minute with the number of connections refused since the last call. */
  readonly onRefused: (count: number) => void;
  /** The same for connections that were closed because nobody read the response. */
  readonly onUnread: (count: number) => void;
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
  /** All TCP connections, also those whose TLS handshake is not done. */
  readonly #sockets = new Set<Socket>();
  #accepted = 0;
  /** Requests that wait until the server has stopped listening. */
  #held: (() => void)[] | undefined;
  readonly #unread: UnreadResponses;
  readonly #limitingUnread: NodeJS.Timeout;
  #isStopping = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#unread = new UnreadResponses(options.unread, counted(options.onUnread));
    const limit = (): void => this.#unread.limit(this.#tracked, performance.now());
    this.#limitingUnread = setInterval(limit, limitUnreadEveryMs).unref();
  }

  attach(server: Server): void {
    server.maxConnections = this.#options.maxConnections;
    server.on('drop', counted(this.#options.onRefused));
    this.#unread.watch(server, (socket) => this.#tracked.get(socket));
    server.on('connection', (socket: Socket) => {
      this.#accepted++;
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      if (!(server instanceof TlsServer)) this.#track(socket);
    });
    server.on('secureConnection', (socket: TLSSocket) => this.#track(socket));
    // Node would destroy idle connections when the server closes, and with them requests on their way.
    server.closeIdleConnections = () => {};
    this.#servers.push(server);
  }

  #track(socket: Socket): void {
    const connection: Connection = { response: undefined, isEnding: false };
    this.#tracked.set(socket, connection);
    socket.once('close', () => this.#tracked.delete(socket));
    // Node's own listener leaves with an upgrade; without one, a connection that is reset would end the process.
    socket.on('error', () => {});
    // Node remembers an address that was read while the connection was open, and has none for it afterwards.
    void socket.remoteAddress;
    // Node calls this after a response with `Connection: close`. Its own version closes the socket at once: when the
    // client has sent more than the server has read, the client's system then discards the response.
    socket.destroySoon = () => this.#closeGently(socket, lingerAfterResponse);
  }

  /** Passes a request to the listener, unless its connection is already closed on this side. */
  handle(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    const connection = this.#tracked.get(request.socket);
    if (connection?.isEnding) {
      request.resume();
      return;
    }
    if (connection !== undefined) connection.response = response;
    if (this.#isStopping) response.shouldKeepAlive = false;
    if (this.#held === undefined) listener(request, response);
    else this.#held.push(() => void listener(request, response));
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
    const timer = setInterval(check, checkLingeringEveryMs);
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
    const limit = setTimeout(() => this.#sockets.forEach((socket) => void socket.destroy()), longestStopMs);
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
