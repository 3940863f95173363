// The responses of ASP.NET Core SignalR to negotiation and to refreshing a token.

import type { TransportName } from '../opening-request.ts';
import type { Principal } from '../principal.ts';
import type { Query } from '../request.ts';
import { transferFormats } from './transports/transport.ts';

const newestVersion = 1;

/** Returns the negotiation version that both sides support, or an error. */
export function negotiateVersion(query: Query): { readonly version: 0 | 1 } | { readonly error: string } {
  const asked = query.get('negotiateVersion');
  if (asked === undefined && !query.has('negotiateVersion')) return { version: 0 };
  if (asked === undefined || !/^[+-]?\d{1,9}$/.test(asked.trim())) {
    return { error: 'The client requested a non-integer protocol version.' };
  }
  const version = Number(asked);
  if (version < 0) {
    return { error: `The client requested version '${version}', but the server does not support this version.` };
  }
  return { version: version < newestVersion ? 0 : newestVersion };
}

export function wantsStatefulReconnect(query: Query): boolean {
  return query.get('useStatefulReconnect')?.toLowerCase() === 'true';
}

type Negotiated = {
  readonly version: 0 | 1;
  readonly connectionId: string;
  readonly connectionToken: string;
  readonly isStateful: boolean;
  readonly principal: Principal;
  readonly now: number;
};

export function negotiateResponse(negotiated: Negotiated, transports: readonly TransportName[]): unknown {
  const { version, connectionId, connectionToken, isStateful, principal, now } = negotiated;
  return {
    // Clients that did not ask for stateful reconnect reject a response with this field.
    ...(isStateful && { useStatefulReconnect: true }),
    negotiateVersion: version,
    connectionId,
    ...(version >= 1 && { connectionToken }),
    ...lifetimeField(principal, now),
    availableTransports: offered(transports).map((transport) => ({
      transport,
      transferFormats: transferFormats[transport],
    })),
  };
}

/** Returns the remaining lifetime of the token, as a field to spread. */
export function lifetimeField({ expiresAt }: Principal, now: number): { readonly tokenLifetimeSeconds?: number } {
  return expiresAt === undefined ? {} : { tokenLifetimeSeconds: Math.max(0, Math.floor((expiresAt - now) / 1_000)) };
}

/** Returns the transports in order of preference, regardless of their order in the options. */
function offered(transports: readonly TransportName[]): TransportName[] {
  return (Object.keys(transferFormats) as TransportName[]).filter((name) => transports.includes(name));
}
