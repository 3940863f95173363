// A request at the mount of a hub: this generation serves nothing else.

import type { RequestShape } from '../generation.ts';
import { LiveHub } from '../live-hub.ts';
import { type MountRequest, RequestRefused } from '../request.ts';

type AtHub = { readonly hub: LiveHub };

export type HubRequest = MountRequest & AtHub;

/** Throws when the mount leads to something else. */
export function atHub<R extends RequestShape>(request: R): R & AtHub {
  const { endpoint } = request;
  if (!(endpoint instanceof LiveHub)) throw new RequestRefused(404);
  return { ...request, hub: endpoint };
}
