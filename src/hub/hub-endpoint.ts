// Serves the alarm hub on the same HTTP server as the API: authentication, paths, and closing connections whose token
// ended.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { SignalRServer } from '@tocsin/signalr';
import type { Clock } from '../clock.ts';
import type { StoredEvent } from '../store/event-log.ts';
import { AlarmHub, type AlarmHubParts, type HubCaller } from './alarm-hub.ts';
import type { HealthMessage } from './health-pushes.ts';

type HubEndpointParts = AlarmHubParts & {
  readonly clock: Clock;
  readonly basePath: string;
  /** The paths of the hub; clients of both protocol families use all of them, each with its own URL conventions. */
  readonly paths: readonly string[];
  readonly nodeId: string;
  readonly allowedOrigins: readonly string[];
  /** Returns the holder of the token that was sent from the address; undefined if it is invalid. */
  readonly authenticate: (token: string, address: string) => Promise<HubHolder | undefined>;
  readonly forward: (nodeId: string, request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
};

/** The holder of a token, with every id that an event in `endings` may refer to. */
export type HubHolder = HubCaller & { readonly sessionId?: number; readonly keyId?: number };

/** Events that end access, with the holder's field that the subject id refers to. */
const endings: Readonly<Record<string, 'sessionId' | 'keyId' | 'userId'>> = {
  'session.ended': 'sessionId',
  'key.revoked': 'keyId',
  'user.password-set': 'userId',
  'user.changed': 'userId',
  'user.removed': 'userId',
};

export class HubEndpoint {
  readonly #server: SignalRServer;
  readonly #alarms: AlarmHub;
  readonly #apiPath: string;

  constructor(parts: HubEndpointParts) {
    const alarms = new AlarmHub(parts);
    this.#alarms = alarms;
    this.#apiPath = `${parts.basePath}/api/`;
    this.#server = new SignalRServer({
      mounts: parts.paths.map((path) => ({ path: `${parts.basePath}${path}`, hub: alarms.definition })),
      nodeId: parts.nodeId,
      tokenKeys: { current: parts.key, all: [parts.key] },
      authenticate: async (token, { socket }) =>
        token === undefined ? undefined : parts.authenticate(token, socket.remoteAddress ?? ''),
      allowedOrigins: parts.allowedOrigins,
      forward: parts.forward,
      onError: parts.onTrouble,
      // Monotonic: a step of the system clock must not look like silence of every client.
      now: () => performance.now(),
      // The clock that tokens are issued by, which may be set after the start of the process.
      wallClock: () => parts.clock.now(),
    });
    alarms.attach(this.#server.hub(alarms.definition));
  }

  get connectionCount(): number {
    return this.#server.connectionCount;
  }

  get isAskedForHealth(): boolean {
    return this.#alarms.isAskedForHealth;
  }

  tellHealth(health: HealthMessage | undefined): void {
    this.#alarms.tellHealth(health);
  }

  /** Whether the request is for the hub. */
  owns(request: IncomingMessage): boolean {
    return !request.url?.startsWith(this.#apiPath) && this.#server.owns(request);
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    void this.#server.handleRequest(request, response);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    void this.#server.handleUpgrade(request, socket, head);
  }

  /** Handles an event of any node: closes the connections whose token ended. */
  onEvent({ kind, subjectId }: StoredEvent): void {
    const by = endings[kind];
    if (by === undefined) return;
    this.#server.closeConnectionsOf((principal) => (principal as HubHolder)[by] === subjectId);
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
