// ASP.NET SignalR 2.x at its mounts: told apart from its successor by the request, answered as the original does.

import type { ServerResponse } from 'node:http';
import type { ConnectionLimit } from '../connection-limit.ts';
import { makeConnectionId, signToken } from '../connection-token.ts';
import type { Generation, OnOpen, RequestShape } from '../generation.ts';
import type { Settings } from '../options.ts';
import type { Principal } from '../principal.ts';
import { type MountRequest, Query, RequestRefused, replyText } from '../request.ts';
import { readBody } from '../request-body.ts';
import type { ClassicConnection } from './classic-connection.ts';
import { namesHub } from './connection-data.ts';
import { atHub, type HubRequest } from './hub-request.ts';
import { LongPollingTransport } from './long-polling.ts';
import { negotiateAnswer } from './negotiate.ts';
import { negotiatedVersion } from './protocol-version.ts';
import { Reception, type Visit } from './reception.ts';
import { Registry } from './registry.ts';
import { proxyScript } from './script.ts';
import { ServerSentEventsTransport } from './server-sent-events.ts';
import type { ClassicTransport } from './transport.ts';
import { WebSocketTransport } from './websocket-transport.ts';
import { jsonType, reply, scriptType } from './wire.ts';

const scripts = ['hubs', 'js'];
const paths = ['connect', 'start', 'reconnect', 'poll', 'send', 'abort', 'ping', ...scripts];

export class ClassicGeneration implements Generation {
  readonly #settings: Settings;
  readonly #registry: Registry;
  readonly #reception: Reception;

  constructor(settings: Settings, connectionLimit: ConnectionLimit) {
    this.#settings = settings;
    this.#registry = new Registry(settings, connectionLimit);
    this.#reception = new Reception(settings, this.#registry, connectionLimit);
  }

  get connectionCount(): number {
    return this.#registry.size;
  }

  isMine({ method, subPath, query }: RequestShape): boolean {
    if (subPath !== 'negotiate') return paths.includes(subPath);
    return method === 'GET' || query.has('clientProtocol') || query.has('connectionData');
  }

  answerPublicly(shape: RequestShape, response: ServerResponse): boolean {
    const { method, subPath, mountPath, hub } = atHub(shape);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (!scripts.includes(subPath)) return false;
    if (method !== 'GET' && method !== 'HEAD') throw new RequestRefused(405, '', { Allow: 'GET, HEAD' });
    reply(response, scriptType, proxyScript(mountPath, hub.definition));
    return true;
  }

