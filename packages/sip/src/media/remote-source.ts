// Decides whose packets a session listens to, and where it sends (symmetric RTP).

import { isIPv6, SocketAddress } from 'node:net';

export type Endpoint = { readonly address: string; readonly port: number };

/**
 * A phone behind a NAT sends from another address than its session description says. So the first source that sends valid
 * packets is latched on to, and later ones are ignored: nobody who finds the port in mid-call can take the audio over or
 * press keys. Packets from exactly the negotiated address, or from another port of it, are the peer's beyond doubt and
 * replace a source that was only believed.
 */
export class RemoteSource {
  readonly #negotiated: Endpoint;
  #latched: Endpoint | undefined;
  #isCertain = false;
  /** A source at another address; its second packet in a row is believed. */
  #candidate: Endpoint | undefined;

  constructor({ address, port }: Endpoint) {
    this.#negotiated = { address: canonical(address), port };
  }

  /** Where to send: the source once there is one, so that the answers of the NAT pass. */
  get target(): Endpoint {
    return this.#latched ?? this.#negotiated;
  }

  /** Whether packets from there were believed before. */
  isLatched({ address, port }: Endpoint): boolean {
    return this.#latched !== undefined && isSame({ address: canonical(address), port }, this.#latched);
  }

  /** Whether a valid packet from `source` belongs to the call; one from port 0, to which nothing can be sent, is forged. */
  admits({ address, port }: Endpoint): boolean {
    if (port === 0) return false;
    const source = { address: canonical(address), port };
    if (this.isLatched(source)) return true;
    if (this.#isCertain) return false;
    if (source.address === this.#negotiated.address) return this.#latch(source, true);
    if (this.#latched !== undefined) return false;
    if (this.#candidate !== undefined && isSame(source, this.#candidate)) return this.#latch(source, false);
    this.#candidate = source;
    return false;
  }

  #latch(source: Endpoint, isCertain: boolean): true {
    this.#latched = source;
    this.#isCertain = isCertain;
    return true;
  }
}

function isSame(one: Endpoint, other: Endpoint): boolean {
  return one.address === other.address && one.port === other.port;
}

/** One notation per address: IPv6 has many. */
function canonical(address: string): string {
  return isIPv6(address) ? new SocketAddress({ address, family: 'ipv6' }).address : address;
}
