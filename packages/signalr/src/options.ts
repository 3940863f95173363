// What the host of a SignalR server decides: mounts, who may come in, intervals and limits, and the defaults.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TokenKeys } from './connection-token.ts';
import type { ConnectionsDefinition } from './connections.ts';
import type { HubDefinition } from './hub.ts';
import type { Principal } from './principal.ts';

export type TransportName = 'WebSockets' | 'ServerSentEvents' | 'LongPolling';
export type ProtocolName = 'json' | 'messagepack';

/** A hub or raw connections served at a path. The same may be mounted several times. */
export type Mount = { readonly path: string } & (
  | { readonly hub: HubDefinition; readonly connections?: undefined }
  | { readonly hub?: undefined; readonly connections: ConnectionsDefinition }
);

/** All in milliseconds. */
export type Intervals = {
  /** How often everything below is looked at, hence how exact it is. */
  readonly tick: number;
  /** A client that connected has this long to send its handshake. */
  readonly handshake: number;
  /** A ping is sent when nothing else was for this long; on raw connections, whatever else was. */
  readonly keepAlive: number;
  /** A client that has sent pings and then nothing for this long is gone. */
  readonly clientTimeout: number;
  /** How long a connection without a transport waits for its client: between polls, or to resume. */
  readonly disconnect: number;
  /** How long a poll waits for something to tell. */
  readonly poll: number;
  /** The same for polls of the classic generation. */
  readonly classicPoll: number;
  /** A transport that takes none of what is to be sent for this long is given up. */
  readonly sendTimeout: number;
  /** How long a closing transport may take. */
  readonly closeTimeout: number;
  /** How long after negotiation a connection token opens a connection. */
  readonly tokenLifetime: number;
  /** How long the replay buffer of stateful reconnect may stay over its size. */
  readonly ackTimeout: number;
};

export type Limits = {
  /** Connections of one principal, of whatever kind. */
  readonly connectionsEach: number;
  /** Bytes of one message from a client. */
  readonly messageBytes: number;
  /** Bytes of one WebSocket frame or one POST, either of which may hold many messages. */
  readonly chunkBytes: number;
  /** Bytes of one message from a client of the classic generation. */
  readonly classicMessageBytes: number;
  /** Fragments of one WebSocket message: each costs far more memory than it has bytes. */
  readonly fragments: number;
  /** Messages and bytes that may wait to be sent on one connection before it is cut. */
  readonly queuedMessages: number;
  readonly queuedBytes: number;
  /** Bytes sent and not yet acknowledged that stateful reconnect keeps. */
  readonly replayBytes: number;
  /** Items of an upload stream or pieces on a raw connection, and invocations, that may wait before nothing more is read. */
  readonly uploadItems: number;
  readonly waitingInvocations: number;
  /** Invocations, uploads, and unread items of an upload, that one connection may have at all; more is abuse. */
  readonly pending: number;
  /** Milliseconds that a broadcast writes before it lets others have their turn; what follows a write comes on top. */
  readonly sliceMs: number;
};

export type SignalROptions = {
  readonly mounts: readonly Mount[];
  /** Names this process in connection tokens, so that others know where a connection lives. */
  readonly nodeId: string;
  readonly tokenKeys: TokenKeys | (() => TokenKeys);
  /** Who is asking; undefined answers 401. It may throw a `RequestRefused` to answer something else. */
  authenticate(token: string | undefined, request: IncomingMessage): Promise<Principal | undefined>;
  /** Origins other than the server's own whose pages may connect, exactly as browsers write them. */
  readonly allowedOrigins?: readonly string[];
  readonly transports?: readonly TransportName[];
  readonly protocols?: readonly ProtocolName[];
  /** Hands a request to the node its connection lives on; false when that cannot be done. */
  forward?(nodeId: string, request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Told of failures of hooks, hub methods and handlers, which clients learn nothing of. */
  onTrouble?(error: unknown): void;
  now?(): number;
  readonly intervals?: Partial<Intervals>;
  readonly limits?: Partial<Limits>;
};

/** The options with nothing left open. */
export type Settings = Required<Omit<SignalROptions, 'forward' | 'tokenKeys' | 'intervals' | 'limits'>> & {
  readonly forward: SignalROptions['forward'];
  readonly intervals: Intervals;
  readonly limits: Limits;
  tokenKeys(): TokenKeys;
};

const defaultIntervals: Intervals = {
  tick: 1_000,
  handshake: 15_000,
  keepAlive: 15_000,
  clientTimeout: 30_000,
  disconnect: 30_000,
  poll: 90_000,
  classicPoll: 110_000,
  sendTimeout: 10_000,
  closeTimeout: 5_000,
  tokenLifetime: 30_000,
  ackTimeout: 5_000,
};

const defaultLimits: Limits = {
  // Enough for the clients of a whole site that share one key.
  connectionsEach: 15_000,
  messageBytes: 32 * 1024,
  chunkBytes: 256 * 1024,
  classicMessageBytes: 64 * 1024,
  fragments: 256,
  queuedMessages: 256,
  queuedBytes: 1024 * 1024,
  replayBytes: 100_000,
  uploadItems: 10,
  waitingInvocations: 32,
  pending: 1_024,
  sliceMs: 6,
};

export function settingsOf(options: SignalROptions): Settings {
  const { tokenKeys } = options;
  return {
    mounts: options.mounts,
    nodeId: options.nodeId,
    tokenKeys: typeof tokenKeys === 'function' ? tokenKeys : () => tokenKeys,
    authenticate: (token, request) => options.authenticate(token, request),
    allowedOrigins: options.allowedOrigins ?? [],
    transports: options.transports ?? ['WebSockets', 'ServerSentEvents', 'LongPolling'],
    protocols: options.protocols ?? ['json', 'messagepack'],
    forward: options.forward,
    onTrouble: (error) => options.onTrouble?.(error),
    now: options.now ?? Date.now,
    intervals: { ...defaultIntervals, ...options.intervals },
    limits: { ...defaultLimits, ...options.limits },
  };
}
