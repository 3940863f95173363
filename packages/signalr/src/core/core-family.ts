// ASP.NET Core SignalR at its mounts: negotiation, the HTTP transports and WebSocket upgrades.

import type { ServerResponse } from 'node:http';
import type { ConnectionLimit } from '../connection-limit.ts';
import { type ConnectionToken, makeConnectionId, signToken } from '../connection-token.ts';
import { HubSet } from '../live/endpoint.ts';
import { LiveHub } from '../live/live-hub.ts';
import type { Settings } from '../options.ts';
import type { Principal } from '../principal.ts';
import type { OnOpen, ProtocolFamily, RequestShape } from '../protocol-family.ts';
import { type MountRequest, RequestRefused, replyJson, replyText } from '../request.ts';
import { ConnectionLookup, noSuchConnection } from './connection-lookup.ts';
import { ConnectionRegistry, publicId } from './connection-registry.ts';
import { lifetimeField, negotiateResponse, negotiateVersion, wantsStatefulReconnect } from './negotiate.ts';
import { forbidCaching, LongPollingTransport } from './transports/long-polling.ts';
import { ServerSentEventsTransport } from './transports/server-sent-events.ts';
import { WebSocketTransport } from './transports/websocket-transport.ts';

export class CoreFamily implements ProtocolFamily {
  readonly #settings: Settings;
  readonly #registry: ConnectionRegistry;
  readonly #lookup: ConnectionLookup;

  constructor(settings: Settings, connectionLimit: ConnectionLimit) {
    this.#settings = settings;
    this.#registry = new ConnectionRegistry(connectionLimit);
    this.#lookup = new ConnectionLookup(settings, this.#registry, connectionLimit);
  }

  get connectionCount(): number {
    return this.#registry.size;
  }

  /** Handles every request that no other family handles, where a path has one hub. */
  handles({ endpoint }: RequestShape): boolean {
    return !(endpoint instanceof HubSet);
  }

  async handleRequest(request: MountRequest, response: ServerResponse): Promise<void> {
    const { method, subPath } = request;
    if (subPath !== '') {
      if (subPath !== 'negotiate' && subPath !== 'refresh') throw new RequestRefused(404);
      if (method !== 'POST') throw new RequestRefused(405);
      return subPath === 'negotiate' ? this.#negotiate(request, response) : this.#refresh(request, response);
    }
    if (method === 'POST') return this.#receive(request, response);
    if (method === 'DELETE') return this.#delete(request, response);
    if (method !== 'GET') throw new RequestRefused(405);
    const wantsEvents = request.raw.headers.accept?.includes('text/event-stream') ?? false;
    return wantsEvents ? this.#sendEvents(request, response) : this.#poll(request, response);
  }

  handleUpgrade(request: MountRequest): OnOpen {
    if (request.subPath !== '') throw new RequestRefused(404);
    const { intervals } = request.settings;
    const id = request.query.get('id');
    const found = id === undefined ? undefined : this.#lookup.find(id, request);
    this.#lookup.check(found, 'WebSockets', request);
    const { connection } = found ?? {};
    if (connection === undefined || !connection.raw.isStarted) {
      if (connection === undefined) this.#lookup.checkOpen(request);
      return (open) => {
        const opened = this.#lookup.open(found, request);
        opened.start(new WebSocketTransport(open, intervals, opened.raw), request.raw);
      };
    }
    if (connection.raw.isClosed) throw noSuchConnection();
    if (!connection.raw.canResume) throw new RequestRefused(409);
    return (open) => connection.raw.resume(new WebSocketTransport(open, intervals, connection.raw), request.raw);
  }

  tick(now: number): void {
    this.#registry.tick(now);
  }

  closeConnectionsOf(predicate: (principal: Principal) => boolean): void {
    for (const connection of this.#registry.all()) {
      if (predicate(connection.raw.principal)) connection.close();
    }
  }

  closeAll(): void {
    this.#lookup.isClosed = true;
    this.closeConnectionsOf(() => true);
  }

