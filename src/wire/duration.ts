// The schema of a duration as the interface writes it.

import { Type } from 'typebox';

/** The schema of a text that `printDuration` prints. */
export function durationText(description: string) {
  return Type.String({ pattern: '^\\d{2,}:[0-5]\\d:[0-5]\\d$', description, examples: ['00:12:09', '125:03:09'] });
}
