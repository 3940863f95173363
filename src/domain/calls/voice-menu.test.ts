// The voice menu, key by key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnnouncedItem } from './announced.ts';
import {
  afterPin,
  greet,
  isLockedOut,
  press,
  readBackAll,
  sayAnswer,
  tell,
  type VoiceMenuContext,
} from './voice-menu.ts';
import { wordsIn } from './words/catalogue.ts';
import { partsOf, writtenOf } from './words/recorded-text.ts';

const menu = 'Press 1 to take it, 2 heard but keep calling others, 3 decline, 4 repeat, 5 next, 6 call me later.';
const north = [{ station: 'North', count: 2 }];
const hot = { alarmId: 1 };
const wet = { alarmId: 2 };
const dry = { causeId: 3 };
const plain: VoiceMenuContext = {
  language: 'en',
  firstName: 'Ana',
  texts: ['hot'],
  items: [hot],
  total: 1,
  hasPin: false,
};
const two: VoiceMenuContext = { ...plain, texts: ['hot', 'wet'], items: [hot, wet], total: 2 };
const three: VoiceMenuContext = { ...plain, texts: ['hot', 'wet', 'dry'], items: [hot, wet, dry], total: 3 };
const drill: VoiceMenuContext = { ...plain, texts: ['Test: fire'], items: [{ causeId: 9, isTest: true }] };
const news: VoiceMenuContext = { ...plain, texts: ['dry'], items: [dry] };
const secret: VoiceMenuContext = { ...plain, hasPin: true };

function nameOf(item: AnnouncedItem): string {
  return 'alarmId' in item ? `alarm ${item.alarmId}` : `cause ${item.causeId}`;
}

/**
 * Returns the final step, the effects of the keys, and the text said last; the PIN is 42, an answer takes what it is for,
 * and others are being called.
 */
function pressAll(keys: string, context: VoiceMenuContext): string {
  let { state, say } = greet(context);
  const effects: string[] = [];
  for (const key of keys) {
    const pin = state.digits;
    const step = press(state, key, context);
    ({ state, say } = step.effect === 'check-pin' ? afterPin(step.state, pin === '42', context) : step);
    if (step.effect === 'gather-all')
      ({ state, say } = readBackAll(step.state, { items: context.items, stations: north, gone: [] }, context));
    if (step.effect !== undefined) effects.push([step.effect, ...(step.items ?? []).map(nameOf)].join(' '));
    const taken = step.effect === 'take' ? (step.items ?? []).length : 0;
    const isAnswer = step.effect !== undefined && say === '';
    if (isAnswer) say = sayAnswer(step, { taken, fates: [], others: 'others', isCalledBack: true }, context);
    say = [say, step.next ?? []].flat().join(' ');
  }
  const heard = say.replace(/^There are[^\n]*\n/, '').split('\n')[0] ?? '';
  return [state.step, ...effects, heard].join(' | ');
}

