// What a client may read of an error.

import { HubException } from './hub.ts';

/** Returns the text, with the name and message of a `HubException`, or of any error if details are revealed. */
export function failureText(text: string, error: unknown, isDetailed: boolean): string {
  if (!(error instanceof HubException) && !isDetailed) return text;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return `${text} ${name}: ${message}`;
}
