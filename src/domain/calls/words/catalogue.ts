// The message catalogue: the texts that people hear and read, in their language. Pure.

import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import type { Words } from './words.ts';

const languages: Readonly<Record<string, Words>> = { en: english, fr: french, de: german };

/** Selects by the primary tag of the person's language; English if there is no translation. */
export function wordsIn(language: string): Words {
  const [primary = ''] = language.toLowerCase().split(/[-_]/);
  return (Object.hasOwn(languages, primary) ? languages[primary] : undefined) ?? english;
}
