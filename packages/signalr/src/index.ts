// The public interface of the package; every other file is internal.

export type { TokenKeys } from './connection-token.ts';
export type { ByteConnection, ConnectionsDefinition } from './connections.ts';
export {
  type Audience,
  type CloseOptions,
  type ConnectionFilter,
  type Cursor,
  defineHub,
  type HubCall,
  type HubConnection,
  type HubContext,
  type HubDefinition,
  HubException,
  type HubMethod,
  type HubStream,
  type Parameter,
} from './hub.ts';
export type { OpeningRequest, TransportName } from './opening-request.ts';
export {
  defaultIntervals,
  type Intervals,
  type Limits,
  type Mount,
  type MountOptions,
  type ProtocolName,
  type SignalROptions,
} from './options.ts';
export type { Principal } from './principal.ts';
export { RequestRefused } from './request.ts';
export { SignalRServer } from './server.ts';
