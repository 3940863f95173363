// The reasons of the duty rules in French. Pure.

import type { UnreachableCause } from '../duty-reason.ts';
import { type DutyWords, type EntryKind, entryName, phrasesOf, sayEach } from './words.ts';

const unreachable: Readonly<Record<UnreachableCause, string>> = {
  noNumber: 'n’a pas de numéro',
  notVerified: 'n’a pas de numéro valide et vérifié',
  noChannel: 'n’a pas de numéro d’appel sur un canal configuré et en service',
  notAllowed: 'n’a pas de numéro dans un pays autorisé, si bien que seules les alarmes de priorité 1 l’appellent',
  noPriority: 'n’a que des numéros qui ne servent à aucune priorité',
  locked: 'a saisi trois fois un PIN faux, si bien que son numéro est bloqué pour un moment',
  notNow: 'n’a pas de numéro utilisable à cette heure',
};

const kinds: Readonly<Record<EntryKind, string>> = {
  weekly: 'entrée hebdomadaire',
  rotations: 'roulement',
  overrides: 'exception',
};

const { entry, team, standIn } = phrasesOf({
  entryOf: (name, schedule) => `${name}, ${schedule}`,
  entryName: (name) => entryName(name, kinds),
  by: ', ',
  standIns: {
    'in-place-of': (user) => `, à la place de : ${user}`,
    'replacements-in-a-circle': (user) => `, car les remplacements tournent en rond : ${user}`,
    'replacement-missing': (user) => `, car le remplaçant n’existe pas : ${user}`,
  },
});

export const french: DutyWords = {
  'member-of-team': ({ teamId, by, standIn: of }, names) => `${team(teamId, by, names)}${standIn(of, names)}`,
  'named-by-schedule': ({ by, standIn: of }, names) => `${entry(by, names)}${standIn(of, names)}`,
  replaced: ({ byUserId }, names) => `remplacé par ${names.user(byUserId)}`,
  'off-duty': () => 'pas de service',
  'person-missing': () => 'absent de l’annuaire',
  'team-missing': ({ teamId, by }, names) => `absente de l’annuaire : ${team(teamId, by, names)}`,
  gap: ({ scheduleId }, names) => `personne n’a l’astreinte à cette heure : ${names.schedule(scheduleId)}`,
  locked: ({ by }, names) => `l’astreinte est verrouillée : ${entry(by, names)}`,
  'no-teams': () => 'le groupe n’a ni équipes ni planning',
  'no-members': () => 'ceux qui ont l’astreinte n’ont pas de membres',
  'all-passed-over': ({ passedOver }, names) => sayEach(passedOver, french, names, { link: ' : ', separator: ' ; ' }),
  unreachable: ({ userId, cause }, names) => `${names.user(userId)} ${unreachable[cause]}`,
  'relief-instead': ({ groupId }, names) => `appelé à la place : ${names.group(groupId)}`,
  'without-number': ({ cause }) => unreachable[cause],
  'relief-not-due': () => 'relève : son tour n’est pas venu',
  'not-on-duty': () => 'pas d’astreinte',
};
