// French texts of the history, and of the last 30 days of an alarm.

import { plural } from '../plural.ts';
import type { Words } from '../words.ts';

export const history: Words['history'] = {
  title: 'Historique',
  server: 'Serveur de données',
  tagGroup: 'Groupe de repères',
  group: 'Groupe appelé',
  alarm: 'Alarme',
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

export const month: Words['month'] = {
  title: '30 derniers jours',
  today: 'aujourd’hui',
  before: (count) => (count === 0 ? 'jamais auparavant' : `${count} fois auparavant`),
  stood: (duration) => `durée moyenne ${duration}`,
  taken: (duration) => `prise en ${duration}`,
  takenBy: (name, duration) => `${name} après ${duration}`,
  notTaken: 'non acquittée',
  all: 'Ouvrir dans l’historique',
};
