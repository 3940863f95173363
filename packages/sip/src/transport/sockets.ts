// The network of real sockets: listens where it is told to, and opens further sockets when a destination needs them.

import { lookup } from 'node:dns/promises';
import { isIP, isIPv6 } from 'node:net';
import type { OnFault } from '../guard.ts';
import type { Timing } from '../transaction/timers.ts';
import { Datagrams } from './datagrams.ts';
import {
  type Address,
  type Destination,
  type Flow,
  isSameFamily,
  type Network,
  type Protocol,
  type Receiver,
} from './network.ts';
import { Reach } from './reach.ts';
import { type StreamListening, Streams } from './streams.ts';

/** Where requests are awaited; port 0 lets the system choose. */
export type Listening = (Address & { readonly protocol: 'udp' }) | StreamListening;

export type Listener = Address & { readonly protocol: Protocol };

export class Sockets implements Network {
  readonly #receiver: Receiver;
  readonly #localAddress: string | undefined;
  readonly #datagrams = new Set<Promise<Datagrams>>();
  readonly #streams: Streams;
  readonly #reach = new Reach();
  readonly listeners: Listener[] = [];

  constructor(receiver: Receiver, onFault: OnFault, timing: Timing, localAddress?: string) {
    this.#receiver = receiver;
    this.#localAddress = localAddress;
    this.#streams = new Streams(receiver, onFault, timing, localAddress);
  }

  async listen(at: Listening): Promise<void> {
    if (at.protocol === 'udp') {
      const binding = Datagrams.bind(at, this.#receiver, this.#reach);
      const { address, port } = (await binding).address;
      this.#datagrams.add(binding);
      this.listeners.push({ protocol: 'udp', address, port });
    } else {
      const { address, port } = await this.#streams.listen(at);
      this.listeners.push({ protocol: at.protocol, address, port });
    }
  }

  async open(destination: Destination): Promise<Flow> {
    if (destination.protocol !== 'udp') return this.#streams.open(destination);
    const address = await addressOf(destination.host, this.#localAddress);
    const datagrams = await this.#datagramsFor(address);
    return datagrams.flow({ address, port: destination.port });
  }

  async #datagramsFor(address: string): Promise<Datagrams> {
    for (const binding of this.#datagrams) {
      const datagrams = await binding;
      if (datagrams.canReach(address)) return datagrams;
    }
    const any = isIPv6(address) ? '::' : '0.0.0.0';
    const own = this.#localAddress;
    const at = { address: own !== undefined && isSameFamily(own, address) ? own : any, port: 0 };
    const binding: Promise<Datagrams> = Datagrams.bind(at, this.#receiver, this.#reach).catch((error: unknown) => {
      // Binding is tried again for the next call: a cause such as too many open files passes.
      this.#datagrams.delete(binding);
      throw error;
    });
    this.#datagrams.add(binding);
    return binding;
  }

  async close(): Promise<void> {
    const bound = await Promise.allSettled(this.#datagrams);
    const sockets = bound.filter((result) => result.status === 'fulfilled').map((result) => result.value);
    await Promise.all([this.#streams.close(), ...sockets.map((socket) => socket.close())]);
  }
}

/** An address of the host; of a name one that can be reached from `localAddress`. */
export async function addressOf(host: string, localAddress = ''): Promise<string> {
  return isIP(host) === 0 ? (await lookup(host, { family: isIP(localAddress) })).address : host;
}
