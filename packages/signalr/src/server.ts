// A SignalR server that knows nothing of what its hubs are for, to be put beside any Node HTTP server.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { ClassicGeneration } from './classic/classic-generation.ts';
import { ConnectionLimit } from './connection-limit.ts';
import type { ConnectionsDefinition } from './connections.ts';
import { CoreGeneration } from './core/core-generation.ts';
import type { Endpoint } from './endpoint.ts';
import type { Generation, RequestShape } from './generation.ts';
import type { HubDefinition } from './hub.ts';
import { LiveConnections } from './live-connections.ts';
import { LiveHub } from './live-hub.ts';
import { type Mount, type Settings, type SignalROptions, settingsOf } from './options.ts';
import { addCorsHeaders, isOriginAllowed, isPreflight, replyToPreflight } from './origin.ts';
import type { Principal } from './principal.ts';
import { bearerToken, type MountRequest, Query, RequestRefused, replyText } from './request.ts';
import { SendScheduler } from './send-scheduler.ts';
import { refuseUpgrade, WebSocketUpgrader } from './websocket.ts';

type LiveMount = { readonly path: string; readonly lowerPath: string; readonly endpoint: Endpoint };

/** Whose connections have to go. */
type Ending = (principal: Principal) => boolean;

const lookAtClosingEveryMs = 10;

/**
 * How it is used:
 *
 *     const chat = defineHub({ name: 'chat', methods: { say: (_call, text) => live.broadcast('said', [text]) } });
 *     const server = new SignalRServer({ mounts: [{ path: '/chat', hub: chat }], nodeId, tokenKeys, authenticate });
 *     const live = server.hub(chat);
 *     http.on('request', (req, res) => (server.owns(req) ? server.handleRequest(req, res) : other(req, res)));
 *     http.on('upgrade', (req, socket, head) => server.handleUpgrade(req, socket, head));
 *     await server.close();
 *
 * A mount with `connections` instead of a `hub` leads to raw connections, below hubs and their protocols:
 *
 *     async function onConnected(client) { for await (const bytes of client.received) client.send(bytes); }
 *     const mount = { path: '/echo', connections: { name: 'echo', onConnected } };
 *
 * Requests must come with their bodies unread. The server writes no logs; `onTrouble` hears of failures.
 */
export class SignalRServer {
  readonly #settings: Settings;
  readonly #mounts: readonly LiveMount[];
  readonly #endpoints = new Map<HubDefinition | ConnectionsDefinition, Endpoint>();
  readonly #generations: readonly Generation[];
  readonly #door: WebSocketUpgrader;
  readonly #timer: NodeJS.Timeout;
  /** For each request that is being let in, the endings since it came: it is not in any table of connections yet. */
  readonly #arrivals = new Set<Ending[]>();

  constructor(options: SignalROptions) {
    this.#settings = settingsOf(options);
    const scheduler = new SendScheduler(this.#settings.limits.sliceMs, this.#settings.onTrouble);
    // The longest path first, since mounts may lie below each other.
    this.#mounts = options.mounts
      .map((mount) => ({ path: withoutTrailingSlash(mount.path), endpoint: this.#endpointOf(mount, scheduler) }))
      .map((mount) => ({ ...mount, lowerPath: mount.path.toLowerCase() }))
      .sort((a, b) => b.path.length - a.path.length);
    const connectionLimit = new ConnectionLimit(this.#settings.limits.connectionsEach);
    this.#generations = [
      new ClassicGeneration(this.#settings, connectionLimit),
      new CoreGeneration(this.#settings, connectionLimit),
    ];
    this.#door = new WebSocketUpgrader(this.#settings.limits);
    this.#timer = setInterval(() => this.#tick(), this.#settings.intervals.tick);
    this.#timer.unref();
  }

  /** The running hub of a definition that is mounted. */
  hub(definition: HubDefinition): LiveHub {
    const hub = this.#endpoints.get(definition);
    if (!(hub instanceof LiveHub)) throw new Error(`Hub ${definition.name} is not mounted`);
    return hub;
  }

  /** How many connections there are, those that are waiting for their client or just closing included. */
  get connectionCount(): number {
    return this.#generations.reduce((sum, generation) => sum + generation.connectionCount, 0);
  }

  /** Whether a request is at a mount or below one, hence to be given to this server. */
  owns(request: IncomingMessage): boolean {
    return this.#shapeOf(request) !== undefined;
  }

  /** Answers a request. Never rejects. */
  async handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const shape = this.#admit(request, response);
      if (isPreflight(request)) return replyToPreflight(response);
      const generation = this.#generationOf(shape);
      if (generation.answerPublicly?.(shape, response)) return;
      await this.#letIn(shape, async (mountRequest) => {
        if (!response.destroyed) await generation.handleRequest(mountRequest, response);
      });
    } catch (error) {
      const { status, message, headers } = this.#refusalOf(error);
      replyText(response, status, message, headers);
    }
  }

  /** Answers an upgrade. Never rejects. */
  async handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const onError = () => socket.destroy();
    socket.on('error', onError);
    try {
      const shape = this.#admit(request);
      await this.#letIn(shape, (mountRequest) => {
        if (socket.destroyed) return;
        const onOpen = this.#generationOf(shape).handleUpgrade(mountRequest);
        socket.off('error', onError);
        this.#door.accept(request, socket, head, onOpen);
      });
    } catch (error) {
      refuseUpgrade(socket, this.#refusalOf(error));
    }
  }

