// French texts of marks, rail, banner, stale bar and help.

import type { MarkState } from '../../components/mark.tsx';
import { plural } from '../plural.ts';
import type { Words } from '../words.ts';

const stateWords = (state: number, masked: boolean): string => {
  if (masked) return 'masqué';
  return ['au repos', 'actif, acquitté', 'disparu, non acquitté', 'actif, non acquitté'][state] ?? '';
};

export const mark: Words['mark'] = {
  priority: (priority: number) => `Priorité ${priority}`,
  system: 'Tocsin lui-même',
  state: stateWords,
  label: ({ priority, state, masked, system }: MarkState) =>
    `${system ? 'Système, priorité' : 'Priorité'} ${priority}, ${stateWords(state, masked)}`,
};

export const screens: Words['screens'] = {
  alarms: 'Alarmes',
  history: 'Historique',
  statistics: 'Statistiques',
  onCall: 'Astreinte',
  calls: 'Appels',
  phones: 'Téléphones',
  directory: 'Annuaire',
  system: 'Système',
  more: 'Plus',
  account: 'Compte',
  skip: 'Aller à la liste',
};

export const unknownAddress = {
  title: 'Il n’y a rien à cette adresse',
  means: (address: string) => `Aucun écran de la console ne s’appelle ${address}.`,
  nearest: 'Vous cherchez peut-être',
};

export const banner: Words['banner'] = {
  counts: (priority: string, unacknowledged: number, active: number) =>
    `${priority} : ${unacknowledged} non acquittées, ${active} actives`,
  newest: 'Dernière urgente',
  ago: (age: string) => `il y a ${age}`,
  calm: (age: string) => `Aucune alarme. Dernière nouvelle il y a ${age}.`,
  noUrgent: (age: string) => `Rien à acquitter. Dernière nouvelle il y a ${age}.`,
  rate: '/10 min',
  normal: 'normal',
  flood: 'AVALANCHE',
  onCall: 'Astreinte',
  nobody: 'personne',
  locked: 'personne n’est appelé',
  onDuty: (groups: string, until: string) =>
    `Vous êtes d’astreinte pour ${groups}${until === '' ? '' : ` jusqu’à ${until}`}`,
  notOnDuty: 'Vous n’êtes pas d’astreinte',
  noGroups: 'pas encore de groupe',
  more: (count: number) => `+${count}`,
  masked: (count: number) => plural(count, 'alarme masquée', 'alarmes masquées'),
  live: 'En direct',
  noNews: 'Aucune nouvelle',
  connecting: 'Connexion',
  soundOn: 'Le son est actif : silence pendant 10 minutes',
  soundOff: 'Pas de son avant un clic',
  fast: (by: string) => `Cette horloge avance de ${by}`,
  slow: (by: string) => `Cette horloge retarde de ${by}`,
  wrongClockMeans: 'L’âge des alarmes et la fin des masques sont calculés avec l’horloge de cette machine.',
  trySounds: 'Essayer les sons',
  silencedFrom: [
    'toutes les priorités',
    'priorités 2 et suivantes',
    'priorités 3 et suivantes',
    'priorités 4 et suivantes',
    'Tocsin lui-même',
  ],
  silentUntil: (time: string) => `Silence jusqu’à ${time}`,
  silenced: (what: string, time: string) =>
    `Silence : ${what}, jusqu’à ${time}. Une nouvelle alarme de priorité 1 sonne. Appuyer pour remettre le son.`,
};

export const stale: Words['stale'] = {
  title: (time: string) => `Aucune nouvelle depuis ${time} — cette liste peut être fausse`,
  never: 'Pas encore de connexion au serveur : rien n’est connu',
  heard: (duration: string) => `Le serveur n’a rien dit depuis ${duration}.`,
  retry: (seconds: number, attempt: number) => `Nouvel essai dans ${seconds} s, essai ${attempt}.`,
  trying: 'Essai en cours.',
  calls: 'Les alarmes appellent aussi sans cet écran.',
  catchingUp: (time: string) => `Lecture de ce qui a été manqué depuis ${time}`,
  now: 'Essayer maintenant',
  tab: '⚠ Aucune nouvelle',
  callInstead: 'Pas de connexion. Appuyez plutôt sur 1 pendant l’appel.',
  actionsOff: 'Aucune nouvelle du serveur',
};

export const help: Words['help'] = {
  title: 'Touches',
  off: 'Les touches sont inactives',
  on: 'Les touches sont actives',
  rows: [
    ['j  k  ↓  ↑', 'se déplacer'],
    ['Entrée', 'ouvrir'],
    ['x  Espace', 'choisir'],
    ['Maj ↓ ↑', 'étendre le choix'],
    ['a', 'acquitter'],
    ['Shift a', 'acquitter avec un commentaire'],
    ['s', 'masquer'],
    ['c', 'commenter'],
    ['e', 'expliquer qui est appelé'],
    ['m', 'silence'],
    ['1 … 9', 'vues'],
    ['Ctrl K', 'chercher et agir'],
    ['/', 'chercher'],
    ['g  a h t o c p s', 'aller à un écran'],
    ['Échap', 'fermer'],
    ['?', 'cette aide'],
  ],
};
