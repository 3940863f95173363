// German texts of the history, and of the last 30 days of an alarm.

import { plural } from '../plural.ts';
import type { Words } from '../words.ts';

export const history: Words['history'] = {
  title: 'Verlauf',
  server: 'Datenserver',
  tagGroup: 'Gruppe der Kennzeichen',
  group: 'Gerufene Gruppe',
  alarm: 'Alarm',
  export: (count: number) => `${plural(count, 'Zeile', 'Zeilen')} exportieren`,
  none: 'In dieser Zeit wurde kein Alarm ausgelöst.',
  goesOn: 'steht an',
  columns: {
    raised: 'Ausgelöst',
    message: 'Meldung',
    stood: 'Stand an',
    reaction: 'Reaktion',
    intervention: 'Eingriff',
    takenBy: 'Übernommen',
    comment: 'Kommentar',
  },
};

export const month: Words['month'] = {
  title: 'Letzte 30 Tage',
  today: 'heute',
  before: (count) => (count === 0 ? 'noch nie zuvor' : `${count} Mal zuvor`),
  stood: (duration) => `stand im Mittel ${duration} an`,
  taken: (duration) => `nach ${duration} übernommen`,
  takenBy: (name, duration) => `${name} nach ${duration}`,
  notTaken: 'nicht quittiert',
  all: 'Im Verlauf öffnen',
};
