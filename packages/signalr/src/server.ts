// The SignalR server: finds the mount and the protocol family of a request, authenticates it, and passes it on.

import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { ClassicFamily } from './classic/classic-family.ts';
import { ConnectionLimit } from './connection-limit.ts';
import type { ConnectionsDefinition } from './connections.ts';
import { CoreFamily } from './core/core-family.ts';
import type { HubContext, HubDefinition } from './hub.ts';
import { type Endpoint, HubSet } from './live/endpoint.ts';
import { LiveConnections } from './live/live-connections.ts';
import { LiveHub } from './live/live-hub.ts';
import { type Mount, mountSettingsOf, type Settings, type SignalROptions, settingsOf } from './options.ts';
import { addCorsHeaders, isOriginAllowed, isPreflight, replyToPreflight } from './origin.ts';
import type { Principal } from './principal.ts';
import type { ProtocolFamily, RequestShape } from './protocol-family.ts';
import { bearerToken, type MountRequest, Query, RequestRefused, replyText } from './request.ts';
import { SendScheduler } from './sending/send-scheduler.ts';
import { refuseUpgrade, WebSocketUpgrader } from './websocket.ts';

type LiveMount = {
  readonly path: string;
  readonly lowerPath: string;
  readonly endpoint: Endpoint;
  readonly settings: Settings;
};

/** Selects the principals whose connections have to end. */
type PrincipalFilter = (principal: Principal) => boolean;

const pollWhileClosingMs = 10;

/**
 * A SignalR server beside the other requests of a Node HTTP server:
 *
 *     const chat = defineHub({ name: 'chat', methods: { say: (_call, text) => context.broadcast('said', [text]) } });
 *     const server = new SignalRServer({ mounts: [{ path: '/chat', hub: chat }] });
 *     const context = server.hub(chat);
 *     server.attach(http);
 *     await server.close();
 *
 * A mount with `connections` instead of a `hub` serves raw connections, without hubs and their protocols:
 *
 *     async function onConnected(client) { for await (const bytes of client.received) client.send(bytes); }
 *     const mount = { path: '/echo', connections: { name: 'echo', onConnected } };
 *
 * Requests must arrive with their bodies unread. The server writes no logs; it calls `onError` with errors.
 */
export class SignalRServer {
  readonly #settings: Settings;
  readonly #mounts: readonly LiveMount[];
  readonly #hubs = new Map<HubDefinition, LiveHub>();
  readonly #connections = new Map<ConnectionsDefinition, LiveConnections>();
  readonly #families: readonly ProtocolFamily[];
  /** One upgrader for each mount, by its settings. */
  readonly #upgraders = new Map<Settings, WebSocketUpgrader>();
  readonly #timer: NodeJS.Timeout;
  /** For each request under way, the filters passed to `closeConnectionsOf` since it arrived: it has no connection yet. */
  readonly #arrivals = new Set<PrincipalFilter[]>();

