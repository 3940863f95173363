// The endpoint of a mount: a hub, several hubs for classic clients, or raw connections.

import type { SendScheduler } from '../sending/send-scheduler.ts';
import type { LiveConnections } from './live-connections.ts';
import { LiveHub } from './live-hub.ts';

/** Several hubs at one path: clients of classic ASP.NET SignalR 2 use any of them on one connection. */
export class HubSet {
  readonly hubs: readonly LiveHub[];
  readonly scheduler: SendScheduler;

  constructor(hubs: readonly LiveHub[], scheduler: SendScheduler) {
    this.hubs = hubs;
    this.scheduler = scheduler;
  }

  get tokenScope(): string {
    return `hubs:${this.hubs.map(({ definition }) => definition.name).join()}`;
  }
}

export type Endpoint = LiveHub | HubSet | LiveConnections;

/** Returns the hubs of an endpoint: none of raw connections. */
export function hubsOf(endpoint: Endpoint): readonly LiveHub[] {
  if (endpoint instanceof LiveHub) return [endpoint];
  return endpoint instanceof HubSet ? endpoint.hubs : [];
}
