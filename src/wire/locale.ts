// Validation of time zones and languages in bodies.

import { Type } from 'typebox';
import { AppError } from '../errors.ts';

export function timeZoneText(description: string) {
  return Type.String({ minLength: 1, maxLength: 64, description, examples: ['Europe/Paris'] });
}

export function languageText(description: string, minLength = 1) {
  return Type.String({ minLength, maxLength: 35, description, examples: ['fr'] });
}

/** Accepts named zones only: a zone given as an offset has no summer time and would be wrong for half of the year. */
export function knownTimeZone(field: string, zone: string): string {
  if (/^[A-Za-z]/.test(zone) && works(() => new Intl.DateTimeFormat('en', { timeZone: zone }))) return zone;
  throw unknown(field, 'must be an IANA time zone such as Europe/Paris');
}

export function knownLanguage(field: string, language: string): string {
  if (works(() => Intl.getCanonicalLocales(language))) return language;
  throw unknown(field, 'must be a language tag such as fr or de-CH');
}

function works(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

function unknown(field: string, message: string): AppError {
  return new AppError('unprocessable', `${field} ${message}.`, { errors: [{ field, message }] });
}
