// Validates the fields of a message from a client, for both protocols.

import { InvalidMessage } from './messages.ts';

export function requireString(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new InvalidMessage(`The field ${name} is not a string`);
  return value;
}

export function requireList(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new InvalidMessage(`The field ${name} is not a list`);
  return value;
}

export function requireSequenceId(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new InvalidMessage('The sequence id is not a count');
  return value as number;
}

/** Returns the stream ids as a field to spread: absent when there are none. */
export function streamIdsField(value: unknown): { readonly streamIds?: readonly string[] } {
  if (value === undefined || value === null) return {};
  const ids = requireList(value, 'streamIds').map((id) => requireString(id, 'streamIds'));
  return ids.length === 0 ? {} : { streamIds: ids };
}

/** Returns the invocation id as a field to spread: absent when the client wants no completion. */
export function invocationIdField(value: unknown): { readonly invocationId?: string } {
  if (value === undefined || value === null || value === '') return {};
  return { invocationId: requireString(value, 'invocationId') };
}
