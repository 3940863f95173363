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
  phoneOf: (name: string) => `le téléphone de ${name}`,
  newTexts: (count: number) => `${count} NOUV.`,
  notVerified: 'non vérifié',
  silent: 'Rien ne sonne ici. Le numéro n’est pas vérifié, il n’est donc pas appelé.',
  noNumber: 'Rien ne sonne ici. Il n’y a pas de numéro.',
  show: 'Montre',
  everybody: 'tous',
  active: 'ceux d’astreinte ou appelés',
  ringAloud: 'Sonner fort',
  drill: 'Faire un exercice…',
  testAlarm: {
    title: 'Lever une alarme d’essai',
    intro:
      'Appelle un groupe comme le ferait une vraie alarme. Elle est temporaire : dès que quelqu’un la prend, elle disparaît.',
    usual: 'Alarme d’essai de la console',
  },
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
