// The reasons of providers in the language of a reader. Pure.

import type { Language } from '../../language.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { type ProviderReason, type ProviderReasonWords, reasonIn } from './provider-reason.ts';

export const providerReasonWords: Readonly<Record<Language, ProviderReasonWords>> = {
  de: german,
  en: english,
  fr: french,
};

export function providerReasonIn(language: Language, reason: ProviderReason): string {
  const words = providerReasonWords[language];
  const say = (one: ProviderReason): string => providerReasonIn(language, one);
  // A newer version may have stored a code that this one does not know.
  if (!Object.hasOwn(words, reason.code)) return reason.code;
  return (words[reason.code] as (reason: ProviderReason, say: (one: ProviderReason) => string) => string)(reason, say);
}

/** Words a stored reason; a sentence, as earlier versions stored it, stays as it is. */
export function wordedReason(language: Language, stored: string): string {
  const reason = reasonIn(stored);
  return reason === undefined ? stored : providerReasonIn(language, reason);
}

/** For the log, the audit trail, and what is searched. */
export function englishReason(stored: string): string {
  return wordedReason('en', stored);
}
