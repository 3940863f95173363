// The conversation of a call, key by key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterPin, greet, isLockedOut, press, type ScriptScene } from './voice-script.ts';

const plain: ScriptScene = { language: 'en', firstName: 'Ana', texts: ['hot'], total: 1, hasPin: false };
const two: ScriptScene = { ...plain, texts: ['hot', 'wet'], total: 2 };
const secret: ScriptScene = { ...plain, hasPin: true };

/** The steps, what was said last in short, and what the keys asked for; `#` compares with 42. */
function talk(keys: string, scene: ScriptScene): string {
  let { state, say } = greet(scene);
  const effects: string[] = [];
  for (const key of keys) {
    const pin = state.digits;
    const step = press(state, key, scene);
    ({ state, say } = step.effect === 'check-pin' ? afterPin(step.state, pin === '42', scene) : step);
    if (step.effect !== undefined) effects.push(step.effect);
  }
  const heard = say.split('\n')[0]?.slice(0, 30) ?? '';
  return [state.step, ...effects, heard].join(' | ');
}

test('what keys do', () => {
  const table: readonly [keys: string, scene: ScriptScene, expected: string][] = [
    ['', plain, 'human | Hello Ana, this is Tocsin with'],
    ['2', plain, 'human | Press 1 to hear the alarm.'],
    ['*', plain, 'human | Press 1 to hear the alarm.'],
    ['1', plain, 'menu | hot'],
    ['11', plain, 'over | take | You have taken it. Thank you.'],
    ['12', plain, 'over | heard | Heard. Others are still being '],
    ['13', plain, 'over | decline | Declined. The next one is call'],
    ['14', plain, 'menu | hot'],
    ['15', plain, 'menu | hot'],
    ['16', plain, 'over | later | You will be called again in fi'],
    ['10', plain, 'menu | Press 1 to take it, 2 heard bu'],
    ['19', plain, 'menu | Press 1 to take it, 2 heard bu'],
    ['1112', plain, 'over | take | '],
    ['1', two, 'menu | Alarm 1 of 2: hot'],
    ['15', two, 'menu | Alarm 2 of 2: wet'],
    ['154', two, 'menu | Alarm 2 of 2: wet'],
    ['155', two, 'menu | Alarm 1 of 2: hot'],
    ['1', secret, 'pin | Enter your PIN and end with th'],
    ['142#', secret, 'menu | check-pin | hot'],
    ['142#1', secret, 'over | check-pin | take | You have taken it. Thank you.'],
    ['141#', secret, 'pin | check-pin | That PIN is wrong. Try again.'],
    ['141#42#', secret, 'menu | check-pin | check-pin | hot'],
    ['1#1#1#', secret, 'over | check-pin | check-pin | check-pin | That PIN is wrong. Goodbye.'],
    ['1*42#', secret, 'menu | check-pin | hot'],
  ];
  for (const [keys, scene, expected] of table) assert.equal(talk(keys, scene), expected, `keys "${keys}"`);
});

test('only wrong PINs lock out', () => {
  const over = { step: 'over', digits: '', place: 0 } as const;
  assert.equal(isLockedOut({ ...over, pinTries: 3 }), true);
  assert.equal(isLockedOut({ ...over, pinTries: 2 }), false);
  assert.equal(isLockedOut({ ...over, step: 'pin', pinTries: 3 }), false);
});

test('languages: by the first part, English for any other', () => {
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
