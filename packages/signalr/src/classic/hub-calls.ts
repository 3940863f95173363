// Parses and runs the hub calls of classic clients.

import { type HubConnection, HubException } from '../hub.ts';
import type { LiveHub } from '../live/live-hub.ts';
import type { Settings } from '../options.ts';
import { checkArguments, checkUploads, InvalidArguments, takesAsMany } from '../parameters.ts';

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
  message: HubCallMessage,
  hub: LiveHub,
  connection: HubConnection,
  settings: Settings,
): Promise<string> {
  const { method: name, args, id } = message;
  const method = hub.method(name);
  // In ASP.NET SignalR 2, methods of one name and different numbers of parameters are different methods.
  if (method === undefined || !takesAsMany(method.parameters, args)) {
    return failure(message, `'${name}' method could not be resolved.`);
  }
  try {
    checkArguments(method.parameters, args);
    // Classic clients upload no streams.
    checkUploads(method.parameters, 0);
    const result = await method.run({ connection, uploads: [], signal: connection.closed }, ...args);
    // A null result is omitted, like an undefined one.
    return JSON.stringify({ R: result ?? undefined, I: id });
  } catch (error) {
    return failureOf(error, message, settings);
  }
}

function failureOf(error: unknown, message: HubCallMessage, { detailedErrors, onError }: Settings): string {
  if (error instanceof HubException) {
    return JSON.stringify({ I: message.id, H: true, E: error.message, D: error.data });
  }
  if (!(error instanceof InvalidArguments)) onError(error);
  const text = `There was an error invoking Hub method '${message.hub}.${message.method}'.`;
  const details = error instanceof Error ? error.message : String(error);
  return failure(message, detailedErrors ? details : text);
}

export function failure({ id }: HubCallMessage, text: string): string {
  return JSON.stringify({ I: id, E: text });
}
