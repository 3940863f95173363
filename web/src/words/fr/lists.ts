// French texts of what is known of a list, and of a screen that failed.

import type { Words } from '../words.ts';

export const lists: Words['lists'] = {
  reading: 'Lecture…',
  failed: 'La lecture a échoué.',
  partFailed: 'Une partie de cet écran n’a pas pu être lue.',
  alarmsFailed: 'Les alarmes n’ont pas pu être lues : il peut y en avoir plus qu’affiché.',
  callsFailed: 'Les appels n’ont pas pu être lus : des personnes sont peut-être appelées sans que cela s’affiche ici.',
  noAnswer: 'Le serveur ne répond pas.',
  nextTry: (seconds) => `Prochain essai dans ${seconds} s.`,
  trying: 'Essai en cours.',
  asOf: (time) => `État de ${time}, qui n’a pas pu être relu.`,
  unknownCounts: (name) => `${name} : inconnu, les alarmes ne sont pas lues`,
  unknown: 'inconnu',
  tab: '⚠ Alarmes non lues',
};

export const screenFailed: Words['screenFailed'] = {
  title: 'Cet écran est en panne',
  means: 'Le bandeau, le son et les autres écrans continuent.',
};