  constructor(options: SignalROptions) {
    this.#settings = settingsOf(options);
    const scheduler = new SendScheduler(this.#settings.limits.sliceMs, this.#settings.onError);
    // The longest path first, since one mount may lie below another.
    this.#mounts = options.mounts
      .map((mount) => this.#liveMount(mount, scheduler))
      .sort((a, b) => b.path.length - a.path.length);
    const connectionLimit = new ConnectionLimit(this.#settings.limits.connectionsEach);
    this.#families = [
      new ClassicFamily(this.#settings, connectionLimit),
      new CoreFamily(this.#settings, connectionLimit),
    ];
    this.#timer = setInterval(() => this.#tick(), this.#settings.intervals.tick);
    this.#timer.unref();
  }

  /** The connections of a mounted hub. */
  hub(definition: HubDefinition): HubContext {
    const hub = this.#hubs.get(definition);
    if (hub === undefined) throw new Error(`Hub ${definition.name} is not mounted`);
    return hub;
  }

  /** The number of connections, including those that wait for their client to return and those that are closing. */
  get connectionCount(): number {
    return this.#families.reduce((sum, family) => sum + family.connectionCount, 0);
  }

  /**
   * Serves the mounts on an HTTP server, to be called after the server got its other listeners: they keep every request
   * and upgrade that is not at a mount. Where there are none, those get 404.
   */
  attach(http: HttpServer | HttpsServer): void {
    const onRequest = http.listeners('request');
    const onUpgrade = http.listeners('upgrade');
    http.removeAllListeners('request').removeAllListeners('upgrade');
    http.on('request', (request, response) => {
      if (onRequest.length === 0 || this.owns(request)) void this.handleRequest(request, response);
      else for (const listener of onRequest) listener.call(http, request, response);
    });
    http.on('upgrade', (request, socket, head) => {
      if (onUpgrade.length === 0 || this.owns(request)) void this.handleUpgrade(request, socket, head);
      else for (const listener of onUpgrade) listener.call(http, request, socket, head);
    });
  }

  /** Whether the path of a request is that of a mount or below one. */
  owns(request: IncomingMessage): boolean {
    return this.#shapeOf(request) !== undefined;
  }

  /** Responds to a request at a mount. Never rejects. */
  async handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const shape = this.#admit(request, response);
      if (isPreflight(request)) return replyToPreflight(request, response);
      const family = this.#familyOf(shape);
      if (family.handlePublicRequest?.(shape, response)) return;
      await this.#authenticated(shape, async (mountRequest) => {
        if (!response.destroyed) await family.handleRequest(mountRequest, response);
      });
    } catch (error) {
      const { status, message, headers } = this.#refusalOf(error);
      // The beginning of another response cannot be taken back.
      if (response.headersSent) response.destroy();
      else replyText(response, status, message, headers);
    }
  }