test('each key advances the menu and has its effect', () => {
  const table: readonly [keys: string, context: VoiceMenuContext, expected: string][] = [
    ['', plain, 'human | Hello Ana, this is Tocsin with an alarm. Press 1 to hear it.'],
    ['2', plain, 'human | Press 1 to hear it.'],
    ['*', plain, 'human | Press 1 to hear it.'],
    ['1', plain, 'menu | hot'],
    ['11', plain, 'over | take alarm 1 | You have taken it. Thank you.'],
    ['12', plain, 'over | heard alarm 1 | Heard. Others are still being called.'],
    ['13', plain, 'over | decline alarm 1 | Declined. Others are being called.'],
    ['14', plain, 'menu | hot'],
    ['15', plain, 'menu | hot'],
    ['16', plain, 'over | later alarm 1 | You will be called again in five minutes.'],
    ['10', plain, `menu | ${menu}`],
    ['19', plain, `menu | ${menu}`],
    ['1112', plain, 'over | take alarm 1 | '],
    ['1', two, 'menu | Alarm 1 of 2: hot'],
    ['15', two, 'menu | Alarm 2 of 2: wet'],
    ['154', two, 'menu | Alarm 2 of 2: wet'],
    ['155', two, 'menu | Alarm 1 of 2: hot'],
    ['11', two, 'menu | take alarm 1 | You have taken it. Thank you. Alarm 2 of 2: wet'],
    ['112', two, 'over | take alarm 1 | heard alarm 2 | Heard. Others are still being called.'],
    ['12', two, 'menu | heard alarm 1 | Heard. Others are still being called. Alarm 2 of 2: wet'],
    ['115', two, 'menu | take alarm 1 | Alarm 2 of 2: wet'],
    ['113', two, 'over | take alarm 1 | decline alarm 2 | Declined. Others are being called.'],
    ['13', two, 'menu | decline alarm 1 | Declined. Others are being called. Alarm 2 of 2: wet'],
    ['133', two, 'over | decline alarm 1 | decline alarm 2 | Declined. Others are being called.'],
    ['131', two, 'over | decline alarm 1 | take alarm 2 | You have taken it. Thank you.'],
    ['153', two, 'over | decline alarm 1 alarm 2 | Declined. Others are being called.'],
    ['153', three, 'menu | decline alarm 1 alarm 2 | Declined. Others are being called. Message 3 of 3: dry'],
    ['116', two, 'over | take alarm 1 | later alarm 2 | You will be called again in five minutes.'],
    ['151', two, 'menu | take alarm 2 | You have taken it. Thank you. Alarm 1 of 2: hot'],
    ['1511', two, 'over | take alarm 2 | take alarm 1 | You have taken it. Thank you.'],
    ['111', three, 'menu | take alarm 1 | take alarm 2 | You have taken it. Thank you. Message 3 of 3: dry'],
    [
      '19',
      two,
      'all | gather-all | You are about to take 2 alarms, all of North. Press 1 to confirm, another key to go back.',
    ],
    ['191', two, 'over | gather-all | take alarm 1 alarm 2 | You have taken 2 alarms. Thank you.'],
    ['192', two, 'menu | gather-all | Nothing was taken.'],
    ['1921', two, 'menu | gather-all | take alarm 1 | You have taken it. Thank you. Alarm 2 of 2: wet'],
    ['', drill, 'human | Hello Ana, this is Tocsin with a test. Press 1 to hear it.'],
    ['11', drill, 'over | heard cause 9 | Confirmed. Thank you. This was only a test.'],
    ['13', drill, 'over | decline cause 9 | Declined. Others are being called. This was only a test.'],
    ['', news, 'human | Hello Ana, this is Tocsin with a message. Press 1 to hear it.'],
    ['11', news, 'over | heard cause 3 | Confirmed. Thank you.'],
    ['12', news, 'over | heard cause 3 | Confirmed. Thank you.'],
    ['10', news, 'menu | Press 1 to confirm that you have heard it, 3 decline, 4 repeat, 5 next, 6 call me later.'],
    ['1', secret, 'pin | Enter your PIN and end with the hash key.'],
    ['142#', secret, 'menu | check-pin | hot'],
    ['142#1', secret, 'over | check-pin | take alarm 1 | You have taken it. Thank you.'],
    ['141#', secret, 'pin | check-pin | That PIN is wrong. Try again.'],
    ['141#42#', secret, 'menu | check-pin | check-pin | hot'],
    ['1#1#1#', secret, 'over | check-pin | check-pin | check-pin | That PIN is wrong. Goodbye.'],
    ['1*42#', secret, 'menu | check-pin | hot'],
  ];
  for (const [keys, context, expected] of table) assert.equal(pressAll(keys, context), expected, `keys "${keys}"`);
});

test('only three wrong PINs lock the number', () => {
  const over = { step: 'over', digits: '', index: 0, done: [] } as const;
  assert.equal(isLockedOut({ ...over, pinTries: 3 }), true);
  assert.equal(isLockedOut({ ...over, pinTries: 2 }), false);
  assert.equal(isLockedOut({ ...over, step: 'pin', pinTries: 3 }), false);
});

test('the greeting uses the primary language tag, and English for unknown languages', () => {
  const table: readonly [language: string, firstName: string, greeting: RegExp][] = [
    ['fr', 'Ana', /^Bonjour Ana, ici Tocsin/],
    ['fr-CA', '', /^Bonjour, ici Tocsin/],
    ['DE_at', 'Bo', /^Guten Tag Bo, hier/],
    ['pt', 'Cy', /^Hello Cy, this/],
    ['', '', /^Hello, this/],
    ['constructor', '', /^Hello, this/],
  ];
  for (const [language, firstName, greeting] of table)
    assert.match(greet({ ...plain, language, firstName }).say, greeting);
});

