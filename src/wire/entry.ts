// The JSON fields that all plant and people resources share.

import { Type } from 'typebox';
import { uint } from './paging.ts';

export const maxListed = 1_000;

export function entryName(example: string) {
  return Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'The name; one that is taken is refused.',
    examples: [example],
  });
}

export const lastChange = Type.String({
  description: 'When it was last changed: UTC, without offset.',
  examples: ['2026-05-31T06:30:00.000'],
});

export function idList(description: string) {
  return Type.Array(uint({ examples: [1] }), { description, maxItems: maxListed, uniqueItems: true });
}

/** An id in a response, or null. */
export function idOrNull(description: string) {
  return Type.Union([uint(), Type.Null()], { description });
}

/** An optional id in a body. */
export function optionalId(description: string) {
  return Type.Optional(uint({ description: `${description} Not given, null or 0: none.` }));
}

/** Names by language. The default pattern of a record, `^.*$`, would leave names with a line break unchecked. */
export function namesByLanguage() {
  return Type.Record(Type.String({ pattern: '^[\\s\\S]*$' }), Type.String({ maxLength: 256 }), {
    maxProperties: 100,
    description: 'Names by language tag.',
    examples: [{ fr: 'Pompes' }],
  });
}
