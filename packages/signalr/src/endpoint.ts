// The endpoint of a mount: a hub or raw connections.

import type { LiveConnections } from './live-connections.ts';
import type { LiveHub } from './live-hub.ts';

export type Endpoint = LiveHub | LiveConnections;
