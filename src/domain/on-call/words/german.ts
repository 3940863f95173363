// The reasons of the duty rules in German. Pure.

import type { UnreachableCause } from '../duty-reason.ts';
import { type DutyWords, type EntryKind, entryName, phrasesOf, sayEach } from './words.ts';

const unreachable: Readonly<Record<UnreachableCause, string>> = {
  noNumber: 'hat keine Nummer',
  notVerified: 'hat keine gültige und geprüfte Nummer',
  noChannel: 'hat keine Rufnummer auf einem Kanal, der eingerichtet ist und geht',
  notAllowed: 'hat keine Nummer in einem erlaubten Land; gerufen wird nur bei Alarmen der Priorität 1',
  noPriority: 'hat nur Nummern, die für keine Priorität gelten',
  locked: 'hat dreimal eine falsche PIN eingegeben; die Nummer ist eine Weile gesperrt',
  notNow: 'hat keine Nummer, die zu dieser Zeit gilt',
};

const kinds: Readonly<Record<EntryKind, string>> = {
  weekly: 'Wocheneintrag',
  rotations: 'Wechsel',
  overrides: 'Ausnahme',
};

const { entry, team, standIn } = phrasesOf({
  entryOf: (name, schedule) => `${name}, ${schedule}`,
  entryName: (name) => entryName(name, kinds),
  by: ', ',
  standIns: {
    'in-place-of': (user) => `, in Vertretung: ${user}`,
    'replacements-in-a-circle': (user) => `, denn die Vertretungen gehen im Kreis: ${user}`,
    'replacement-missing': (user) => `, denn die Vertretung gibt es nicht: ${user}`,
  },
});

export const german: DutyWords = {
  'member-of-team': ({ teamId, by, standIn: of }, names) => `${team(teamId, by, names)}${standIn(of, names)}`,
  'named-by-schedule': ({ by, standIn: of }, names) => `${entry(by, names)}${standIn(of, names)}`,
  replaced: ({ byUserId }, names) => `vertreten von ${names.user(byUserId)}`,
  'off-duty': () => 'nicht im Dienst',
  'person-missing': () => 'nicht im Verzeichnis',
  'team-missing': ({ teamId, by }, names) => `nicht im Verzeichnis: ${team(teamId, by, names)}`,
  gap: ({ scheduleId }, names) => `zu dieser Zeit hat niemand Dienst: ${names.schedule(scheduleId)}`,
  locked: ({ by }, names) => `der Dienst ist gesperrt: ${entry(by, names)}`,
  'no-teams': () => 'die Gruppe hat weder Teams noch einen Plan',
  'no-members': () => 'wer den Dienst hat, hat keine Mitglieder',
  'all-passed-over': ({ passedOver }, names) => sayEach(passedOver, german, names, { link: ': ', separator: '; ' }),
  unreachable: ({ userId, cause }, names) => `${names.user(userId)} ${unreachable[cause]}`,
  'relief-instead': ({ groupId }, names) => `stattdessen wird gerufen: ${names.group(groupId)}`,
  'without-number': ({ cause }) => unreachable[cause],
  'relief-not-due': () => 'Ablösung: kam nicht an die Reihe',
  'not-on-duty': () => 'hat keinen Dienst',
};
