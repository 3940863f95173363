// French texts of the simulated phones.

import type { Words } from '../words.ts';

export const phones: Words['phones'] = {
  title: 'Téléphones',
  simulatorOn: 'SIMULATEUR ACTIF',
  means: 'Les numéros qu’aucun autre canal ne sert sonnent ici. Rien ne quitte cette machine.',
  none: 'Aucun téléphone n’a encore sonné.',
  ringing: 'SONNE',
  inCall: 'EN LIGNE',
  inTheCall: 'en ligne',
  calling: 'Tocsin appelle',
  letRing: 'Raccrocher',
  answer: 'Répondre',
  hangUp: 'Raccrocher',
  onDuty: (groups: string) => `d’astreinte pour ${groups}`,
  offDuty: 'pas d’astreinte',
  replyAs: (name: string) => `Répondre comme ${name}…`,
  send: 'Envoyer',
  keys: {
    '1': 'prendre',
    '2': 'entendu',
    '3': 'refuser',
    '4': 'répéter',
    '5': 'suivant',
    '6': 'plus tard',
    '9': 'tout',
    '0': 'aide',
  },
};
