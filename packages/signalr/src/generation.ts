// The seam between the server and the generations of SignalR it speaks at the same mounts.

import type { ServerResponse } from 'node:http';
import type { Principal } from './principal.ts';
import type { MountRequest } from './request.ts';
import type { OpenSocket } from './websocket.ts';

/** Enough of a request to tell the generations apart. */
export type RequestShape = Omit<MountRequest, 'principal'>;

/** Takes over an upgraded socket. */
export type OnOpen = (open: OpenSocket) => void;

export interface Generation {
  /** Whether the request is of this generation; the first that says so gets it. */
  isMine(shape: RequestShape): boolean;
  /** Answers what anybody may ask for, whoever they are; false when it is not of that kind. */
  answerPublicly?(shape: RequestShape, response: ServerResponse): boolean;
  /** Answers the request, or throws a `RequestRefused` before it has begun to. */
  handleRequest(request: MountRequest, response: ServerResponse): Promise<void>;
  /** Decides on an upgrade: what is to be done with the open socket, or a `RequestRefused` thrown. */
  handleUpgrade(request: MountRequest): OnOpen;
  readonly connectionCount: number;
  /** Called regularly, for everything that depends on time. */
  tick(now: number): void;
  /** Ends the connections of those principals; their clients may come back with another token. */
  closeConnectionsOf(predicate: (principal: Principal) => boolean): void;
  /** Ends all connections, telling clients to come back, and takes no new ones. */
  closeAll(): void;
  /** Ends what is still there, at once. */
  destroyAll(): void;
}