  /** Accepts or refuses an upgrade at a mount. Never rejects. */
  async handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const onError = () => socket.destroy();
    socket.on('error', onError);
    try {
      const shape = this.#admit(request);
      await this.#authenticated(shape, (mountRequest) => {
        if (socket.destroyed) return;
        const onOpen = this.#familyOf(shape).handleUpgrade(mountRequest);
        socket.off('error', onError);
        this.#upgraders.get(shape.settings)?.accept(request, socket, head, onOpen);
      });
    } catch (error) {
      refuseUpgrade(socket, this.#refusalOf(error));
    }
  }

  /** Closes the connections of the selected principals, for instance because their token was revoked. */
  closeConnectionsOf(filter: PrincipalFilter): void {
    for (const family of this.#families) family.closeConnectionsOf(filter);
    for (const filters of this.#arrivals) filters.push(filter);
  }

  /** Asks all clients to reconnect later, waits until they have disconnected, and cuts the rest at `closeTimeout`. */
  async close(): Promise<void> {
    for (const family of this.#families) family.closeAll();
    const deadline = performance.now() + this.#settings.intervals.closeTimeout;
    while (!this.#isQuiet() && performance.now() < deadline) await pause(pollWhileClosingMs);
    for (const family of this.#families) family.destroyAll();
    clearInterval(this.#timer);
  }

  #liveMount(mount: Mount, scheduler: SendScheduler): LiveMount {
    const path = withoutTrailingSlash(mount.path);
    const settings = mountSettingsOf(this.#settings, mount);
    this.#upgraders.set(settings, new WebSocketUpgrader(settings.limits));
    return { path, lowerPath: path.toLowerCase(), endpoint: this.#endpointOf(mount, scheduler), settings };
  }

  #endpointOf(mount: Mount, scheduler: SendScheduler): Endpoint {
    if (mount.hub !== undefined) return this.#liveHub(mount.hub, scheduler);
    if (mount.connections !== undefined) return this.#liveConnections(mount.connections, scheduler);
    const hubs = mount.hubs.map((definition) => this.#liveHub(definition, scheduler));
    return new HubSet(hubs, scheduler);
  }

  /** Returns the running hub of a definition, the same for all its mounts. */
  #liveHub(definition: HubDefinition, scheduler: SendScheduler): LiveHub {
    const hub = this.#hubs.get(definition) ?? new LiveHub(definition, scheduler, this.#settings.onError);
    this.#hubs.set(definition, hub);
    return hub;
  }

  #liveConnections(definition: ConnectionsDefinition, scheduler: SendScheduler): LiveConnections {
    const { onError } = this.#settings;
    const connections = this.#connections.get(definition) ?? new LiveConnections(definition, scheduler, onError);
    this.#connections.set(definition, connections);
    return connections;
  }

  #isQuiet(): boolean {
    const running = [...this.#hubs.values(), ...this.#connections.values()];
    return this.connectionCount === 0 && running.every(({ isQuiet }) => isQuiet);
  }

  #tick(): void {
    for (const family of this.#families) family.tick(this.#settings.now());
  }

  /** Clients that join the address of the hub and `/negotiate` as they are repeat slashes; they count as one. */
  #shapeOf(request: IncomingMessage): RequestShape | undefined {
    const [path = '', search = ''] = splitOnce(request.url ?? '', '?');
    const lowerPath = withoutTrailingSlash(path.replaceAll(/\/{2,}/g, '/')).toLowerCase();
    const mount = this.#mounts.find((one) => lowerPath === one.lowerPath || lowerPath.startsWith(`${one.lowerPath}/`));
    if (mount === undefined) return undefined;
    const subPath = lowerPath.slice(mount.path.length + 1);
    const { path: mountPath, endpoint, settings } = mount;
    const common = { raw: request, method: request.method ?? '', subPath, query: new Query(search) };
    return { ...common, mountPath, endpoint, settings };
  }

  #admit(request: IncomingMessage, response?: ServerResponse): RequestShape {
    const shape = this.#shapeOf(request);
    if (shape === undefined) throw new RequestRefused(404);
    if (!isOriginAllowed(request, shape.settings.allowedOrigins)) {
      throw new RequestRefused(403, 'This origin is not allowed.', { Vary: 'Origin' });
    }
    if (response !== undefined) addCorsHeaders(request, response);
    return shape;
  }

  /** Authenticates a request and runs the work; closes what it opened if its principal's token ended meanwhile. */
  async #authenticated(shape: RequestShape, work: (request: MountRequest) => unknown): Promise<void> {
    const filters: PrincipalFilter[] = [];
    this.#arrivals.add(filters);
    try {
      const principal = await this.#authenticate(shape, filters);
      try {
        await work({ ...shape, principal });
      } finally {
        // Compares by identity: another request of the same principal may have been authenticated with a renewed token.
        if (filters.some((hasEnded) => hasEnded(principal))) this.closeConnectionsOf((one) => one === principal);
      }
    } finally {
      this.#arrivals.delete(filters);
    }
  }

  /** Authenticates again if the principal was asked to leave meanwhile: the first result may be out of date. */
  async #authenticate({ raw, query, settings }: RequestShape, filters: PrincipalFilter[]): Promise<Principal> {
    for (;;) {
      filters.length = 0;
      const principal = await settings.authenticate(bearerToken(raw, query), raw);
      if (principal === undefined) throw new RequestRefused(401, '', { 'WWW-Authenticate': 'Bearer' });
      if (!filters.some((hasEnded) => hasEnded(principal))) return principal;
    }
  }

  #familyOf(shape: RequestShape): ProtocolFamily {
    const family = this.#families.find((one) => one.handles(shape));
    if (family === undefined) throw new RequestRefused(404);
    return family;
  }

  #refusalOf(error: unknown): RequestRefused {
    if (error instanceof RequestRefused) return error;
    this.#settings.onError(error);
    return new RequestRefused(500);
  }
}

function withoutTrailingSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
