// The interface between the server and the two families of SignalR: ASP.NET Core SignalR and classic ASP.NET SignalR 2.

import type { ServerResponse } from 'node:http';
import type { Principal } from './principal.ts';
import type { MountRequest } from './request.ts';
import type { OpenSocket } from './websocket.ts';

/** A request before authentication: enough to tell the families apart. */
export type RequestShape = Omit<MountRequest, 'principal'>;

/** Takes over an upgraded socket. */
export type OnOpen = (open: OpenSocket) => void;

export interface ProtocolFamily {
  /** Returns whether the request is of this family; the first family that returns true gets it. */
  handles(shape: RequestShape): boolean;
  /** Responds to requests that need no authentication; returns false for any other request. */
  handlePublicRequest?(shape: RequestShape, response: ServerResponse): boolean;
  /** Responds to the request, or throws a `RequestRefused` before it sent anything. */
  handleRequest(request: MountRequest, response: ServerResponse): Promise<void>;
  /** Returns a function that takes over the open socket, or throws a `RequestRefused`. */
  handleUpgrade(request: MountRequest): OnOpen;
  readonly connectionCount: number;
  /** Called at every interval `tick`: checks all time-outs. */
  tick(now: number): void;
  /** Ends the connections of the selected principals; their clients may reconnect with another token. */
  closeConnectionsOf(predicate: (principal: Principal) => boolean): void;
  /** Ends all connections, asks their clients to reconnect, and refuses new ones. */
  closeAll(): void;
  /** Cuts the remaining connections at once. */
  destroyAll(): void;
}
