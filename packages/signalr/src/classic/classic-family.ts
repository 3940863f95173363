// Classic ASP.NET SignalR 2 at its mounts: recognises its requests and responds exactly as the original server does.

import type { ServerResponse } from 'node:http';
import type { ConnectionLimit } from '../connection-limit.ts';
import { makeConnectionId, signToken } from '../connection-token.ts';
import { hubsOf } from '../live/endpoint.ts';
import type { Settings } from '../options.ts';
import type { Principal } from '../principal.ts';
import type { OnOpen, ProtocolFamily, RequestShape } from '../protocol-family.ts';
import { type MountRequest, Query, RequestRefused, replyText } from '../request.ts';
import { readBody } from '../request-body.ts';
import type { ClassicConnection } from './classic-connection.ts';
import { subscribedHubs } from './connection-data.ts';
import { ConnectionLookup, type ConnectionRequest } from './connection-lookup.ts';
import { ConnectionRegistry } from './connection-registry.ts';
import { negotiateResponse } from './negotiate.ts';
import { negotiatedVersion } from './protocol-version.ts';
import { proxyScript } from './proxy-script.ts';
import { jsonType, reply, scriptType } from './reply.ts';
import { LongPollingTransport } from './transports/long-polling.ts';
import { ServerSentEventsTransport } from './transports/server-sent-events.ts';
import type { ClassicTransport } from './transports/transport.ts';
import { WebSocketTransport } from './transports/websocket-transport.ts';

const scripts = ['hubs', 'js'];
const operations = ['connect', 'start', 'reconnect', 'poll', 'send', 'abort', 'ping', ...scripts];

export class ClassicFamily implements ProtocolFamily {
  readonly #registry: ConnectionRegistry;
  readonly #lookup: ConnectionLookup;

  constructor(settings: Settings, connectionLimit: ConnectionLimit) {
    this.#registry = new ConnectionRegistry(connectionLimit);
    this.#lookup = new ConnectionLookup(settings, this.#registry, connectionLimit);
  }

  get connectionCount(): number {
    return this.#registry.size;
  }

  handles({ method, subPath, query }: RequestShape): boolean {
    const operation = operationOf(subPath);
    if (operation !== 'negotiate') return operations.includes(operation);
    return method === 'GET' || query.has('clientProtocol') || query.has('connectionData');
  }

  handlePublicRequest(shape: RequestShape, response: ServerResponse): boolean {
    const { method, subPath, mountPath, endpoint } = shape;
    const hubs = hubsOf(endpoint);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (!scripts.includes(operationOf(subPath))) return false;
    if (hubs.length === 0) throw new RequestRefused(404);
    if (method !== 'GET' && method !== 'HEAD') throw new RequestRefused(405, '', { Allow: 'GET, HEAD' });
    const definitions = hubs.map(({ definition }) => definition);
    reply(response, scriptType, proxyScript(mountPath, definitions));
    return true;
  }

