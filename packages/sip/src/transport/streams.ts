// TCP and TLS: connections that are opened when needed, used for all messages to their peer, and kept alive.

import { once } from 'node:events';
import { connect as connectTcp, createServer as createTcpServer, isIP, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { guardOf, type OnFault } from '../guard.ts';
import { type Framed, StreamFramer } from '../message/stream-framer.ts';
import type { Timing } from '../transaction/timers.ts';
import { type Address, type Destination, type Flow, isSameFamily, type Receiver } from './network.ts';

const connectTimeoutMs = 5_000;
/** Multiples of T1, 500 ms: a ping every 25 s, and 10 s for its answer (RFC 5626, 4.4.1). */
const pingEvery = 50;
const pongWithin = 20;
const idleTimeoutMs = 600_000;
const mostAccepted = 256;
/** One address must not take all connections from the others. */
const mostOfAddress = 32;
/** A peer that has left so many bytes unread is cut off; with the number of connections that is 32 MiB in all. */
const mostUnread = 131_072;

/** The double line end that asks the peer for a single one, which keeps address translations and idle timers content. */
const ping = Buffer.from('\r\n\r\n');
const pong = Buffer.from('\r\n');

export type StreamListening = Address & {
  readonly protocol: 'tcp' | 'tls';
  /** PEM, for TLS. */
  readonly key?: string;
  readonly cert?: string;
};

export class Streams {
  readonly #receiver: Receiver;
  readonly #onFault: OnFault;
  readonly #timing: Timing;
  readonly #localAddress: string | undefined;
  readonly #servers = new Map<'tcp' | 'tls', Server>();
  readonly #sockets = new Set<Socket>();
  /** Connections by where they lead and how their certificate was checked. */
  readonly #opened = new Map<string, Promise<Flow>>();

  constructor(receiver: Receiver, onFault: OnFault, timing: Timing, localAddress?: string) {
    this.#receiver = receiver;
    this.#onFault = onFault;
    this.#timing = timing;
    this.#localAddress = localAddress;
  }

  async listen({ protocol, address, port, key, cert }: StreamListening): Promise<Address> {
    const accept = (socket: Socket) => this.#accept(socket, protocol);
    const server =
      protocol === 'tcp'
        ? createTcpServer(accept)
        : createTlsServer({ ...(key && { key }), ...(cert && { cert }) }, accept);
    // A handshake that fails is the client's to report.
    server.on('tlsClientError', () => {});
    // A connection that cannot be accepted, because too many files are open, is tried again by its client.
    server.on('error', () => {});
    server.listen(port, address);
    await once(server, 'listening');
    this.#servers.set(protocol, server);
    return addressOf(server);
  }

  /** The connection to that peer, opened when there is none. */
  open(destination: Destination): Promise<Flow> {
    const key = JSON.stringify(destination);
    const known = this.#opened.get(key);
    if (known !== undefined) return known;
    const opening: Promise<Flow> = this.#connect(destination, () => leave());
    const leave = (): void => {
      if (this.#opened.get(key) === opening) this.#opened.delete(key);
    };
    this.#opened.set(key, opening);
    opening.catch(leave);
    return opening;
  }

  async #connect({ protocol, host, port, tls }: Destination, leave: () => void): Promise<Flow> {
    const name = tls?.serverName ?? host;
    const own = this.#localAddress;
    const from = own !== undefined && isSameFamily(own, host) ? { localAddress: own, family: isIP(own) } : {};
    const socket =
      protocol === 'tcp'
        ? connectTcp({ host, port, ...from })
        : connectTls({
            ...{ host, port, ...from },
            rejectUnauthorized: tls?.verify ?? true,
            ...(isIP(name) === 0 && { servername: name }),
            ...(tls?.ca !== undefined && { ca: tls.ca }),
          });
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    await connected(socket, protocol === 'tcp' ? 'connect' : 'secureConnect');
    socket.once('close', leave);
    const flow = this.#flowOf(socket, protocol === 'tcp' ? 'tcp' : 'tls', leave);
    this.#keepAlive(socket, flow);
    return flow;
  }

  /** A peer that has answered pings and does so no more is gone, whatever TCP believes; others never promised to. */
  #keepAlive(socket: Socket, { heardAt = () => 0 }: Flow): void {
    const { t1 } = this.#timing;
    let answersPings = false;
    let deadline: NodeJS.Timeout | undefined;
    socket.on('data', (chunk: Buffer) => (answersPings ||= chunk.equals(pong)));
    const timer = setInterval(() => {
      const pingedAt = performance.now();
      // One that was left, or that nobody uses, and on which nothing comes.
      if (pingedAt - heardAt() > idleTimeoutMs) return void socket.destroy();
      socket.write(ping);
      if (!answersPings) return;
      deadline = setTimeout(() => {
        if (heardAt() < pingedAt) socket.destroy();
      }, pongWithin * t1).unref();
    }, pingEvery * t1);
    timer.unref();
    socket.once('close', () => {
      clearInterval(timer);
      clearTimeout(deadline);
    });
  }

  #accept(socket: Socket, protocol: 'tcp' | 'tls'): void {
    socket.on('error', () => {});
    const ofAddress = [...this.#sockets].filter(({ remoteAddress }) => remoteAddress === socket.remoteAddress);
    if (this.#sockets.size >= mostAccepted || ofAddress.length >= mostOfAddress) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.setTimeout(idleTimeoutMs, () => socket.destroy());
    this.#flowOf(socket, protocol);
  }

  #flowOf(socket: Socket, protocol: 'tcp' | 'tls', leave?: () => void): Flow {
    let heardAt = performance.now();
    const flow: Flow = {
      protocol,
      remote: { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 },
      local: async () => this.#localOf(socket, protocol),
      send: (bytes) => write(socket, bytes),
      withPort: () => flow,
      ...(leave !== undefined && { leave }),
      heardAt: () => heardAt,
    };
    socket.on('data', () => (heardAt = performance.now()));
    const framer = new StreamFramer();
    const guard = guardOf(`connection of ${flow.remote.address}`, this.#onFault, () => socket.destroy());
    socket.once('close', () => this.#receiver.onClosed(flow));
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => guard(() => this.#take(framer.push(chunk), flow, socket)));
    return flow;
  }

  #take(received: Iterable<Framed>, flow: Flow, socket: Socket): void {
    let isPinged = false;
    for (const framed of received) {
      if (framed.kind === 'message') this.#receiver.onBytes(framed.bytes, flow);
      else if (framed.kind === 'ping') isPinged = true;
      else {
        this.#receiver.onBrokenStream(framed.head, flow);
        socket.end();
      }
    }
    // One answer, however many pings came together.
    if (isPinged) void write(socket, pong).catch(() => {});
  }

  /** Peers connect to the port that listens; without one they must use this connection. */
  #localOf(socket: Socket, protocol: 'tcp' | 'tls'): Address {
    const server = this.#servers.get(protocol);
    const address = socket.localAddress ?? '';
    return { address, port: server === undefined ? (socket.localPort ?? 0) : addressOf(server).port };
  }

  async close(): Promise<void> {
    const closed = [...this.#servers.values()].map(async (server) => {
      server.close();
      await once(server, 'close');
    });
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(closed);
  }
}

async function connected(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  const deadline = setTimeout(() => socket.destroy(new Error('no connection in time')), connectTimeoutMs);
  try {
    await once(socket, event);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.writableLength > mostUnread) socket.destroy(new Error('the peer does not read what it is sent'));
    if (socket.destroyed) reject(new Error('the connection is closed'));
    else socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

function addressOf(server: Server): Address {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address : { address: '', port: 0 };
}
