// Reads the hubs that a classic client subscribes to.

import { RequestRefused } from '../request.ts';

/**
 * Returns whether the list names the hub, in any case. Throws a `RequestRefused` when it is malformed or names another
 * hub.
 */
export function namesHub(connectionData: string | undefined, hubName: string): boolean {
  const names = readNames(connectionData ?? '[]');
  const other = names.find((name) => name.toLowerCase() !== hubName.toLowerCase());
  if (other !== undefined) throw new RequestRefused(400, unresolvedHub(other));
  return names.length > 0;
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
