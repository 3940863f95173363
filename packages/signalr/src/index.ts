// The public interface of the package: everything else is an inner part.

export type { ByteConnection, ConnectionsDefinition } from './connections.ts';
export {
  type CloseOptions,
  type Cursor,
  defineHub,
  type HubCall,
  type HubConnection,
  type HubDefinition,
  HubException,
  type HubMethod,
  type HubStream,
} from './hub.ts';
export type { LiveHub } from './live-hub.ts';
export type { Intervals, Limits, Mount, ProtocolName, SignalROptions, TransportName } from './options.ts';
export type { Principal } from './principal.ts';
export { RequestRefused } from './request.ts';
export { SignalRServer } from './server.ts';
