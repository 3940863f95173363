// The entity tag of a stored object: a change that names the tag it was made from is refused once the object has changed.

import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';

/** The tags of the header `If-Match`, without quotes; `*` stands for any. */
export type IfMatch = readonly string[] | undefined;

/** Made from the object as the caller sees it, which contains the time of its last change. */
export function entityTagOf(entry: object): string {
  return contentTagOf(JSON.stringify(entry));
}

export function contentTagOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}

/** Throws if the change was made from another version of the object. */
export function refuseOtherVersion(entry: object, ifMatch: IfMatch): void {
  if (ifMatch !== undefined) refuseOtherTag(entityTagOf(entry), ifMatch);
}

/** Throws if the change was made from another version than the one with this tag; undefined: there is none. */
export function refuseOtherTag(tag: string | undefined, ifMatch: readonly string[]): void {
  if (tag !== undefined && (ifMatch.includes('*') || ifMatch.includes(tag))) return;
  throw new AppError('precondition-failed', 'This has changed since you read it: read it again, then change it.');
}
