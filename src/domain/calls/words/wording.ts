// The words that an installation adds to the message catalogue: its name, the language of people without one, and texts of its own. Pure.

import { catalogueLanguage } from './catalogue.ts';

export type Wording = {
  /** The name by which a telephone call introduces itself; empty: Tocsin. */
  readonly siteName: string;
  /** For people without a language. */
  readonly defaultLanguage: string;
  /** By language of the catalogue. */
  readonly texts: Readonly<Record<string, OwnTexts>>;
};

/** Empty where there is none. */
export type OwnTexts = {
  /** Begins each written message, and is said before the greeting of a telephone call. */
  readonly opening: string;
  /** Ends each written message. */
  readonly closing: string;
};

export const plainWording: Wording = { siteName: '', defaultLanguage: 'en', texts: {} };

const noTexts: OwnTexts = { opening: '', closing: '' };

export function languageOf(person: { readonly language: string } | undefined, { defaultLanguage }: Wording): string {
  return person?.language || defaultLanguage;
}

/** Returns the texts of the language in which the person is spoken to. */
export function ownTexts(language: string, { texts }: Wording): OwnTexts {
  return texts[catalogueLanguage(language)] ?? noTexts;
}