  destroyAll(): void {
    for (const { raw } of this.#registry.all()) raw.destroy();
  }

  /**
   * Stores nothing: the signed token tells this node, or any other, everything about the connection, which exists from
   * its first request on.
   */
  async #negotiate(request: MountRequest, response: ServerResponse): Promise<void> {
    const { query, principal, endpoint, settings } = request;
    this.#lookup.checkOpen(request);
    const negotiated = negotiateVersion(query);
    if ('error' in negotiated) return replyJson(response, 200, negotiated);
    const { version } = negotiated;
    const { nodeId, transports, tokenKeys } = settings;
    const now = settings.wallClock();
    const canResume = endpoint instanceof LiveHub && transports.includes('WebSockets');
    const isStateful = canResume && wantsStatefulReconnect(query);
    const connectionId = makeConnectionId();
    const token: ConnectionToken = {
      ...{ connectionId, nodeId, principalId: principal.id },
      ...{ issuedAt: now, isStateful, version },
    };
    const connectionToken = signToken(token, endpoint.tokenScope, tokenKeys());
    const ids = { connectionId: publicId(connectionToken, token), connectionToken };
    replyJson(response, 200, negotiateResponse({ ...ids, version, isStateful, principal, now }, transports));
  }

  async #refresh(request: MountRequest, response: ServerResponse): Promise<void> {
    const id = request.query.get('id');
    if (id === undefined) return replyJson(response, 400, { error: 'missing_connection_token' });
    const found = await this.#lookup.findOrForward(request, response).catch(() => 'nothing' as const);
    if (found === undefined) return;
    const connection = found === 'nothing' ? undefined : found.connection;
    if (connection === undefined || connection.raw.isClosed) {
      return replyJson(response, 404, { error: 'connection_not_found' });
    }
    const { raw } = connection;
    if (raw.id === id) return replyJson(response, 400, { error: 'unsupported_negotiate_version' });
    if (raw.principal.id !== request.principal.id) return replyJson(response, 403, { error: 'user_changed' });
    raw.principal = request.principal;
    replyJson(response, 200, lifetimeField(request.principal, this.#settings.wallClock()));
  }

  async #receive(request: MountRequest, response: ServerResponse): Promise<void> {
    const found = await this.#lookup.findOrForward(request, response);
    if (found === undefined) return;
    this.#lookup.checkPrincipal(found, request);
    const connection = this.#lookup.openForPost(found, request);
    if (connection.raw.transportName === 'WebSockets') {
      throw new RequestRefused(405, 'POST requests are not allowed for WebSocket connections.');
    }
    await connection.posts.receive(request.raw);
    replyText(response, 200);
  }

  async #delete(request: MountRequest, response: ServerResponse): Promise<void> {
    const found = await this.#lookup.findOrForward(request, response);
    if (found === undefined) return;
    this.#lookup.checkPrincipal(found, request);
    if (found.connection?.raw.transportName !== 'LongPolling') {
      throw new RequestRefused(400, 'Cannot terminate this connection using the DELETE endpoint.');
    }
    found.connection.raw.destroy();
    replyText(response, 202);
  }

  async #sendEvents(request: MountRequest, response: ServerResponse): Promise<void> {
    const found = await this.#lookup.findOrForward(request, response);
    if (found === undefined || response.destroyed) return;
    this.#lookup.check(found, 'ServerSentEvents', request);
    if (found.connection?.raw.isStarted) throw new RequestRefused(409);
    if (found.connection === undefined) this.#lookup.checkOpen(request);
    const { intervals } = request.settings;
    const opened = this.#lookup.open(found, request);
    opened.start(new ServerSentEventsTransport(response, intervals, opened.raw), request.raw);
  }

  async #poll(request: MountRequest, response: ServerResponse): Promise<void> {
    forbidCaching(response);
    const found = await this.#lookup.findOrForward(request, response);
    if (found === undefined || response.destroyed) return;
    this.#lookup.check(found, 'LongPolling', request);
    const transport = found.connection?.raw.transport;
    if (transport instanceof LongPollingTransport) return transport.poll(response);
    if (found.connection === undefined) this.#lookup.checkOpen(request);
    const { intervals, now } = request.settings;
    const opened = this.#lookup.open(found, request);
    const first = new LongPollingTransport(intervals, opened.raw, now);
    opened.start(first, request.raw);
    first.open(response);
  }
}
