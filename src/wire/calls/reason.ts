// The JSON of a reason of the calling engine: a sentence in the language of the reader, and its code.

import { Type } from 'typebox';

/** Reasons that earlier versions stored have none. */
export const reasonCode = Type.Optional(
  Type.String({ description: 'The code of the reason, the same in every language.', examples: ['raised'] }),
);

export type WordedReason = { readonly reason: string; readonly reasonCode: string | undefined };

export function printReason({ reason, reasonCode }: WordedReason): { reason: string; reasonCode?: string } {
  return { reason, ...(reasonCode === undefined ? {} : { reasonCode }) };
}
