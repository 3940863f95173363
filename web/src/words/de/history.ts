// German texts of the history.

import { plural } from '../plural.ts';
import type { Words } from '../words.ts';

export const history: Words['history'] = {
  title: 'Verlauf',
  day: 'Letzte 24 h',
  week: '7 Tage',
  month: '30 Tage',
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
