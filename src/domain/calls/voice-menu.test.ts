// The voice menu, key by key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnnouncedItem } from './announced.ts';
import { afterPin, greet, isLockedOut, press, type VoiceMenuContext } from './voice-menu.ts';

const menu = 'Press 1 to take it, 2 heard but keep calling others, 3 decline, 4 repeat, 5 next, 6 call me later.';
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
const news: VoiceMenuContext = { ...plain, texts: ['dry'], items: [dry] };
const secret: VoiceMenuContext = { ...plain, hasPin: true };

function nameOf(item: AnnouncedItem | undefined): string | [] {
  if (item === undefined) return [];
  return 'alarmId' in item ? `alarm ${item.alarmId}` : `cause ${item.causeId}`;
}

/** Returns the final step, the effects of the keys, and the text said last; the PIN is 42. */
function pressAll(keys: string, context: VoiceMenuContext): string {
  let { state, say } = greet(context);
  const effects: string[] = [];
  for (const key of keys) {
    const pin = state.digits;
    const step = press(state, key, context);
    ({ state, say } = step.effect === 'check-pin' ? afterPin(step.state, pin === '42', context) : step);
    if (step.effect !== undefined) effects.push([step.effect, nameOf(step.item)].flat().join(' '));
    say = [say, step.next ?? []].flat().join(' ');
  }
  const heard = say.split('\n')[0] ?? '';
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
    ['13', plain, 'over | decline | Declined. The next one is called now.'],
    ['14', plain, 'menu | hot'],
    ['15', plain, 'menu | hot'],
    ['16', plain, 'over | later | You will be called again in five minutes.'],
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
    ['113', two, 'over | take alarm 1 | decline | Declined. The next one is called now.'],
    ['116', two, 'over | take alarm 1 | later | You will be called again in five minutes.'],
    ['151', two, 'menu | take alarm 2 | You have taken it. Thank you. Alarm 1 of 2: hot'],
    ['1511', two, 'over | take alarm 2 | take alarm 1 | You have taken it. Thank you.'],
    ['111', three, 'menu | take alarm 1 | take alarm 2 | You have taken it. Thank you. Message 3 of 3: dry'],
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
