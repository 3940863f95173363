// The catalogues are complete: the same keys in every language, no empty text, and no text outside of them.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { de } from './de/de.ts';
import { en } from './en/en.ts';
import { fr } from './fr/fr.ts';

type Entry = readonly [path: string, value: unknown];

/** The texts of a catalogue with their paths; a list is one entry for each of its items. */
function entriesOf(value: unknown, path = ''): readonly Entry[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => entriesOf(inner, `${path}.${key}`));
}

test('every language has the keys of English, each with a text or a function of as many parameters', () => {
  const shapeOf = ([path, value]: Entry) => [path, typeof value, typeof value === 'function' ? value.length : 0];
  const english = entriesOf(en).map(shapeOf);
  assert.ok(english.length > 200);
  assert.deepEqual(entriesOf(fr).map(shapeOf), english);
  assert.deepEqual(entriesOf(de).map(shapeOf), english);
});

test('no text is empty', () => {
  for (const catalogue of [en, fr, de]) {
    const empty = entriesOf(catalogue).filter(([, value]) => typeof value === 'string' && value.trim() === '');
    assert.deepEqual(empty, [], catalogue.languageName);
  }
});

test('no component has words of its own', () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  /** Names and code are the same in every language. */
  const known = /^(?:Tocsin|admin|npx tocsin.*|FLOOD|Esc)$/;
  const found = globSync('**/*.tsx', { cwd: root }).flatMap((file) =>
    Array.from(
      readFileSync(`${root}/${file}`, 'utf8').matchAll(/[^=]>\s*([A-Za-z][^<>{}()=;]*)<\//g),
      ([, text = '']) => text.trim(),
    )
      .filter((text) => !known.test(text))
      .map((text) => `${file}: ${text}`),
  );
  assert.deepEqual(found, []);
});
