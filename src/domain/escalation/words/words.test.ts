// Tests the reasons of the calling engine: each has a sentence in every language, with all that it names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReachedLimit } from '../../channels/toll-limits.ts';
import type { Reason, ReasonCode } from '../reason.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { durationText, type ReasonWords, type Show, sayReason } from './words.ts';

const by = 'user:3';
const [until, since] = [1_800_000_000_000, 1_700_000_000_000];
const channel = 'voice';

/** One of each code: the compiler names what is missing. */
const samples: { readonly [Code in ReasonCode]: Omit<Extract<Reason, { code: Code }>, 'code'> } = {
  raised: {},
  requested: {},
  'ack-expired': {},
  'new-round': { round: 17 },
  'more-urgent': { priority: 2 },
  unanswered: {},
  'not-acknowledged': {},
  'next-number': {},
  'called-later': {},
  'tried-again': {},
  'in-turn': {},
  relief: {},
  'relief-per-person': {},
  'on-duty-now': {},
  'last-resort': {},
  bundled: { count: 12 },
  notice: {},
  'nobody-took-it': {},
  'not-taken-in-time': { seconds: 90 },
  escalated: { by },
  rings: {},
  'awaits-answer': { until },
  rests: { until },
  'asked-later': { until },
  'in-call-that-reads-it': {},
  'in-another-call': { since },
  'line-in-use': { since },
  'no-free-line': { channel, since },
  throttled: { until },
  toll: { limit: { of: 'person', most: 3 }, until },
  'channel-down': { channel },
  'channel-not-set-up': { channel },
  'number-not-served': { channel },
  heard: {},
  declined: {},
  'not-reached': {},
  'no-number': {},
  'no-usable-number': {},
  unverified: {},
  'locked-number': {},
  delayed: { until },
  'nobody-on-call': {},
  'duty-locked': {},
  'target-removed': {},
  discarded: {},
  'everybody-heard-in-group': {},
  'called-in-vain': { round: 17 },
  taken: { by },
  masked: { by },
  'back-to-normal': {},
  'alarm-removed': { by },
  cancelled: { by },
  'raised-again': {},
  'not-named': {},
  sent: {},
  'not-to-be-called': {},
  'person-removed': {},
  'number-removed': {},
};

const reasons = Object.entries(samples).map(([code, parameters]) => ({ code, ...parameters }) as Reason);
const show: Show = {
  actor: (actor) => `<${actor}>`,
  time: (instant) => `<${instant}>`,
  channel: (name) => `<${name}>`,
};
const languages = Object.entries({ english, french, german });
const spoken = (words: ReasonWords): readonly string[] => reasons.map((reason) => sayReason(reason, words, show));

test('every reason has a sentence in every language, with the names, times and counts it is about', () => {
  const facts = (text = ''): readonly string[] => (text.match(/<[^>]*>|\d+/g) ?? []).toSorted();
  const inEnglish = spoken(english);
  for (const [language, words] of languages)
    for (const [index, sentence] of spoken(words).entries()) {
      const named = `${language} ${reasons[index]?.code}: ${sentence}`;
      assert.match(sentence, /\p{L}{2}/u, named);
      assert.doesNotMatch(sentence, /undefined|null|NaN|[{}[\]]|\.$| {2}/, named);
      assert.deepEqual(facts(sentence), facts(inEnglish[index]), named);
    }
});

test('a sentence leaves out nothing that its reason names', () => {
  for (const { code, ...parameters } of reasons)
    for (const [name, value] of Object.entries({ ...parameters, ...limitIn(parameters) })) {
      if (name === 'limit' || name === 'of') continue;
      const sentence = sayReason({ code, ...parameters } as Reason, english, show);
      assert.ok(sentence.includes(String(value)), `${code} ${name}: ${sentence}`);
    }
});

test('each limit of a day is told apart, with its number and country', () => {
  const limits: readonly ReachedLimit[] = [
    { of: 'person', most: 3 },
    { of: 'country', most: 3, country: '+33' },
    { of: 'budget', most: 3 },
    { of: 'providers' },
  ];
  for (const words of [english, french, german]) {
    const sentences = limits.map((limit) => sayReason({ code: 'toll', limit, until }, words, show));
    assert.equal(new Set(sentences).size, limits.length);
    for (const [index, limit] of limits.entries())
      for (const [name, value] of Object.entries(limit))
        assert.ok(name === 'of' || sentences[index]?.includes(String(value)), sentences[index]);
  }
});

/** What a limit names is a parameter of its reason like others. */
function limitIn(parameters: object): object {
  return 'limit' in parameters ? (parameters.limit as object) : {};
}

test('no two languages share a sentence, and in French and German there is no word of English', () => {
  const [inEnglish, inFrench, inGerman] = [spoken(english), spoken(french), spoken(german)];
  const words = /\b(the|is|are|has|of|by|and|nobody|called|number|not|until|alarm|call|while|this|them)\b/;
  for (const [index, { code }] of reasons.entries()) {
    const sentences = [inEnglish[index], inFrench[index], inGerman[index]];
    assert.equal(new Set(sentences).size, 3, `${code}: ${sentences.join(' | ')}`);
    for (const sentence of sentences.slice(1)) assert.doesNotMatch(sentence ?? '', words, code);
  }
});

test('one alarm that waits is told in the singular', () => {
  for (const [language, words] of languages) {
    const sentence = sayReason({ code: 'bundled', count: 1 }, words, show);
    assert.doesNotMatch(sentence, /\d|alarms|alarmes|Alarme/, `${language}: ${sentence}`);
  }
});

test('whole minutes are told as minutes, other durations in seconds', () => {
  assert.deepEqual([45, 60, 90, 300].map(durationText), ['45 s', '1 min', '90 s', '5 min']);
});