  /** Ends the connections of those principals, for instance because their token was revoked. */
  closeConnectionsOf(predicate: Ending): void {
    for (const generation of this.#generations) generation.closeConnectionsOf(predicate);
    for (const endings of this.#arrivals) endings.push(predicate);
  }

  /** Tells all clients to come back later, waits for them to go, and ends those that do not. */
  async close(): Promise<void> {
    for (const generation of this.#generations) generation.closeAll();
    const deadline = performance.now() + this.#settings.intervals.closeTimeout;
    while (!this.#isQuiet() && performance.now() < deadline) await pause(lookAtClosingEveryMs);
    for (const generation of this.#generations) generation.destroyAll();
    clearInterval(this.#timer);
  }

  /** One for all mounts of a definition. */
  #endpointOf({ hub, connections }: Mount, scheduler: SendScheduler): Endpoint {
    const definition = hub ?? connections;
    const known = this.#endpoints.get(definition);
    if (known !== undefined) return known;
    const { onTrouble } = this.#settings;
    const endpoint =
      hub === undefined ? new LiveConnections(connections, onTrouble) : new LiveHub(hub, scheduler, onTrouble);
    this.#endpoints.set(definition, endpoint);
    return endpoint;
  }

  #isQuiet(): boolean {
    return this.connectionCount === 0 && [...this.#endpoints.values()].every(({ isQuiet }) => isQuiet);
  }

  #tick(): void {
    for (const generation of this.#generations) generation.tick(this.#settings.now());
  }

  #shapeOf(request: IncomingMessage): RequestShape | undefined {
    const [path = '', search = ''] = splitOnce(request.url ?? '', '?');
    const place = withoutTrailingSlash(path).toLowerCase();
    const mount = this.#mounts.find(({ lowerPath }) => place === lowerPath || place.startsWith(`${lowerPath}/`));
    if (mount === undefined) return undefined;
    const subPath = place.slice(mount.path.length + 1);
    const { path: mountPath, endpoint } = mount;
    return { raw: request, method: request.method ?? '', subPath, query: new Query(search), mountPath, endpoint };
  }

  #admit(request: IncomingMessage, response?: ServerResponse): RequestShape {
    const shape = this.#shapeOf(request);
    if (shape === undefined) throw new RequestRefused(404);
    if (!isOriginAllowed(request, this.#settings.allowedOrigins)) {
      throw new RequestRefused(403, 'This origin is not allowed.', { Vary: 'Origin' });
    }
    if (response !== undefined) addCorsHeaders(request, response);
    return shape;
  }

  /** Does the work for who is asking; whose token ends on the way in does not stay. */
  async #letIn(shape: RequestShape, work: (request: MountRequest) => unknown): Promise<void> {
    const endings: Ending[] = [];
    this.#arrivals.add(endings);
    try {
      const principal = await this.#authenticate(shape, endings);
      try {
        await work({ ...shape, principal });
      } finally {
        // Only what this look at the token has let in: who has come with another one since is not concerned.
        if (endings.some((isOver) => isOver(principal))) this.closeConnectionsOf((one) => one === principal);
      }
    } finally {
      this.#arrivals.delete(endings);
    }
  }

  /** Looks again when something ended meanwhile, be it all or only what they could see: the first look may be stale. */
  async #authenticate({ raw, query }: RequestShape, endings: Ending[]): Promise<Principal> {
    for (;;) {
      endings.length = 0;
      const principal = await this.#settings.authenticate(bearerToken(raw, query), raw);
      if (principal === undefined) throw new RequestRefused(401, '', { 'WWW-Authenticate': 'Bearer' });
      if (!endings.some((isOver) => isOver(principal))) return principal;
    }
  }

  #generationOf(shape: RequestShape): Generation {
    const generation = this.#generations.find((one) => one.isMine(shape));
    if (generation === undefined) throw new RequestRefused(404);
    return generation;
  }

  #refusalOf(error: unknown): RequestRefused {
    if (error instanceof RequestRefused) return error;
    this.#settings.onTrouble(error);
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