  async handleRequest(mountRequest: MountRequest, response: ServerResponse): Promise<void> {
    const request = atHub(mountRequest);
    const { subPath, query } = request;
    if (query.has('callback')) throw new RequestRefused(403, 'Forbidden: JSONP is disabled.');
    if (subPath === 'negotiate') return this.#negotiate(request, response);
    if (subPath === 'ping') return reply(response, jsonType, '{ "Response": "pong" }');
    const visit = await this.#reception.receiveOrForward(request, response);
    if (visit === undefined) return;
    if (subPath === 'start') return this.#start(visit, response);
    if (subPath === 'send') return this.#send(visit, request, response);
    if (subPath === 'abort') return this.#abort(visit, response);
    if (visit.transport === 'LongPolling') return this.#poll(visit, request, response);
    if (visit.transport === 'WebSockets') throw new RequestRefused(400, 'Not a valid web socket request.');
    this.#reception.checkOpen(request, visit);
    if (response.destroyed) return;
    this.#stream(visit, request, (one) => {
      const { intervals, limits } = this.#settings;
      return new ServerSentEventsTransport(response, intervals, limits, one);
    });
  }

  handleUpgrade(mountRequest: MountRequest): OnOpen {
    const request = atHub(mountRequest);
    if (request.subPath !== 'connect' && request.subPath !== 'reconnect') throw new RequestRefused(404);
    const visit = this.#reception.receive(request);
    if (visit.transport !== 'WebSockets') throw new RequestRefused(400, 'Protocol error: Unknown transport.');
    const { intervals, limits } = this.#settings;
    this.#reception.checkOpen(request, visit);
    return (open) =>
      this.#stream(
        visit,
        request,
        (one) => new WebSocketTransport(open, intervals, limits, one, (text) => one.answer(text)),
      );
  }

  tick(now: number): void {
    for (const connection of this.#registry.all()) connection.tick(now);
  }

  closeConnectionsOf(predicate: (principal: Principal) => boolean): void {
    for (const connection of this.#registry.all()) {
      if (predicate(connection.principal)) connection.close({ allowReconnect: true });
    }
  }

  closeAll(): void {
    this.#reception.isClosed = true;
    this.closeConnectionsOf(() => true);
  }

  destroyAll(): void {
    for (const connection of this.#registry.all()) connection.destroy();
  }

  /** Nothing is kept here: what the client gets says it all, to this node or any other. */
  #negotiate(request: HubRequest, response: ServerResponse): void {
    const { query, principal, hub, mountPath } = request;
    this.#reception.checkOpen(request);
    namesHub(query.get('connectionData'), hub.definition.name);
    const { nodeId, tokenKeys, transports, intervals, now } = this.#settings;
    const connectionId = makeConnectionId();
    const token = { connectionId, nodeId, principalId: principal.id, issuedAt: now(), isStateful: false };
    const answer = negotiateAnswer({
      ...{ url: mountPath, connectionId, intervals },
      connectionToken: signToken({ ...token, version: 0 }, hub.tokenScope, tokenKeys()),
      tryWebSockets: transports.includes('WebSockets'),
      protocolVersion: negotiatedVersion(query.get('clientProtocol')),
    });
    reply(response, jsonType, answer);
  }

  async #start({ connection }: Visit, response: ServerResponse): Promise<void> {
    // What was connected on another node has been started there.
    if (connection !== undefined && !(await connection.start())) throw new RequestRefused(500);
    reply(response, jsonType, '{ "Response": "started" }');
  }

  async #send({ connection }: Visit, { raw, query }: HubRequest, response: ServerResponse): Promise<void> {
    if (connection === undefined) throw new RequestRefused(404, 'There is no such connection.');
    const { chunkBytes, classicMessageBytes } = this.#settings.limits;
    const form = new Query((await readBody(raw, chunkBytes)).toString());
    const text = form.get('data') ?? query.get('data') ?? '';
    if (Buffer.byteLength(text) > classicMessageBytes) {
      throw new RequestRefused(413, `A message may have ${classicMessageBytes} bytes.`);
    }
    reply(response, jsonType, (await connection.answer(text)) ?? '');
  }

  #abort({ connection }: Visit, response: ServerResponse): void {
    connection?.destroy();
    replyText(response, 200);
  }

  async #poll(visit: Visit, request: HubRequest, response: ServerResponse): Promise<void> {
    this.#reception.checkOpen(request, visit);
    const form = new Query((await readBody(request.raw, this.#settings.limits.chunkBytes)).toString());
    if (response.destroyed) return;
    const connection = this.#reception.connectionOf(visit, request);
    const isConnect = request.subPath === 'connect';
    const { transport: current } = connection;
    const isNew = isConnect || !(current instanceof LongPollingTransport);
    const transport = isNew ? this.#pollOn(connection) : current;
    const cursor = form.get('messageId') ?? request.query.get('messageId');
    const kept = form.get('groupsToken') ?? request.query.get('groupsToken');
    const isLevel = transport.isLevelWith(cursor ?? '');
    if (isLevel) connection.remind(kept);
    else if (!isConnect) transport.startOver(cursor ?? '');
    transport.hold(response);
    if (isConnect) this.#welcome(visit, connection, transport);
    else if (!isLevel) connection.resume(cursor, kept);
  }

  #pollOn(connection: ClassicConnection): LongPollingTransport {
    const { intervals, limits, now } = this.#settings;
    const transport = new LongPollingTransport(intervals, limits, connection, now);
    connection.attach(transport);
    return transport;
  }

  #stream(visit: Visit, request: HubRequest, open: (connection: ClassicConnection) => ClassicTransport): void {
    const connection = this.#reception.connectionOf(visit, request);
    const transport = open(connection);
    connection.attach(transport);
    if (request.subPath === 'connect') this.#welcome(visit, connection, transport);
    else connection.resume(request.query.get('messageId'), request.query.get('groupsToken'));
  }

  /** The greeting comes first, so that what comes after it is told by the cursor in it. */
  #welcome(visit: Visit, connection: ClassicConnection, transport: ClassicTransport): void {
    const greeted = connection.greet(transport);
    if (visit.startsAtOnce) void greeted.then(() => connection.start());
  }
}
