// Why an action has no effect, in the language of the reader. Pure.

import type { Language } from '../language.ts';
import type { Problem } from './actions.ts';
import type { AlarmAction } from './definition.ts';

type Words = Readonly<Record<Problem['cause'], (action: AlarmAction) => string>>;

const words: Readonly<Record<Exclude<Language, 'en'>, Words>> = {
  fr: {
    'call-group': ({ id }) => `le groupe d’appel ${id} n’existe pas`,
    user: ({ id }) => `l’utilisateur ${id} n’existe pas`,
    media: ({ parameter }) => (parameter === '' ? 'le son n’a pas de nom' : `le fichier « ${parameter} » n’existe pas`),
    command: ({ scriptId }) => `le script ${scriptId} ne peut pas être exécuté`,
    'action-type': ({ type }) => `il n’y a pas d’action du type « ${type} »`,
  },
  de: {
    'call-group': ({ id }) => `die Rufgruppe ${id} gibt es nicht`,
    user: ({ id }) => `den Benutzer ${id} gibt es nicht`,
    media: ({ parameter }) =>
      parameter === '' ? 'der Ton hat keinen Namen' : `die Datei „${parameter}“ gibt es nicht`,
    command: ({ scriptId }) => `das Skript ${scriptId} kann nicht ausgeführt werden`,
    'action-type': ({ type }) => `eine Aktion der Art „${type}“ gibt es nicht`,
  },
};

/** In English with the details of a command that cannot run. */
export function inertIn(language: Language, action: AlarmAction, { cause, sentence }: Omit<Problem, 'field'>): string {
  return language === 'en' ? sentence : words[language][cause](action);
}
