// The Accept-Language header: parsed, and as routes whose sentences are worded by it document it.

import { Type } from 'typebox';
import { type Language, offeredLanguage } from '../domain/language.ts';

export const sentenceHeaders = Type.Object({
  'Accept-Language': Type.Optional(
    Type.String({
      description: 'The language wanted for sentences: `en`, `fr` or `de`; English if none of them is named.',
      examples: ['fr-FR, en;q=0.5'],
    }),
  ),
});

/** Returns the language in which sentences are worded. */
export function sentenceLanguage(acceptLanguage: string | undefined): Language {
  return offeredLanguage(languagesOf(acceptLanguage));
}

/** Returns the language tags, preferred ones first; unreadable parts are skipped. */
export function languagesOf(acceptLanguage = ''): readonly string[] {
  return acceptLanguage
    .slice(0, 500)
    .split(',')
    .map((part) => /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/.exec(part))
    .flatMap((match) => (match?.[1] === undefined ? [] : [{ tag: match[1], weight: Number(match[2] ?? 1) }]))
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
