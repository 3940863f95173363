// Reads the hubs that a classic client subscribes to.

import type { LiveHub } from '../live/live-hub.ts';
import { RequestRefused } from '../request.ts';

/**
 * Returns the hubs that the list names, in any case. Throws a `RequestRefused` when it is malformed or names a hub that
 * is not there.
 */
export function subscribedHubs(connectionData: string | undefined, hubs: readonly LiveHub[]): readonly LiveHub[] {
  const found = readNames(connectionData ?? '[]').map((name) => {
    const hub = hubs.find(({ definition }) => definition.name.toLowerCase() === name.toLowerCase());
    if (hub === undefined) throw new RequestRefused(400, unresolvedHub(name));
    return hub;
  });
  // The hubs are in the order of the mount, because joined cursors rely on it.
  return hubs.filter((hub) => found.includes(hub));
}

export function unresolvedHub(name: string): string {
  return `'${name}' Hub could not be resolved.`;
}

function readNames(text: string): readonly string[] {
  try {
    const list = JSON.parse(text) as readonly Record<string, unknown>[];
    return list.map((entry) => {
      // The JavaScript client writes `name`, the .NET client `Name`.
      const name = entry.name ?? entry.Name;
      if (typeof name !== 'string') throw new Error('A hub without a name');
      return name;
    });
  } catch {
    throw new RequestRefused(400, 'Protocol error: The connection data cannot be read.');
  }
}
