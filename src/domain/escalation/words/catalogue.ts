// The reasons of the calling engine in the language of a reader. Pure.

import type { Language } from '../../language.ts';
import type { Reason } from '../reason.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { type ReasonWords, type Show, sayReason } from './words.ts';

export const reasonWords: Readonly<Record<Language, ReasonWords>> = { de: german, en: english, fr: french };

/** For texts that are searched, and nobody reads. */
const plain: Show = { actor: (actor) => actor, time: () => '', channel: (name) => name };

export function reasonIn(language: Language, reason: Reason, show: Show = plain): string {
  return sayReason(reason, reasonWords[language], show);
}