  async handleRequest(request: MountRequest, response: ServerResponse): Promise<void> {
    const operation = operationOf(request.subPath);
    if (request.query.has('callback')) throw new RequestRefused(403, 'Forbidden: JSONP is disabled.');
    if (operation === 'negotiate') return this.#negotiate(request, response);
    if (operation === 'ping') return reply(response, jsonType, '{ "Response": "pong" }');
    const found = await this.#lookup.lookUpOrForward(request, response);
    if (found === undefined) return;
    if (operation === 'start') return this.#start(found, response);
    if (operation === 'send') return this.#send(found, request, response);
    if (operation === 'abort') return this.#abort(found, response);
    if (found.transport === 'LongPolling') return this.#poll(found, request, response);
    if (found.transport === 'WebSockets') throw new RequestRefused(400, 'Not a valid web socket request.');
    this.#lookup.checkOpen(request, found);
    if (response.destroyed) return;
    this.#stream(found, request, (one) => {
      return new ServerSentEventsTransport(response, request.settings.intervals, one);
    });
  }

  handleUpgrade(request: MountRequest): OnOpen {
    const operation = operationOf(request.subPath);
    if (operation !== 'connect' && operation !== 'reconnect') throw new RequestRefused(404);
    const found = this.#lookup.lookUp(request);
    if (found.transport !== 'WebSockets') throw new RequestRefused(400, 'Protocol error: Unknown transport.');
    const { intervals, limits } = request.settings;
    this.#lookup.checkOpen(request, found);
    return (open) =>
      this.#stream(
        found,
        request,
        (one) => new WebSocketTransport(open, intervals, limits, one, (text) => one.handle(text)),
      );
  }

  tick(now: number): void {
    for (const connection of this.#registry.all()) connection.guard(() => connection.tick(now));
  }

  closeConnectionsOf(predicate: (principal: Principal) => boolean): void {
    for (const connection of this.#registry.all()) {
      if (predicate(connection.principal)) connection.close({ allowReconnect: true });
    }
  }

  closeAll(): void {
    this.#lookup.isClosed = true;
    this.closeConnectionsOf(() => true);
  }

  destroyAll(): void {
    for (const connection of this.#registry.all()) connection.destroy();
  }

  /** Stores nothing: the signed token tells this node, or any other, everything about the connection. */
  #negotiate(request: MountRequest, response: ServerResponse): void {
    const { query, principal, endpoint, mountPath, settings } = request;
    this.#lookup.checkOpen(request);
    subscribedHubs(query.get('connectionData'), hubsOf(endpoint));
    const { nodeId, tokenKeys, transports, intervals, wallClock } = settings;
    const connectionId = makeConnectionId();
    const token = { connectionId, nodeId, principalId: principal.id, issuedAt: wallClock(), isStateful: false };
    const text = negotiateResponse({
      ...{ url: mountPath, connectionId, intervals },
      connectionToken: signToken({ ...token, version: 0 }, endpoint.tokenScope, tokenKeys()),
      tryWebSockets: transports.includes('WebSockets'),
      protocolVersion: negotiatedVersion(query.get('clientProtocol')),
    });
    reply(response, jsonType, text);
  }

  async #start({ connection }: ConnectionRequest, response: ServerResponse): Promise<void> {
    // A connection that is not here was connected, and therefore started, on another node.
    if (connection !== undefined && !(await connection.start())) throw new RequestRefused(500);
    reply(response, jsonType, '{ "Response": "started" }');
  }

  async #send({ connection }: ConnectionRequest, request: MountRequest, response: ServerResponse): Promise<void> {
    const { raw, query, settings } = request;
    if (connection === undefined) throw new RequestRefused(404, 'There is no such connection.');
    const { chunkBytes, classicMessageBytes } = settings.limits;
    const form = new Query((await readBody(raw, chunkBytes)).toString());
    const text = form.get('data') ?? query.get('data') ?? '';
    if (Buffer.byteLength(text) > classicMessageBytes) {
      throw new RequestRefused(413, `A message may have ${classicMessageBytes} bytes.`);
    }
    reply(response, jsonType, (await connection.handle(text)) ?? '');
  }

  #abort({ connection }: ConnectionRequest, response: ServerResponse): void {
    connection?.destroy();
    replyText(response, 200);
  }

  async #poll(found: ConnectionRequest, request: MountRequest, response: ServerResponse): Promise<void> {
    this.#lookup.checkOpen(request, found);
    const form = new Query((await readBody(request.raw, request.settings.limits.chunkBytes)).toString());
    if (response.destroyed) return;
    const connection = this.#lookup.openConnection(found, request);
    const isConnect = operationOf(request.subPath) === 'connect';
    const { transport: current } = connection;
    const isNew = isConnect || !(current instanceof LongPollingTransport);
    const transport = isNew ? this.#pollOn(connection, request) : current;
    const cursor = form.get('messageId') ?? request.query.get('messageId');
    const clientState = form.get('groupsToken') ?? request.query.get('groupsToken');
    const isUpToDate = transport.isUpToDateWith(cursor ?? '');
    if (isUpToDate) connection.refreshClientState(clientState);
    else if (!isConnect) transport.restartAt(cursor ?? '');
    transport.hold(response);
    if (isConnect) this.#initialize(found, connection, transport);
    else if (!isUpToDate) connection.resume(cursor, clientState);
  }

  #pollOn(connection: ClassicConnection, { raw, settings }: MountRequest): LongPollingTransport {
    const { intervals, now } = settings;
    const transport = new LongPollingTransport(intervals, connection, now);
    connection.attach(transport, raw);
    return transport;
  }

  #stream(
    found: ConnectionRequest,
    request: MountRequest,
    open: (connection: ClassicConnection) => ClassicTransport,
  ): void {
    const connection = this.#lookup.openConnection(found, request);
    const transport = open(connection);
    connection.attach(transport, request.raw);
    if (operationOf(request.subPath) === 'connect') this.#initialize(found, connection, transport);
    else connection.resume(request.query.get('messageId'), request.query.get('groupsToken'));
  }

  /** Sends the init message first, so that the client knows the cursor that later messages follow. */
  #initialize(found: ConnectionRequest, connection: ClassicConnection, transport: ClassicTransport): void {
    const initialized = connection.initialize(transport);
    if (found.startsAtOnce) void initialized.then(() => connection.start());
  }
}

/** Returns the last part of the path: as in the original server, clients may use the address of the script as theirs. */
function operationOf(subPath: string): string {
  return subPath.slice(subPath.lastIndexOf('/') + 1);
}
