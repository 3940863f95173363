// The options of a SignalR server, their defaults, and the settings made of both.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { makeConnectionId, type TokenKeys } from './connection-token.ts';
import type { ConnectionsDefinition } from './connections.ts';
import type { HubDefinition } from './hub.ts';
import type { TransportName } from './opening-request.ts';
import type { Principal } from './principal.ts';
import { Backlog } from './sending/backlog.ts';

export type ProtocolName = 'json' | 'messagepack';

/**
 * A hub, several hubs or raw connections served at a path. The same definition may be mounted several times. Clients of
 * classic ASP.NET SignalR 2 use all of `hubs` on one connection; those of ASP.NET Core SignalR know one hub per path and
 * get 404 there.
 */
export type Mount = MountOptions & { readonly path: string } & (
    | { readonly hub: HubDefinition; readonly hubs?: undefined; readonly connections?: undefined }
    | { readonly hub?: undefined; readonly hubs: readonly HubDefinition[]; readonly connections?: undefined }
    | { readonly hub?: undefined; readonly hubs?: undefined; readonly connections: ConnectionsDefinition }
  );

/** The options of one mount, where they differ from those of the server. */
export type MountOptions = Pick<
  SignalROptions,
  'authenticate' | 'allowedOrigins' | 'transports' | 'protocols' | 'detailedErrors'
> & {
  readonly intervals?: Partial<Omit<Intervals, 'tick'>>;
  readonly limits?: Partial<Omit<Limits, 'connectionsEach' | 'backlogBytes' | 'sliceMs'>>;
};

/** All in milliseconds. */
export type Intervals = {
  /** How often the timer checks all intervals below, hence their precision. */
  readonly tick: number;
  /** How long a new connection has to send its handshake. */
  readonly handshake: number;
  /** A ping is sent when nothing else was sent for this long; on raw connections, at this interval regardless. */
  readonly keepAlive: number;
  /** A client that has sent pings and then nothing for this long is considered gone. */
  readonly clientTimeout: number;
  /** How long a connection without a transport waits for its client: between polls, or to resume. */
  readonly disconnect: number;
  /** How long a poll waits for something to send. */
  readonly poll: number;
  /** The same for polls of classic ASP.NET SignalR 2. */
  readonly classicPoll: number;
  /** A client that takes or acknowledges nothing of what waits for it for this long is cut. */
  readonly sendTimeout: number;
  /** How long closing a transport may take. */
  readonly closeTimeout: number;
  /** How long after negotiation a connection token opens a connection. */
  readonly tokenLifetime: number;
};

export type Limits = {
  /** Connections of one principal, of all kinds together. */
  readonly connectionsEach: number;
  /** Bytes of one message from a client. */
  readonly messageBytes: number;
  /** Bytes of one WebSocket frame or one POST, either of which may hold many messages. */
  readonly chunkBytes: number;
  /** Bytes of one message from a client of classic ASP.NET SignalR 2. */
  readonly classicMessageBytes: number;
  /** Fragments of one WebSocket message: each costs far more memory than it has bytes. */
  readonly fragments: number;
  /**
   * Bytes of the messages that wait on all connections together, one that waits on many counted once. Beyond it the
   * clients with the least progress are cut.
   */
  readonly backlogBytes: number;
  /** Bytes sent over stateful reconnect and not yet acknowledged, beyond which streams wait. */
  readonly replayBytes: number;
  /** Unread items of an upload stream, or unread chunks of a raw connection, before the server stops reading. */
  readonly uploadItems: number;
  /** Queued invocations of one connection before the server stops reading. */
  readonly waitingInvocations: number;
  /** Invocations, uploads, and unread items of an upload, that one connection may have at all; more closes it. */
  readonly pending: number;
  /** Milliseconds that a broadcast writes before it yields the event loop. */
  readonly sliceMs: number;
};

