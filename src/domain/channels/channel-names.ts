// How channels are named in sentences, by language. Pure.

import type { Language } from '../language.ts';

const names: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {},
  fr: {
    voice: 'téléphone',
    simulator: 'téléphone simulé',
    sms: 'SMS',
    email: 'e-mail',
    push: 'notification',
    pager: 'pager',
  },
  de: {
    voice: 'Telefon',
    simulator: 'simuliertes Telefon',
    sms: 'SMS',
    email: 'E-Mail',
    push: 'Push-Nachricht',
    pager: 'Pager',
  },
};

/** Returns the word for a channel, or its name in the interface if there is none. */
export function channelName(language: Language, channel: string): string {
  const ofLanguage = names[language];
  return Object.hasOwn(ofLanguage, channel) ? (ofLanguage[channel] ?? channel) : channel;
}
