// Releases telephone calls of a node that was lost: each that rang is cancelled, and each that was answered is hung up on.

import { setTimeout as pause } from 'node:timers/promises';
import { type ReleaseOptions, type SavedCall, UserAgent } from '@tocsin/sip';

/** A peer that does not answer must not keep the person from being called again. */
const releaseWithinMs = 5_000;

type OnPort = { readonly agent: Promise<UserAgent>; users: number };

export class LostCalls {
  readonly #agent: () => Promise<UserAgent>;
  readonly #options: () => ReleaseOptions;
  readonly #listenAddress: () => string | undefined;
  /** Agents on the UDP ports of the lost node, which all calls of a trunk had in common. */
  readonly #onPorts = new Map<number, OnPort>();

  constructor(agent: () => Promise<UserAgent>, options: () => ReleaseOptions, listenAddress: () => string | undefined) {
    this.#agent = agent;
    this.#options = options;
    this.#listenAddress = listenAddress;
  }

  /** Finding the way to the peer counts: in an outage of DNS that alone could take half a minute. */
  release(ref: string): Promise<void> {
    const saved = savedOf(ref);
    return saved === undefined ? Promise.resolve() : inTime(this.#release(saved));
  }

  async #release(saved: SavedCall): Promise<void> {
    const options = this.#options();
    const { protocol = 'udp' } = options.trunk;
    const port = Number(/:(\d{1,5})(?=;|$)/.exec(saved.via ?? '')?.[1] ?? 0);
    const isOverUdp = port !== 0 && protocol === 'udp';
    if (isOverUdp) await this.#releaseFrom(port, saved, options);
    else await (await this.#agent()).releaseCall(saved, options);
  }

  /** An INVITE that was not answered can be cancelled from the same port alone, and some peers confirm the end to that port alone. */
  async #releaseFrom(port: number, saved: SavedCall, options: ReleaseOptions): Promise<void> {
    const known = this.#onPorts.get(port);
    const onPort = known ?? { agent: this.#agentOn(port, options), users: 0 };
    this.#onPorts.set(port, onPort);
    onPort.users += 1;
    try {
      const agent = await onPort.agent;
      await agent.releaseCall(saved, options);
    } finally {
      onPort.users -= 1;
      if (onPort.users === 0) {
        this.#onPorts.delete(port);
        const agent = await onPort.agent;
        if (agent !== (await this.#agent())) await agent.close();
      }
    }
  }

  /** The agent of the trunk itself if the port cannot be had, mostly because it is its own. */
  async #agentOn(port: number, { trunk }: ReleaseOptions): Promise<UserAgent> {
    const agent = await this.#agent();
    const any = (await agent.localAddressFor(trunk)).includes(':') ? '::' : '0.0.0.0';
    const address = this.#listenAddress() ?? any;
    return UserAgent.start({ listen: [{ protocol: 'udp', address, port }] }).catch(() => agent);
  }
}

/** The reference by which a call is released. */
export function refOf(saved: SavedCall | undefined): string {
  return JSON.stringify(saved ?? null);
}

function savedOf(ref: string): SavedCall | undefined {
  return (JSON.parse(ref) as SavedCall | null) ?? undefined;
}

async function inTime(released: Promise<unknown>): Promise<void> {
  await Promise.race([released, pause(releaseWithinMs, undefined, { ref: false })]);
}