export type SignalROptions = {
  readonly mounts: readonly Mount[];
  /** Names this process in connection tokens, so that other nodes know where a connection lives. Default: random. */
  readonly nodeId?: string;
  /**
   * Signs connection tokens. Default: a random key of this server alone. Set it, to the same value, on nodes that share
   * clients, and wherever connections negotiated before a restart shall be opened after it.
   */
  readonly tokenKeys?: TokenKeys | (() => TokenKeys);
  /**
   * Resolves to the principal of a request; undefined responds 401. It may throw a `RequestRefused` for another response.
   * Default: ANYBODY may connect, as `{ id: 'anonymous' }`, as in ASP.NET Core without `[Authorize]`.
   */
  authenticate?(token: string | undefined, request: IncomingMessage): Promise<Principal | undefined>;
  /** Origins other than the server's own whose pages may connect, exactly as browsers write them. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** Default: all three. */
  readonly transports?: readonly TransportName[];
  /** The protocols of ASP.NET Core SignalR. Default: both. */
  readonly protocols?: readonly ProtocolName[];
  /**
   * Whether clients learn the name and message of every error, as in ASP.NET with `EnableDetailedErrors`: for
   * development, because messages may hold secrets. Default: false.
   */
  readonly detailedErrors?: boolean;
  /** Forwards a request to the node that has its connection; resolves to false when it cannot. */
  forward?(nodeId: string, request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  /** Called with errors thrown by hooks, hub methods and handlers, whose details clients do not receive. */
  onError?(error: unknown): void;
  /** Milliseconds, to measure how long a client is silent; a monotonic clock is best. Default: `Date.now`. */
  now?(): number;
  /** Milliseconds since 1970, the time of `expiresAt` and of connection tokens. Default: `now`. */
  wallClock?(): number;
  readonly intervals?: Partial<Intervals>;
  readonly limits?: Partial<Limits>;
};

/** The options with every default filled in. */
export type Settings = Required<Omit<SignalROptions, 'forward' | 'tokenKeys' | 'intervals' | 'limits'>> & {
  readonly forward: SignalROptions['forward'];
  readonly intervals: Intervals;
  readonly limits: Limits;
  /** The messages that wait on all connections of the server. */
  readonly backlog: Backlog;
  tokenKeys(): TokenKeys;
};

export const defaultIntervals: Intervals = {
  tick: 1_000,
  handshake: 15_000,
  keepAlive: 15_000,
  clientTimeout: 30_000,
  disconnect: 30_000,
  poll: 90_000,
  classicPoll: 110_000,
  sendTimeout: 30_000,
  closeTimeout: 5_000,
  tokenLifetime: 30_000,
};

export const defaultLimits: Limits = {
  // Enough for the clients of a whole site that share one key.
  connectionsEach: 15_000,
  messageBytes: 32 * 1024,
  chunkBytes: 256 * 1024,
  classicMessageBytes: 64 * 1024,
  fragments: 256,
  backlogBytes: 128 * 1024 * 1024,
  replayBytes: 100_000,
  uploadItems: 10,
  waitingInvocations: 32,
  pending: 1_024,
  sliceMs: 6,
};

/** A new object each time: connections are found again by the identity of their principal. */
async function anybody(): Promise<Principal> {
  return { id: 'anonymous' };
}

function keyReader(tokenKeys: SignalROptions['tokenKeys']): () => TokenKeys {
  if (typeof tokenKeys === 'function') return tokenKeys;
  if (tokenKeys !== undefined) return () => tokenKeys;
  const current = randomBytes(32);
  const own = { current, all: [current] };
  return () => own;
}

export function settingsOf(options: SignalROptions): Settings {
  const { authenticate = anybody, now = Date.now } = options;
  const limits = { ...defaultLimits, ...options.limits };
  return {
    mounts: options.mounts,
    nodeId: options.nodeId ?? makeConnectionId(),
    tokenKeys: keyReader(options.tokenKeys),
    authenticate: async (token, request) => authenticate.call(options, token, request),
    allowedOrigins: options.allowedOrigins ?? [],
    transports: options.transports ?? ['WebSockets', 'ServerSentEvents', 'LongPolling'],
    protocols: options.protocols ?? ['json', 'messagepack'],
    detailedErrors: options.detailedErrors ?? false,
    forward: options.forward,
    onError: (error) => options.onError?.(error),
    now,
    wallClock: options.wallClock ?? now,
    intervals: { ...defaultIntervals, ...options.intervals },
    limits,
    backlog: new Backlog(limits.backlogBytes, now),
  };
}

/** Returns the settings of a mount: its own options, and those of the server for the rest. */
export function mountSettingsOf(settings: Settings, mount: Mount): Settings {
  const { authenticate } = mount;
  return {
    ...settings,
    authenticate:
      authenticate === undefined
        ? settings.authenticate
        : async (token, request) => authenticate.call(mount, token, request),
    allowedOrigins: mount.allowedOrigins ?? settings.allowedOrigins,
    transports: mount.transports ?? settings.transports,
    protocols: mount.protocols ?? settings.protocols,
    detailedErrors: mount.detailedErrors ?? settings.detailedErrors,
    intervals: { ...settings.intervals, ...mount.intervals },
    limits: { ...settings.limits, ...mount.limits },
  };
}
