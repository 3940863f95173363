// Puts the alarm hub beside the API on one HTTP server: who comes in, below which paths, and when they have to go.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { SignalRServer } from '@tocsin/signalr';
import type { StoredEvent } from '../store/event-log.ts';
import { AlarmHub, type AlarmHubParts, type HubCaller } from './alarm-hub.ts';

export type HubEndpointParts = AlarmHubParts & {
  readonly basePath: string;
  /** Both generations of clients find the hub at all of them, each by its own habits. */
  readonly paths: readonly string[];
  readonly nodeId: string;
  readonly allowedOrigins: readonly string[];
  /** Who holds the token; undefined when nobody does. */
  readonly authenticate: (token: string) => Promise<HubHolder | undefined>;
  readonly forward: (nodeId: string, request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
};

/** A holder of a token, by everything an ending may name. */
export type HubHolder = HubCaller & { readonly sessionId?: number; readonly keyId?: number };

/** Which holder each event that ends something is about. */
const endings: Readonly<Record<string, 'sessionId' | 'keyId' | 'userId'>> = {
  'session.ended': 'sessionId',
  'key.revoked': 'keyId',
  'user.password-set': 'userId',
  'user.changed': 'userId',
  'user.removed': 'userId',
};

export class HubEndpoint {
  readonly #server: SignalRServer;
  readonly #apiPath: string;

  constructor(parts: HubEndpointParts) {
    const alarms = new AlarmHub(parts);
    this.#apiPath = `${parts.basePath}/api/`;
    this.#server = new SignalRServer({
      mounts: parts.paths.map((path) => ({ path: `${parts.basePath}${path}`, hub: alarms.definition })),
      nodeId: parts.nodeId,
      tokenKeys: { current: parts.key, all: [parts.key] },
      authenticate: async (token) => (token === undefined ? undefined : parts.authenticate(token)),
      allowedOrigins: parts.allowedOrigins,
      forward: parts.forward,
      onError: parts.onTrouble,
      // Runs on whatever happens to the clock of the machine: a step must not look like silence of every client.
      now: () => performance.timeOrigin + performance.now(),
    });
    alarms.attach(this.#server.hub(alarms.definition));
  }

  get connectionCount(): number {
    return this.#server.connectionCount;
  }

  /** Whether the request is for the hub. */
  owns(request: IncomingMessage): boolean {
    return !request.url?.startsWith(this.#apiPath) && this.#server.owns(request);
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    void this.#server.handleRequest(request, response);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    void this.#server.handleUpgrade(request, socket, head);
  }

  /** Takes notice of what any node did: whose token ended has to go. */
  onEvent({ kind, subjectId }: StoredEvent): void {
    const by = endings[kind];
    if (by === undefined) return;
    this.#server.closeConnectionsOf((principal) => (principal as HubHolder)[by] === subjectId);
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
