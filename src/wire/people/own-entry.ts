// The JSON by which people change their own entry.

import { type Static, Type } from 'typebox';
import type { UserFields } from '../../domain/people/entities.ts';
import { knownLanguage, knownTimeZone } from '../locale.ts';
import { readNumber, userBody } from './user.ts';

const { language, timeZone, onDuty, pin, numbers } = userBody.properties;

export const ownEntryBody = Type.Object(
  { language, timeZone, onDuty, pin, numbers },
  {
    title: 'OwnUserBody',
    description: 'What people change of their own user; what is not given stays. `verified` of a number is ignored.',
    examples: [{ language: 'en', onDuty: true }],
  },
);

type OwnChange = Partial<Pick<UserFields, 'language' | 'timeZone' | 'onDuty' | 'numbers' | 'pinHash'>>;

/** Parses a body; the PIN is passed in hashed. Leaves out what is not given. */
export function readOwnEntry(body: Static<typeof ownEntryBody>, pinHash: UserFields['pinHash']): OwnChange {
  const { language, timeZone, onDuty, numbers } = body;
  return {
    ...(language === undefined ? {} : { language: language === '' ? '' : knownLanguage('language', language) }),
    ...(timeZone === undefined ? {} : { timeZone: knownTimeZone('timeZone', timeZone) }),
    ...(onDuty === undefined ? {} : { onDuty }),
    ...(numbers === undefined ? {} : { numbers: numbers.map(readNumber) }),
    ...(pinHash === undefined ? {} : { pinHash }),
  };
}
