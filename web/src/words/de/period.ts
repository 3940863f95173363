// German texts of the choice of a period.

import type { Words } from '../words.ts';

export const period: Words['period'] = {
  names: { '24h': 'Letzte 24 h', '7d': '7 Tage', week: 'Letzte Woche', '30d': '30 Tage' },
  own: 'Von – bis…',
  nights: 'Nacht vom, 22:00 – 06:00',
  from: 'Von',
  to: 'Bis',
  date: 'Datum',
  time: 'Uhrzeit',
  apply: 'Diese Zeit zeigen',
  zone: (zone) => `Zeiten in ${zone}`,
  wrong: 'Das Ende muss nach dem Anfang liegen.',
};
