// A trunk: the server or PBX that requests are sent to, and how.

import type { SipUri } from '../message/uri.ts';
import { type Destination, defaultPorts, type Protocol, type TlsSettings } from '../transport/network.ts';

export type Trunk = {
  /** A name or an address. */
  readonly host: string;
  /** 5060, with TLS 5061, when absent. */
  readonly port?: number;
  /** UDP when absent. */
  readonly protocol?: Protocol;
  /** The domain of the numbers and of the account; the host when absent. */
  readonly domain?: string;
  /** Sends requests of more than 1,300 bytes by TCP, to the same port; only for trunks that listen there. */
  readonly switchToTcp?: boolean;
  readonly tls?: TlsSettings;
};

export function destinationOf({ host, port, protocol = 'udp', tls }: Trunk): Destination {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return { protocol, host: bare, port: port ?? defaultPorts[protocol], ...(tls && { tls }) };
}

export function domainOf({ host, domain }: Trunk): string {
  const name = domain ?? host;
  return name.includes(':') && !name.startsWith('[') && name.split(':').length > 2 ? `[${name}]` : name;
}

/** Where a URI leads; what it does not say is as it was for the first request. */
export function destinationOfUri(uri: SipUri, first: Destination): Destination {
  const named = uri.parameters.get('transport')?.toLowerCase();
  const asked = named === 'tcp' || named === 'tls' || named === 'udp' ? named : first.protocol;
  const protocol = uri.scheme === 'sips' || (asked === 'tcp' && first.protocol === 'tls') ? 'tls' : asked;
  const host = (uri.parameters.get('maddr') ?? uri.host).replace(/^\[(.*)\]$/, '$1');
  const port = uri.port ?? defaultPorts[protocol];
  return { protocol, host, port, ...(protocol === 'tls' && first.tls && { tls: first.tls }) };
}
