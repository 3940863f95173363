// French texts of the history.

import { plural } from '../plural.ts';
import type { Words } from '../words.ts';

export const history: Words['history'] = {
  title: 'Historique',
  day: 'Dernières 24 h',
  week: '7 jours',
  month: '30 jours',
  export: (count: number) => `Exporter ${plural(count, 'ligne', 'lignes')}`,
  none: 'Aucune alarme n’est apparue pendant cette période.',
  goesOn: 'continue',
  columns: {
    raised: 'Apparue',
    message: 'Message',
    stood: 'Durée',
    reaction: 'Réaction',
    intervention: 'Intervention',
    takenBy: 'Prise par',
    comment: 'Commentaire',
  },
};
