// Tests the catalogue: every language has every text, and says in it what the English one says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordsIn } from './catalogue.ts';
import type { Words } from './words.ts';

const stations = [
  { station: 'North', count: 3 },
  { station: 'South', count: 2 },
];

/** Every text of a language, with the same arguments. */
function textsOf(words: Words): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(Object.entries(words).filter(([, text]) => typeof text === 'string')),
    greeting: words.greeting('Ana', 'alarm', 'Tocsin'),
    greetingOfTest: words.greeting('', 'test', 'Tocsin'),
    bundle: words.bundle(5, stations),
    nth: words.nth(2, 5, 'alarm'),
    nthTest: words.nth(2, 5, 'test'),
    takeAll: words.takeAll(5, stations),
    takeOne: words.takeAll(1, stations.slice(0, 1)),
    taken: words.taken(1),
    takenSeveral: words.taken(5),
    takenBy: words.takenBy('Zoe'),
    anotherTakenBy: words.othersTakenBy('Zoe', 1),
    othersTakenBy: words.othersTakenBy('Zoe', 5),
    anotherOver: words.othersOver(1),
    othersOver: words.othersOver(5),
    heard: words.heard('others'),
    heardByAll: words.heard('nobody'),
    declined: words.declined('others'),
    declinedToNext: words.declined('next'),
    declinedByAll: words.declined('nobody'),
    notLater: words.notLater('others'),
    ofTotal: words.ofTotal(2, 5),
    more: words.more(5),
    moreCharacters: words.moreCharacters(5),
    replyToConfirm: words.replyToConfirm('4711'),
    replyToTake: words.replyToTake('4711', 1, true),
    replyToTakeAll: words.replyToTake('4711', 5, true),
    replyToTakeSome: words.replyToTake('4711', 5, false),
    whatToDo: words.whatToDo('hot'),
    back: words.back('hot'),
    acknowledged: words.acknowledged('hot'),
    test: words.test('hot'),
    number: words.number(7),
    onDuty: words.onDuty('hot'),
    offDuty: words.offDuty('hot'),
    until: words.until('8'),
    withCode: words.withCode('hot', '17'),
    verificationCode: words.verificationCode('471147'),
  };
}

const mayBeEqual = new Set(['nth', 'nthTest', 'number', 'test']);

test('each text is translated, with the same names and numbers in it', () => {
  const english = textsOf(wordsIn('en'));
  const facts = (text = ''): readonly string[] => (text.match(/\d+|Ana|Zoe|hot|North|South/g) ?? []).toSorted();
  for (const language of ['fr', 'de']) {
    const texts = textsOf(wordsIn(language));
    assert.deepEqual(Object.keys(texts), Object.keys(english));
    for (const [name, text] of Object.entries(texts)) {
      assert.deepEqual(facts(text), facts(english[name]), `${language} ${name}: ${text}`);
      if (!mayBeEqual.has(name)) assert.notEqual(text, english[name], `${language} ${name}`);
    }
  }
});

test('a language is found by its primary tag, and an unknown one is English', () => {
  for (const language of ['fr', 'fr-CA', 'FR_be']) assert.equal(wordsIn(language), wordsIn('fr'));
  for (const language of ['pt', '', 'constructor', 'e']) assert.equal(wordsIn(language), wordsIn('en'));
});
