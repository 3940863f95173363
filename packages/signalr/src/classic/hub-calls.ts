// Parses and runs the hub calls of classic clients.

import { type HubConnection, HubException } from '../hub.ts';
import type { LiveHub } from '../live-hub.ts';
import { unresolvedHub } from './connection-data.ts';

type HubCallMessage = {
  readonly hub: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly id: string;
};

/** Parses a message of the client; undefined when it is no call. */
export function readCall(text: string): HubCallMessage | undefined {
  const fields = parse(text);
  const { H: hub, M: method, A: args = [], I: id } = fields ?? {};
  const isCall = typeof hub === 'string' && typeof method === 'string' && Array.isArray(args);
  const hasId = typeof id === 'string' || typeof id === 'number';
  return isCall && hasId ? { hub, method, args, id: String(id) } : undefined;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs the method and returns the serialized response. Never rejects: errors reach the client only as far as they may.
 */
export async function runCall(
  { hub: hubName, method: name, args, id }: HubCallMessage,
  hub: LiveHub,
  connection: HubConnection,
  onError: (error: unknown) => void,
): Promise<string> {
  if (hubName.toLowerCase() !== hub.definition.name.toLowerCase()) return failure(id, unresolvedHub(hubName));
  const method = hub.method(name);
  if (method === undefined) return failure(id, `'${name}' method could not be resolved.`);
  try {
    const call = { connection, uploads: [], signal: connection.closed };
    const result = await method(call, ...args);
    // A null result is omitted, like an undefined one.
    return JSON.stringify({ R: result ?? undefined, I: id });
  } catch (error) {
    if (error instanceof HubException) return JSON.stringify({ I: id, H: true, E: error.message });
    onError(error);
    return failure(id, `There was an error invoking Hub method '${hubName}.${name}'.`);
  }
}

function failure(id: string, text: string): string {
  return JSON.stringify({ I: id, E: text });
}
