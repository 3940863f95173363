// The problem document (RFC 9457) of a refused request.

import { HttpError } from '@oazapfts/runtime';
import type { Problem } from './api.ts';

/** Returns the problem of an error that a request threw; undefined if it is no refusal, such as a lost connection. */
export function problemOf(error: unknown): Problem | undefined {
  if (!(error instanceof HttpError)) return undefined;
  const data: unknown = error.data;
  return typeof data === 'object' && data !== null && 'code' in data ? (data as Problem) : undefined;
}
