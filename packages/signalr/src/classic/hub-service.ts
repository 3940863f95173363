// The hubs of one classic connection: those that the client subscribed to, and calls of any hub of the mount.

import type { LiveHub } from '../live/live-hub.ts';
import type { Settings } from '../options.ts';
import type { Carrier, Service } from './channel.ts';
import { unresolvedHub } from './connection-data.ts';
import { failure, readCall, runCall } from './hub-calls.ts';
import { HubMembership } from './hub-membership.ts';
import type { HubPushEncoding } from './messages.ts';

type HubServiceOptions = {
  /** The hubs of the mount. */
  readonly hubs: readonly LiveHub[];
  /** The hubs that the client subscribed to. */
  readonly subscribed: readonly LiveHub[];
  readonly encodingOf: (hub: LiveHub) => HubPushEncoding;
  readonly settings: Settings;
};

export class HubService implements Service {
  readonly channels: readonly HubMembership[];
  readonly #carrier: Carrier;
  readonly #options: HubServiceOptions;

  constructor(carrier: Carrier, options: HubServiceOptions) {
    this.#carrier = carrier;
    this.#options = options;
    this.channels = options.subscribed.map((hub) => new HubMembership(carrier, hub, options.encodingOf(hub), true));
  }

  /** Resolves to the response; undefined when the message is no call. */
  async handle(text: string): Promise<string | undefined> {
    const call = readCall(text);
    if (call === undefined || !(await this.#carrier.start())) return undefined;
    const { hubs, encodingOf, settings } = this.#options;
    const hub = hubs.find(({ definition }) => definition.name.toLowerCase() === call.hub.toLowerCase());
    if (hub === undefined) return failure(call, unresolvedHub(call.hub));
    const member =
      this.channels.find((one) => one.hub === hub) ?? new HubMembership(this.#carrier, hub, encodingOf(hub), false);
    return runCall(call, hub, member, settings);
  }
}
