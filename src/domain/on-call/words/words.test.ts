// Tests the reasons of the duty rules: each has a sentence in every language, with all that it names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Language, languages } from '../../language.ts';
import type { References } from '../../people/references.ts';
import { type DutyReason, type DutyReasonCode, unreachableCauses } from '../duty-reason.ts';
import { dutyWords } from './catalogue.ts';
import { sayDuty } from './words.ts';

const by = { scheduleId: 9, entry: 'overrides[4]', reason: 'Umbau' };
const weekly = { ...by, entry: 'weekly[4]', reason: '' };
const rotation = { ...by, entry: 'rotations[4]', reason: '' };
const standIns = ['in-place-of', 'replacements-in-a-circle', 'replacement-missing'] as const;
const missing = { code: 'team-missing', teamId: 6, by } as const;

type Samples = { readonly [Code in DutyReasonCode]: readonly Omit<Extract<DutyReason, { code: Code }>, 'code'>[] };

/** Some of each code: the compiler names what is missing. */
const samples: Samples = {
  'member-of-team': [
    { teamId: 5, by: undefined, standIn: undefined },
    { teamId: 5, by: weekly, standIn: undefined },
    { teamId: 5, by: rotation, standIn: undefined },
    ...standIns.map((code) => ({ teamId: 5, by, standIn: { code, userId: 3 } })),
  ],
  'named-by-schedule': [
    { by, standIn: undefined },
    { by, standIn: { code: 'in-place-of', userId: 3 } },
  ],
  replaced: [{ byUserId: 8 }],
  'off-duty': [{}],
  'person-missing': [{}],
  'team-missing': [{ teamId: 6, by: undefined }, missing],
  gap: [{ scheduleId: 9 }],
  locked: [{ by }],
  'no-teams': [{}],
  'no-members': [{}],
  'all-passed-over': [
    {
      passedOver: [
        { userId: 3, teamId: undefined, reason: { code: 'off-duty' } },
        { userId: undefined, teamId: 6, reason: missing },
      ],
    },
  ],
  unreachable: unreachableCauses.map((cause) => ({ userId: 3, cause })),
  'relief-instead': [{ groupId: 7 }],
  'without-number': unreachableCauses.map((cause) => ({ cause })),
  'relief-not-due': [{}],
  'not-on-duty': [{}],
};
const reasons = Object.entries(samples).flatMap(([code, ofCode]) =>
  ofCode.map((parameters) => ({ code, ...parameters }) as DutyReason),
);

const names: References = {
  user: (id) => `<U${id}>`,
  team: (id) => `<T${id}>`,
  group: (id) => `<G${id}>`,
  schedule: (id) => `<S${id}>`,
};
const sentencesIn = (language: Language): readonly string[] =>
  reasons.map((reason) => sayDuty(reason, dutyWords[language], names));

test('every reason has a sentence in every language, with everybody and everything that it names', () => {
  const facts = (text = ''): readonly string[] => (text.match(/<[^>]*>|Umbau/g) ?? []).toSorted();
  const inEnglish = sentencesIn('en');
  for (const language of languages)
    for (const [index, sentence] of sentencesIn(language).entries()) {
      const named = `${language} ${reasons[index]?.code}: ${sentence}`;
      assert.doesNotMatch(sentence, /undefined|null|NaN|[{}]|\.$| {2}|^$/, named);
      assert.deepEqual(facts(sentence), facts(inEnglish[index]), named);
    }
});

test('no two languages share a sentence of more than a name, and in French and German there is no word of English', () => {
  const [inEnglish, inFrench, inGerman] = [sentencesIn('en'), sentencesIn('fr'), sentencesIn('de')];
  const words = /\b(the|is|are|has|of|by|as|and|nobody|called|number|not|duty|weekly|overrides|rotations)\b/;
  for (const [index, reason] of reasons.entries()) {
    const sentences = [inEnglish[index], inFrench[index], inGerman[index]];
    const isName = reason.code === 'member-of-team' && reason.by === undefined;
    assert.equal(new Set(sentences).size, isName ? 1 : 3, sentences.join(' | '));
    for (const sentence of sentences.slice(1)) assert.doesNotMatch(sentence ?? '', words, reason.code);
  }
});

test('in French and German an entry is named by its kind and its place from 1, in English as in the interface', () => {
  const sentences = languages.map((language) =>
    [weekly, rotation, by].map((entry) =>
      sayDuty({ code: 'named-by-schedule', by: entry, standIn: undefined }, dutyWords[language], names),
    ),
  );
  assert.deepEqual(sentences, [
    ['Wocheneintrag 5, <S9>', 'Wechsel 5, <S9>', 'Ausnahme 5 (Umbau), <S9>'],
    ['weekly[4] of <S9>', 'rotations[4] of <S9>', 'overrides[4] (Umbau) of <S9>'],
    ['entrée hebdomadaire 5, <S9>', 'roulement 5, <S9>', 'exception 5 (Umbau), <S9>'],
  ]);
});
