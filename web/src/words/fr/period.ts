// French texts of the choice of a period.

import type { Words } from '../words.ts';

export const period: Words['period'] = {
  names: { '24h': 'Dernières 24 h', '7d': '7 jours', week: 'Semaine dernière', '30d': '30 jours' },
  own: 'Du – au…',
  nights: 'Nuit du, 22:00 – 06:00',
  from: 'Du',
  to: 'Au',
  date: 'Date',
  time: 'Heure',
  apply: 'Afficher cette période',
  zone: (zone) => `Heures de ${zone}`,
  wrong: 'La fin doit être après le début.',
};
