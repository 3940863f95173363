// A request at the mount of a hub: classic ASP.NET SignalR 2 serves nothing else.

import { LiveHub } from '../live-hub.ts';
import type { RequestShape } from '../protocol-family.ts';
import { type MountRequest, RequestRefused } from '../request.ts';

type AtHub = { readonly hub: LiveHub };

export type HubRequest = MountRequest & AtHub;

/** Throws when the mount serves raw connections. */
export function atHub<R extends RequestShape>(request: R): R & AtHub {
  const { endpoint } = request;
  if (!(endpoint instanceof LiveHub)) throw new RequestRefused(404);
  return { ...request, hub: endpoint };
}
