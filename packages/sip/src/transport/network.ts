// The port between transactions and the network: flows to send over, and bytes that arrive on them.

import { isIP, isIPv6 } from 'node:net';
import type { Guard } from '../guard.ts';
import type { SourceReach } from './reach.ts';

export type Protocol = 'udp' | 'tcp' | 'tls';

export type Address = { readonly address: string; readonly port: number };

/** How the certificate of a peer is checked. */
export type TlsSettings = {
  /** Certificates in PEM that are trusted instead of those of the system. */
  readonly ca?: string;
  /** The name that the certificate must have; the host of the peer when absent. */
  readonly serverName?: string;
  /** False accepts any certificate: encrypted, but to nobody in particular. */
  readonly verify?: boolean;
};

export type Destination = {
  readonly protocol: Protocol;
  /** A name or an address, without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls?: TlsSettings;
};

/** A way to one peer: a connection, or the local UDP socket together with the peer's address. */
export type Flow = {
  readonly protocol: Protocol;
  readonly remote: Address;
  /** The local address that the peer sees when there is no address translation between, and the port that takes requests. */
  local(): Promise<Address>;
  send(bytes: Buffer): Promise<void>;
  /** The same way to another port of the peer; a connection is its own. */
  withPort(port: number): Flow;
  /** New requests get a new connection; what was begun on this one goes on. Absent where there is no connection. */
  readonly leave?: () => void;
  /** Whether the source of a datagram can be reached; absent on a connection, which shows it. */
  readonly reach?: SourceReach;
  /** When something came on a connection last, by the clock of `performance`; absent where there is no connection. */
  readonly heardAt?: () => number;
};

export type Network = {
  open(destination: Destination): Promise<Flow>;
  close(): Promise<void>;
};

/** Takes what arrives. */
export type Receiver = {
  /** One datagram, or one message of a stream. */
  onBytes(bytes: Buffer, flow: Flow): void;
  /** A stream is about to be closed because its next message cannot be found; `head` is the last one without its body. */
  onBrokenStream(head: Buffer, flow: Flow): void;
  /** A connection is gone. */
  onClosed(flow: Flow): void;
};

/** The same receiver under a guard: a message that cannot be taken is dropped. */
export function guardedReceiver(receiver: Receiver, guard: Guard): Receiver {
  return {
    onBytes: (bytes, flow) => guard(() => receiver.onBytes(bytes, flow)),
    onBrokenStream: (head, flow) => guard(() => receiver.onBrokenStream(head, flow)),
    onClosed: (flow) => guard(() => receiver.onClosed(flow)),
  };
}

export function isReliable(protocol: Protocol): boolean {
  return protocol !== 'udp';
}

export const defaultPorts: Readonly<Record<Protocol, number>> = { udp: 5060, tcp: 5060, tls: 5061 };

/** Whether one of the two can be the way to the other; a name may have addresses of both families. */
export function isSameFamily(one: string, other: string): boolean {
  return isIP(one) === 0 || isIP(other) === 0 || isVersion6(one) === isVersion6(other);
}

/** A socket of both versions shows the addresses of IPv4 within those of IPv6. */
function isVersion6(address: string): boolean {
  return isIPv6(address) && !/^::ffff:\d+\./i.test(address);
}

/** The address as it stands in URIs and Via: with brackets around IPv6. */
export function hostOf(address: string): string {
  return address.includes(':') ? `[${address.split('%', 1)[0]}]` : address;
}
