// UDP: one socket for each local address, answers leave from the port that requests arrive at.

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Address, Flow, Receiver } from './network.ts';
import type { Reach } from './reach.ts';

type Family = 'udp4' | 'udp6';

export class Datagrams {
  readonly #socket: Socket;
  readonly #family: Family;
  readonly #reach: Reach;

  static async bind(at: Address, receiver: Receiver, reach: Reach): Promise<Datagrams> {
    const family = familyOf(at.address);
    const socket = createSocket({ type: family, ipv6Only: family === 'udp6' });
    socket.bind(at.port, at.address);
    await once(socket, 'listening').catch((error: unknown) => {
      socket.close();
      throw error;
    });
    return new Datagrams(socket, family, receiver, reach);
  }

  private constructor(socket: Socket, family: Family, receiver: Receiver, reach: Reach) {
    this.#reach = reach;
    this.#socket = socket;
    this.#family = family;
    // A socket reports errors of single datagrams, too; those are reported by `send` to who sent them.
    socket.on('error', () => {});
    socket.on('message', (bytes: Buffer, from: RemoteInfo) => {
      reach.received(from.address, bytes.length);
      receiver.onBytes(bytes, this.flow(from));
    });
  }

  get address(): Address {
    return this.#socket.address();
  }

  canReach(address: string): boolean {
    return familyOf(address) === this.#family;
  }

  flow(remote: Address): Flow {
    const peer = { address: remote.address, port: remote.port };
    return {
      protocol: 'udp',
      remote: peer,
      local: () => this.#localToward(peer),
      send: (bytes) =>
        new Promise((resolve, reject) => {
          this.#socket.send(bytes, peer.port, peer.address, (error) => (error ? reject(error) : resolve()));
        }),
      reach: this.#reach.of(peer.address),
      withPort: (port) => this.flow({ ...peer, port }),
    };
  }

  /** A socket bound to all addresses learns its own from the route that the system chooses to the peer. */
  async #localToward(peer: Address): Promise<Address> {
    const { address, port } = this.#socket.address();
    if (address !== '0.0.0.0' && address !== '::') return { address, port };
    // Without a route nothing can be sent either, and it is the sending that reports it.
    const routed = await localAddressToward(peer).catch(() => address);
    return { address: routed, port };
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#socket.close(() => resolve());
    });
  }
}

/** The local address from which the system would send to the peer. */
export async function localAddressToward(peer: Address): Promise<string> {
  const probe = createSocket(familyOf(peer.address));
  try {
    probe.connect(peer.port, peer.address);
    await once(probe, 'connect');
    return probe.address().address;
  } finally {
    probe.close();
  }
}

function familyOf(address: string): Family {
  return isIPv6(address) ? 'udp6' : 'udp4';
}
