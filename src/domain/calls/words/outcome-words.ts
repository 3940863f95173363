// How an attempt ended, in the language of the reader. What a provider says stays as it came. Pure.

import type { Language } from '../../language.ts';
import type { CallOutcome } from '../delivery.ts';

/** Outcomes that say all there is to say; the others are explained by the words of their provider. */
type Plain = Exclude<CallOutcome, 'undeliverable' | 'providerDown' | 'failed'> | 'sent';

const words: Readonly<Record<Exclude<Language, 'en'>, Readonly<Record<Plain, string>>>> = {
  fr: {
    answered: 'a répondu',
    busy: 'la ligne était occupée',
    noAnswer: 'sans réponse',
    declined: 'a refusé',
    badNumber: 'ce numéro n’existe pas',
    voicemail: 'un répondeur a répondu',
    limited: 'retenu par une limite',
    locked: 'un PIN faux a été saisi trois fois',
    cancelled: 'terminé avant une réponse',
    sent: 'envoyé',
  },
  de: {
    answered: 'wurde angenommen',
    busy: 'die Leitung war besetzt',
    noAnswer: 'wurde nicht angenommen',
    declined: 'wurde abgelehnt',
    badNumber: 'diese Nummer gibt es nicht',
    voicemail: 'ein Anrufbeantworter hat geantwortet',
    limited: 'wegen einer Grenze zurückgehalten',
    locked: 'dreimal wurde eine falsche PIN eingegeben',
    cancelled: 'vor einer Antwort beendet',
    sent: 'gesendet',
  },
};

/** `detail` is what was stored, which is English where Tocsin wrote it. */
export function outcomeIn(language: Language, outcome: string, detail: string): string {
  if (language === 'en') return detail;
  const ofLanguage: Readonly<Record<string, string>> = words[language];
  return Object.hasOwn(ofLanguage, outcome) ? (ofLanguage[outcome] ?? detail) : detail;
}