test('several alarms are announced by number and station before the first is read', () => {
  const stations = [
    { station: 'North', count: 3 },
    { station: 'South', count: 1 },
  ];
  const { state } = greet(plain);
  assert.match(
    press(state, '1', { ...two, total: 4, stations }).say,
    /^There are 4: 3 of North, 1 of South\.\nAlarm 1 of 4: hot\n/,
  );
  assert.match(press(state, '1', { ...two, stations: north }).say, /^There are 2, all of North\.\n/);
  assert.match(press(state, '1', plain).say, /^hot\n/);
});

test('who declines or has heard it is told who is called, and only what is true', () => {
  const table = [
    ['decline', 'next', 'Declined. The next one is called now.'],
    ['decline', 'others', 'Declined. Others are being called.'],
    ['decline', 'nobody', 'Declined. Nobody else is called now.'],
    ['heard', 'next', 'Heard. Others are still being called.'],
    ['heard', 'nobody', 'Heard. Nobody else is called now.'],
  ] as const;
  for (const [effect, others, said] of table)
    assert.equal(sayAnswer({ effect, items: [hot] }, { taken: 0, fates: [], others }, plain), said);
  const notAgain = { taken: 0, fates: [], others: 'nobody', isCalledBack: false } as const;
  assert.equal(sayAnswer({ effect: 'later', items: [hot] }, notAgain, plain), 'You will not be called again for it.');
  const tooLate = { taken: 0, fates: [{ kind: 'taken', by: 'Bo' }], others: 'nobody' } as const;
  assert.equal(sayAnswer({ effect: 'take', items: [hot] }, tooLate, plain), 'Bo has taken it. Thank you.');
});

test('a person in a conversation is told what became of an alarm and goes on with what is left', () => {
  const bo = { kind: 'taken', by: 'Bo' } as const;
  const { state } = press(greet(two).state, '1', two);
  const current = tell(state, new Map([[0, bo]]), two);
  assert.deepEqual([current.say, current.state.index], ['Bo has taken it.', 1]);
  assert.match(current.next ?? '', /^Alarm 2 of 2: wet/);
  const other = tell(state, new Map([[1, { kind: 'over' }]]), two);
  assert.deepEqual([other.say, other.state.index], ['Alarm 2 of 2: It is over already.', 0]);
  const last = tell(current.state, new Map([[1, bo]]), two);
  assert.deepEqual([last.say, last.state.step], ['Bo has taken it. Goodbye.', 'over']);
});

test('before the PIN nobody is told who took what', () => {
  const { state } = press(greet(secret).state, '1', secret);
  const told = tell(state, new Map([[0, { kind: 'taken', by: 'Bo' }]]), secret);
  assert.deepEqual([told.say, told.state.step], ['It is over already. Goodbye.', 'over']);
});

test('a recording is marked where its text would be read, and shown as one', () => {
  const recording = { kind: 'media', name: 'hot.wav' } as const;
  const context: VoiceMenuContext = { ...two, recordings: [recording, null] };
  const { state } = greet(context);
  const { say } = press(state, '1', context);
  const parts = partsOf(say, context.recordings ?? []);
  const said = parts.map((part) => (part.recording === undefined ? part.text : part));
  assert.deepEqual(said, ['There are 2.\nAlarm 1 of 2:', { text: 'hot', recording }, `${menu} Press 9 to take all.`]);
  assert.match(writtenOf(say, wordsIn('en')), /Alarm 1 of 2: Recording: hot\nPress 1/);
});

test('a long message does not hide the menu: its beginning is read, and all of it with 4', () => {
  const long: VoiceMenuContext = { ...plain, texts: [`Boiler ${'hot '.repeat(1_000)}`] };
  const { state, say } = press(greet(long).state, '1', long);
  assert.match(say, /^Boiler hot (?:hot )+…\nThis is the beginning\. Press 4 for all of it\.\nPress 1 to take it, /);
  assert.ok(say.length < 600, String(say.length));
  const all = press(state, '4', long);
  assert.ok(all.say.length > 1_500 && all.say.length < 1_800, 'as much as there is time for');
  assert.ok(all.say.endsWith(`…\n${menu}`));
  assert.equal(press(all.state, '1', long).effect, 'take');
});

test('a long text that is recorded is played whole', () => {
  const text = 'hot '.repeat(200);
  const played: VoiceMenuContext = { ...plain, texts: [text], recordings: [{ kind: 'media', name: 'hot.wav' }] };
  const { say } = press(greet(played).state, '1', played);
  assert.equal(partsOf(say, played.recordings ?? [])[0]?.text, text);
});
