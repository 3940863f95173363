// How people, teams, schedules and call groups are named in a sentence, by language. Pure.

import type { Language } from '../language.ts';
import { foreignName } from './visibility.ts';

/** An object that was removed is named by its number, and one that the reader does not see by its kind. */
type Noun = {
  readonly named: (id: number, name: string) => string;
  readonly removed: (id: number) => string;
  readonly foreign: string;
};

export type ReferenceWords = Readonly<Record<'user' | 'team' | 'schedule' | 'group', Noun>> & {
  /** Stands in place of a name that the reader does not see. */
  readonly anotherStation: string;
  readonly lastResort: string;
};

/** A noun whose number is shown beside its name. */
function numbered(noun: string, foreign: string, quoted: (name: string) => string): Noun {
  return {
    named: (id, name) => `${noun} ${id} ${quoted(name)}`,
    removed: (id) => `${noun} ${id}`,
    foreign,
  };
}

function grouped(noun: string, foreign: string, quoted: (name: string) => string): Noun {
  return { ...numbered(noun, foreign, quoted), named: (_, name) => `${noun} ${quoted(name)}` };
}

const inEnglish = (name: string): string => `"${name}"`;
const inFrench = (name: string): string => `« ${name} »`;
const inGerman = (name: string): string => `„${name}“`;

export const referenceWords: Readonly<Record<Language, ReferenceWords>> = {
  en: {
    user: numbered('user', `a user of ${foreignName}`, inEnglish),
    team: numbered('team', `a team of ${foreignName}`, inEnglish),
    schedule: numbered('schedule', `a schedule of ${foreignName}`, inEnglish),
    group: grouped('call group', `a call group of ${foreignName}`, inEnglish),
    anotherStation: foreignName,
    lastResort: 'last resort',
  },
  fr: {
    user: numbered('utilisateur', 'utilisateur d’une autre station', inFrench),
    team: numbered('équipe', 'équipe d’une autre station', inFrench),
    schedule: numbered('planning', 'planning d’une autre station', inFrench),
    group: grouped('groupe d’appel', 'groupe d’appel d’une autre station', inFrench),
    anotherStation: 'une autre station',
    lastResort: 'dernier recours',
  },
  de: {
    user: numbered('Benutzer', 'Benutzer einer anderen Station', inGerman),
    team: numbered('Team', 'Team einer anderen Station', inGerman),
    schedule: numbered('Plan', 'Plan einer anderen Station', inGerman),
    group: grouped('Rufgruppe', 'Rufgruppe einer anderen Station', inGerman),
    anotherStation: 'eine andere Station',
    lastResort: 'letzte Instanz',
  },
};
