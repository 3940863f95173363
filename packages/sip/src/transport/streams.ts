// TCP and TLS: connections that are opened when needed, used for all messages to their peer, and kept alive.

import { once } from 'node:events';
import { connect as connectTcp, createServer as createTcpServer, isIP, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTlsServer } from 'node:tls';
import { guardOf, type OnFault } from '../guard.ts';
import { type Framed, StreamFramer } from '../message/stream-framer.ts';
import type { Address, Destination, Flow, Receiver } from './network.ts';

const connectTimeoutMs = 5_000;
const keepAliveMs = 25_000;
const idleTimeoutMs = 600_000;
const mostAccepted = 256;

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
  readonly #servers = new Map<'tcp' | 'tls', Server>();
  readonly #sockets = new Set<Socket>();
  /** Connections by where they lead and how their certificate was checked. */
  readonly #opened = new Map<string, Promise<Flow>>();

  constructor(receiver: Receiver, onFault: OnFault) {
    this.#receiver = receiver;
    this.#onFault = onFault;
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
    const opening = this.#connect(destination, () => this.#opened.delete(key));
    this.#opened.set(key, opening);
    opening.catch(() => this.#opened.delete(key));
    return opening;
  }

  async #connect({ protocol, host, port, tls }: Destination, forget: () => void): Promise<Flow> {
    const name = tls?.serverName ?? host;
    const socket =
      protocol === 'tcp'
        ? connectTcp({ host, port })
        : connectTls({
            host,
            port,
            rejectUnauthorized: tls?.verify ?? true,
            ...(isIP(name) === 0 && { servername: name }),
            ...(tls?.ca !== undefined && { ca: tls.ca }),
          });
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    await connected(socket, protocol === 'tcp' ? 'connect' : 'secureConnect');
    socket.once('close', forget);
    const timer = setInterval(() => socket.write(ping), keepAliveMs);
    timer.unref();
    socket.once('close', () => clearInterval(timer));
    return this.#flowOf(socket, protocol === 'tcp' ? 'tcp' : 'tls');
  }

  #accept(socket: Socket, protocol: 'tcp' | 'tls'): void {
    socket.on('error', () => {});
    if (this.#sockets.size >= mostAccepted) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.setTimeout(idleTimeoutMs, () => socket.destroy());
    this.#flowOf(socket, protocol);
  }

  #flowOf(socket: Socket, protocol: 'tcp' | 'tls'): Flow {
    const flow: Flow = {
      protocol,
      remote: { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 },
      local: async () => this.#localOf(socket, protocol),
      send: (bytes) => write(socket, bytes),
      withPort: () => flow,
      close: () => socket.destroy(),
    };
    const framer = new StreamFramer();
    const guard = guardOf(`connection of ${flow.remote.address}`, this.#onFault, () => socket.destroy());
    socket.once('close', () => this.#receiver.onClosed(flow));
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => guard(() => this.#take(framer.push(chunk), flow, socket)));
    return flow;
  }

  #take(received: Iterable<Framed>, flow: Flow, socket: Socket): void {
    for (const framed of received) {
      if (framed.kind === 'message') this.#receiver.onBytes(framed.bytes, flow);
      else if (framed.kind === 'ping') socket.write(pong);
      else {
        this.#receiver.onBrokenStream(framed.head, flow);
        socket.end();
      }
    }
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
    if (socket.destroyed) reject(new Error('the connection is closed'));
    else socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

function addressOf(server: Server): Address {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address : { address: '', port: 0 };
}
