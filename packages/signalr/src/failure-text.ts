// The text of a failed call for the client: it reveals an error only if the error is meant for clients.

import { HubException } from './hub.ts';

/** Returns the text, with the name and message of a `HubException`, or of any error if details are revealed. */
export function failureText(text: string, error: unknown, isDetailed: boolean): string {
  if (!(error instanceof HubException) && !isDetailed) return text;
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return `${text} ${name}: ${message}`;
}
