// The headers ETag and If-Match: the version of an object that a response shows, and those that a change was made from.

import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';

/** For the OpenAPI document. */
export const ifMatchHeaders = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      description: 'The `ETag` of the version that the change was made from: refused with 412 if it has changed since.',
    }),
  ),
});

export const etagHeader = { ETag: 'The version of what is shown, for `If-Match`.' };

export function printEntityTag(tag: string): string {
  return `"${tag}"`;
}

/** The tags of the header, without quotes. A proxy that compresses makes a tag weak, which is read as the same tag. */
export function ifMatchOf({ 'if-match': header }: IncomingHttpHeaders): readonly string[] | undefined {
  return header?.split(',').map((tag) =>
    tag
      .trim()
      .replace(/^W\//, '')
      .replace(/^"(.*)"$/, '$1'),
  );
}
