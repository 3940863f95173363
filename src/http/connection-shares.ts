// Decides which connection is closed or refused when there are too many. Strangers, on whose connections no valid token has
// come, give way first; they have a share for each network, and never take the part that is kept for known networks.

import { BlockList, isIP } from 'node:net';
import { networkOf } from '../domain/access/network.ts';

/** A connection as far as its share is concerned. */
export type Sharing = {
  readonly address: string;
  /** Whether it waits for its client: for a request, the rest of a body, or that a response is read. */
  waitsForClient(): boolean;
  close(): void;
};

/** The part of all connections that strangers from one network may have, and that strangers from unknown networks leave free. */
const shareOfNetwork = 1 / 2;
const shareKept = 1 / 4;

/** A network stays known for this time after a valid token came from it. */
const knownMs = 7 * 86_400_000;
const maxKnown = 10_000;
/** How often the time of a known network is noted anew. */
const noteEveryMs = 60_000;

export class ConnectionShares<C extends Sharing> {
  readonly #max: number;
  readonly #proxies: BlockList;
  /** All strangers, the one that was heard of longest ago first. */
  readonly #strangers = new Set<C>();
  /** The strangers of each network, in the same order. */
  readonly #ofNetwork = new Map<string, Set<C>>();
  /** When a valid token last came from a network, the oldest first. */
  readonly #known = new Map<string, number>();
  /** The connections on which a valid token has come. */
  readonly #holders = new Set<C>();

  /** Everybody behind a proxy has its address, so that no share can be given to it. */
  constructor(max: number, proxies: readonly string[]) {
    this.#max = max;
    this.#proxies = listOf(proxies);
  }

  /** Adds a new connection, unless it must be refused; another may be closed for it. */
  admit(connection: C, now: number): 'taken' | 'taken-for-another' | 'refused' {
    const network = networkOf(connection.address);
    const own = this.#ofNetwork.get(network) ?? new Set();
    const crowd = this.#crowdOf(connection.address, own, now);
    if (crowd !== undefined && !this.#closeOne(crowd)) return 'refused';
    this.#strangers.add(connection);
    this.#ofNetwork.set(network, own.add(connection));
    return crowd === undefined ? 'taken' : 'taken-for-another';
  }

  /** The strangers of whom one has to give way to a new connection from the network. */
  #crowdOf(address: string, own: ReadonlySet<C>, now: number): ReadonlySet<C> | undefined {
    const network = networkOf(address);
    const isOverShare = own.size >= Math.ceil(this.#max * shareOfNetwork);
    const isProxy = includes(this.#proxies, address);
    if (isOverShare && !isProxy) return own;
    const isFull = this.#strangers.size + this.#holders.size >= this.#max;
    const isReserveLeft = this.#strangers.size < this.#max - Math.floor(this.#max * shareKept);
    return isFull || !(isReserveLeft || isProxy || this.#isKnown(network, now)) ? this.#strangers : undefined;
  }

  /** Notes that a request has come on a connection: others that are silent for longer give way before it. */
  noteRequest(connection: C): void {
    if (!this.#strangers.delete(connection)) return;
    this.#strangers.add(connection);
    const own = this.#ofNetwork.get(networkOf(connection.address));
    if (own?.delete(connection)) own.add(connection);
  }

  /** Notes that a valid token has come on a connection: it gives way to nobody, and its network is known. */
  noteToken(connection: C, now: number): void {
    if (this.#forget(connection)) this.#holders.add(connection);
    const network = networkOf(connection.address);
    if (now - (this.#known.get(network) ?? Number.NEGATIVE_INFINITY) < noteEveryMs) return;
    this.#known.delete(network);
    this.#known.set(network, now);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Removes a connection that was admitted and has ended. */
  remove(connection: C): void {
    if (!this.#forget(connection)) this.#holders.delete(connection);
  }

  #isKnown(network: string, now: number): boolean {
    return now - (this.#known.get(network) ?? Number.NEGATIVE_INFINITY) < knownMs;
  }

  #closeOne(among: ReadonlySet<C>): boolean {
    for (const connection of among) {
      if (!connection.waitsForClient()) continue;
      this.#forget(connection);
      connection.close();
      return true;
    }
    return false;
  }

  /** Returns whether it was a stranger. */
  #forget(connection: C): boolean {
    if (!this.#strangers.delete(connection)) return false;
    const network = networkOf(connection.address);
    const own = this.#ofNetwork.get(network);
    own?.delete(connection);
    if (own?.size === 0) this.#ofNetwork.delete(network);
    return true;
  }
}

/** Proxies are given as addresses, or as networks such as 192.168.1.0/24. */
function listOf(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = unmapped(proxy).split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return list;
}

function includes(list: BlockList, address: string): boolean {
  const plain = unmapped(address);
  return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** An IPv4 address that a socket for both families reports as one of IPv6. */
function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
