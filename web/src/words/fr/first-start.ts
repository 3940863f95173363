// French texts of the first start and of the demo plant.

import type { Words } from '../words.ts';

export const firstStart: Words['firstStart'] = {
  title: 'Rien ne sonne encore. On essaie ?',
  intro:
    'Une installation de démonstration montre tout le chemin en moins d’une minute : une alarme apparaît, un téléphone sonne à côté de ce texte, vous appuyez sur 1, et l’alarme est à vous. Rien ne quitte cette machine.',
  introWithoutPhones:
    'Une installation de démonstration montre tout le chemin en moins d’une minute : une alarme apparaît, quelqu’un est appelé, et vous voyez qui et pourquoi. Rien ne quitte cette machine.',
  ownTitle: 'Rien ne sonne encore.',
  ownIntro:
    'Envoyez la première alarme avec une seule requête, ou demandez l’installation de démonstration à un administrateur.',
  start: 'Lancer la démonstration',
  making: 'L’installation se prépare…',
  startMeans:
    '4 stations, 96 variables, 8 personnes dans 5 groupes avec un programme d’astreinte. Supprimée d’un seul clic.',
  see: 'Voir une alarme appeler quelqu’un',
  seeMeans: 'Lift station 4 déborde dans dix secondes. Regardez la liste, et qui est appelé ensuite et pourquoi.',
  answer: 'Répondre au téléphone d’Ana et appuyer sur 1',
  answerMeans: 'L’appel vous est lu. 1 prend l’alarme : tous les autres appels pour elle cessent en deux secondes.',
  calls: 'Voir l’appel dans Appels',
  callsMeans: 'Les téléphones ne sont pas simulés ici, rien ne sonne donc. Appels montre qui serait joint, et comment.',
  openCalls: 'Ouvrir Appels',
  about: (seconds: number) => `environ ${seconds} s`,
  inSeconds: (seconds: number) => `dans ${seconds} s`,
  now: 'maintenant',
  done: 'fait',
  took: (seconds: number) => `Cela a pris ${seconds} s. Gardez l’installation, ou supprimez-la.`,
  keep: 'La garder',
  remove: 'La supprimer',
  removing: 'Suppression…',
  phoneSoon: 'Le téléphone d’Ana, dans quelques secondes',
  phoneText: 'Wet well level very high',
  phoneFacts: 'Lift station 4 · 2.64 m',
  phoneName: 'Le téléphone d’Ana',
  own: 'Ou commencez par votre propre installation',
  begin: 'Commencez par votre propre installation',
  send: 'Envoyer une alarme',
  sendMeans: 'Une requête avec curl, OPC ou un script.',
  people: 'Ajouter des personnes',
  peopleMeans: 'Noms, numéros, qui est d’astreinte et quand.',
  key: 'Créer une clé',
  keyMeans: 'Pour chaque machine qui envoie des alarmes.',
  keyMade: 'La clé est dans la ligne ci-dessous. Elle expire dans un jour.',
  copy: 'Copier la ligne',
  copied: 'Copié',
  strip: 'Ceci est une installation de démonstration.',
  stripMeans: 'Ses alarmes, ses personnes et son historique sont inventés.',
  removePlant: 'Supprimer la démonstration',
  removeQuestion:
    'Ses stations, variables, personnes, groupes, historiques et appels disparaissent ; les appels en cours cessent. Seul le journal reste.',
};
