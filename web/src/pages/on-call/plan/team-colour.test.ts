// Tests team-colour.ts: no colour of a team is as loud as an alarm.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oklchOf, teamColour } from './team-colour.ts';

test('an offered hue is the one of the theme, in any case of its letters', () => {
  assert.deepEqual(teamColour('#84608C'), { light: 'var(--team-2)', dark: 'var(--team-2)' });
});

test('another colour keeps its hue, and its chroma is at most that of the offered ones', () => {
  const offered = ['#5d6f96', '#6e7f45', '#84608c', '#96694c', '#3f7a68', '#4e7587', '#8c5662', '#877437'];
  const loudest = Math.max(...offered.map((colour) => oklchOf(colour).chroma));
  assert.deepEqual(teamColour('#ff0000'), { light: 'oklch(0.54 0.084 29.2)', dark: 'oklch(0.67 0.084 29.2)' });
  assert.ok(Math.abs(loudest - 0.084) < 0.001, `${loudest}`);
});

test('grey stays grey, and what is no colour is grey', () => {
  assert.match(teamColour('#808080').light, /^oklch\(0\.54 0\.000 /);
  assert.match(teamColour('').light, /^oklch\(0\.54 0\.000 /);
});
