// The message catalogue: the texts that people hear and read, in their language. Pure.

import { type Language, languages, offeredLanguage } from '../../language.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import type { Words } from './words.ts';

const catalogue: Readonly<Record<Language, Words>> = { de: german, en: english, fr: french };

/** The languages that have a translation, in alphabetical order. */
export const offeredLanguages: readonly string[] = languages;

/** Selects by the primary tag of the person's language; English if there is no translation. */
export function wordsIn(language: string): Words {
  return catalogue[offeredLanguage([language])];
}

/** Returns the language of the catalogue in which somebody with this language is spoken to. */
export function catalogueLanguage(language: string): string {
  return offeredLanguage([language]);
}
