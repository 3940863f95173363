// The reasons of the duty rules in English. Pure.

import type { UnreachableCause } from '../duty-reason.ts';
import { type DutyWords, phrasesOf, sayEach } from './words.ts';

const unreachable: Readonly<Record<UnreachableCause, string>> = {
  noNumber: 'has no number',
  notVerified: 'has no number that is valid and verified',
  noChannel: 'has no number to be called on a channel that is set up and works',
  notAllowed: 'has no number in a country that the call policy allows, so that only alarms of priority 1 are called',
  noPriority: 'has only numbers whose range of priorities holds none',
  locked: 'entered a wrong PIN three times, so that their number is locked for a while',
  notNow: 'has no number that may be used at this time',
};

const { entry, team, standIn } = phrasesOf({
  entryOf: (name, schedule) => `${name} of ${schedule}`,
  entryName: (name) => name,
  by: ' by ',
  standIns: {
    'in-place-of': (user) => `, in place of ${user}`,
    'replacements-in-a-circle': (user) => `, as the replacements of ${user} go round in a circle`,
    'replacement-missing': (user) => `, as the replacement of ${user} does not exist`,
  },
});

export const english: DutyWords = {
  'member-of-team': ({ teamId, by, standIn: of }, names) => `${team(teamId, by, names)}${standIn(of, names)}`,
  'named-by-schedule': ({ by, standIn: of }, names) => `${entry(by, names)}${standIn(of, names)}`,
  replaced: ({ byUserId }, names) => `replaced by ${names.user(byUserId)}`,
  'off-duty': () => 'off duty',
  'person-missing': () => 'not in the directory',
  'team-missing': ({ teamId, by }, names) => `${team(teamId, by, names)} is not in the directory`,
  gap: ({ scheduleId }, names) => `${names.schedule(scheduleId)} gives the duty to nobody at this time`,
  locked: ({ by }, names) => `the duty is locked by ${entry(by, names)}`,
  'no-teams': () => 'the group has neither teams nor a schedule',
  'no-members': () => 'those who have the duty have no members',
  'all-passed-over': ({ passedOver }, names) => sayEach(passedOver, english, names, { link: ' is ', separator: ', ' }),
  unreachable: ({ userId, cause }, names) => `${names.user(userId)} ${unreachable[cause]}`,
  'relief-instead': ({ groupId }, names) => `${names.group(groupId)} is called instead`,
  'without-number': ({ cause }) => unreachable[cause],
  'relief-not-due': () => 'relief: the turn did not come to them',
  'not-on-duty': () => 'not on duty',
};
