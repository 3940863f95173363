// Opens the alarm hub: who may listen, and which node holds a connection.

import { randomBytes } from 'node:crypto';
import { RequestRefused } from '@tocsin/signalr';
import type { Principals } from '../access/principals.ts';
import { mayUse } from '../domain/access/access.ts';
import { HubEndpoint, type HubHolder } from '../hub/hub-endpoint.ts';
import type { PeerNodes } from '../hub/peer-nodes.ts';
import type { KnownToken } from '../operations/access/queries.ts';
import { shareHubKey } from '../operations/system/nodes.ts';
import type { NodeContext } from './part-context.ts';
import type { RefusalTrace } from './trace-refusals.ts';

type HubParts = {
  readonly principals: Principals;
  readonly refusals: RefusalTrace;
  readonly peers: PeerNodes;
};

/** The caller closes the hub, because that must happen before the HTTP server closes. */
export async function openHub(context: NodeContext, { principals, refusals, peers }: HubParts): Promise<HubEndpoint> {
  const { store, clock, feed, nodeId, config, log } = context;
  const hub = new HubEndpoint({
    clock,
    store,
    feed,
    printing: { timeZone: config.timeZone, languages: [config.language] },
    key: await store.write(shareHubKey, { fresh: randomBytes(32).toString('base64url') }),
    onTrouble: (error) => log.warn({ err: error }, 'trouble in the hub'),
    basePath: config.basePath,
    paths: config.hubPaths,
    nodeId,
    allowedOrigins: config.allowedOrigins,
    authenticate: async (token, address) => {
      const known = await principals.tokenOf(token);
      const code = known === undefined ? 'not-signed-in' : 'scope-missing';
      const isAllowed = known !== undefined && mayUse(known.principal, 'alarms:read');
      if (!isAllowed)
        refusals.noteRequest({ code, principal: known?.principal, address, route: 'hub', hasToken: true });
      return hubHolder(known);
    },
    forward: (node, request, response) => peers.forward(node, request, response),
  });
  feed.subscribe((event) => hub.onEvent(event), 'but-frequent');
  return hub;
}

/** Returns who listens to alarms, with everything that can end the connection. */
function hubHolder(known: KnownToken | undefined): HubHolder | undefined {
  if (known === undefined) return undefined;
  const { kind, id, sessionId, stationIds } = known.principal;
  if (!mayUse(known.principal, 'alarms:read')) throw new RequestRefused(403);
  return {
    id: `${kind}:${id}`,
    expiresAt: known.expiresAt,
    stationIds,
    isAdmin: mayUse(known.principal, 'admin'),
    readsCalls: mayUse(known.principal, 'calls:read'),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(kind === 'user' ? { userId: id } : { keyId: id }),
  };
}
