// French texts of what is known of a list, and of a screen that failed.

import type { Words } from '../words.ts';

export const lists: Words['lists'] = {
  reading: 'Lecture…',
  failed: 'La lecture a échoué.',
  partFailed: 'Une partie de cet écran n’a pas pu être lue.',
  alarmsFailed: 'Les alarmes n’ont pas pu être lues : il peut y en avoir plus qu’affiché.',
  callsFailed: 'Les appels n’ont pas pu être lus : des personnes sont peut-être appelées sans que cela s’affiche ici.',
  noAnswer: 'Le serveur ne répond pas.',
  nextTry: (seconds) => `Prochain essai dans ${seconds} s.`,
  trying: 'Essai en cours.',
  asOf: (time) => `État de ${time}, qui n’a pas pu être relu.`,
  unknownCounts: (name) => `${name} : inconnu, les alarmes ne sont pas lues`,
  unknown: 'inconnu',
  tab: '⚠ Alarmes non lues',
};

export const screenFailed: Words['screenFailed'] = {
  title: 'Cet écran est en panne',
  means: 'Le bandeau, le son et les autres écrans continuent.',
};

export const trouble: Words['trouble'] = {
  notTaken: (time) =>
    `Le serveur ne prend plus d’alarmes depuis ${time} : sa base de données ne répond pas. Ce qui arrive maintenant ne s’affiche pas et n’appelle personne.`,
  notRead: (time) => `Le serveur ne peut pas lire ses alarmes depuis ${time} : ce qui est affiché est plus ancien.`,
  calling: (time) => `Les appels ne fonctionnent pas comme il faut depuis ${time} :`,
  codes: {
    'nobody-reachable': 'personne ne peut être joint en dernier recours',
    'number-not-verified': 'aucun numéro du dernier recours n’est vérifié',
    'last-resort-unanswered': 'le dernier recours a été appelé en vain',
    'call-set-aside': 'quelqu’un n’est pas appelé à cause d’un défaut de Tocsin',
    'gaps-found': 'des appels sans suite ont été trouvés et réparés',
    'not-audited': 'les appels ouverts ne sont pas contrôlés',
    'engine-stalled': 'les appels sont à l’arrêt',
    'events-delayed': 'les changements ne sont pas envoyés aux consoles',
    'database-unavailable': 'la base de données ne répond pas',
  },
  tab: {
    link: '⚠ Aucune nouvelle',
    notTaken: '⚠ Alarmes non prises',
    notRead: '⚠ Alarmes non lues',
    calling: '⚠ Appels',
  },
  link: {
    link: 'Aucune nouvelle',
    notTaken: 'Le serveur ne prend rien',
    notRead: 'Le serveur ne lit rien',
    calling: 'Appels en défaut',
  },
};
