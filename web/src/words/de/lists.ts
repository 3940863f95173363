// German texts of what is known of a list, and of a screen that failed.

import type { Words } from '../words.ts';

export const lists: Words['lists'] = {
  reading: 'Wird gelesen…',
  failed: 'Das konnte nicht gelesen werden.',
  partFailed: 'Ein Teil dieser Ansicht konnte nicht gelesen werden.',
  alarmsFailed: 'Die Alarme konnten nicht gelesen werden: Es kann mehr geben als angezeigt.',
  callsFailed: 'Die Anrufe konnten nicht gelesen werden: Vielleicht wird jemand angerufen, ohne dass es hier steht.',
  noAnswer: 'Der Server antwortet nicht.',
  nextTry: (seconds) => `Nächster Versuch in ${seconds} s.`,
  trying: 'Versuch läuft.',
  asOf: (time) => `Stand von ${time}, konnte nicht erneut gelesen werden.`,
  unknownCounts: (name) => `${name}: unbekannt, die Alarme sind nicht gelesen`,
  unknown: 'unbekannt',
  tab: '⚠ Alarme nicht gelesen',
};

export const screenFailed: Words['screenFailed'] = {
  title: 'Diese Ansicht ist ausgefallen',
  means: 'Kopfzeile, Ton und die anderen Ansichten laufen weiter.',
};
