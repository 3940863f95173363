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

export const trouble: Words['trouble'] = {
  notTaken: (time) =>
    `Der Server nimmt seit ${time} keine Alarme an: Seine Datenbank antwortet nicht. Was jetzt geschieht, wird nicht gezeigt und ruft niemanden.`,
  notRead: (time) => `Der Server kann seine Alarme seit ${time} nicht lesen: Was gezeigt wird, ist älter.`,
  calling: (time) => `Seit ${time} können Personen nicht wie vorgesehen angerufen werden:`,
  codes: {
    'nobody-reachable': 'als letzte Stelle ist niemand erreichbar',
    'number-not-verified': 'keine Nummer der letzten Stelle ist geprüft',
    'last-resort-unanswered': 'die letzte Stelle wurde vergeblich angerufen',
    'call-set-aside': 'jemand wird wegen eines Fehlers in Tocsin nicht angerufen',
    'gaps-found': 'Anrufe ohne nächsten Schritt wurden gefunden und repariert',
    'not-audited': 'offene Anrufe werden nicht geprüft',
    'engine-stalled': 'das Anrufen steht still',
    'events-delayed': 'Änderungen werden nicht an die Konsolen gesendet',
    'database-unavailable': 'die Datenbank antwortet nicht',
  },
  tab: {
    link: '⚠ Nichts Neues',
    notTaken: '⚠ Keine Alarme angenommen',
    notRead: '⚠ Alarme nicht gelesen',
    calling: '⚠ Anrufe',
  },
  link: {
    link: 'Nichts Neues',
    notTaken: 'Server nimmt nichts an',
    notRead: 'Server liest nichts',
    calling: 'Anrufe gestört',
  },
};
