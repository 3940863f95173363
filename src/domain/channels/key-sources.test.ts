// Presses of keys that come by several ways.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type KeySource, KeySources } from './key-sources.ts';

type Heard = readonly [key: string, source: KeySource, at: number];

function pressesOf(heard: readonly Heard[]): string {
  const sources = new KeySources();
  return heard
    .flatMap(([key, source, at]) => (sources.isPress(key, source, at, source !== 'tone') ? [key] : []))
    .join('');
}

for (const [name, heard, expected] of [
  [
    'one press by event and INFO is one',
    [
      ['1', 'event', 0],
      ['1', 'info', 20],
    ],
    '1',
  ],
  [
    'one press by INFO and event is one',
    [
      ['1', 'info', 0],
      ['1', 'event', 20],
    ],
    '1',
  ],
  [
    'two presses by both are two',
    [
      ['1', 'event', 0],
      ['1', 'info', 20],
      ['1', 'event', 300],
      ['1', 'info', 320],
    ],
    '11',
  ],
  [
    'after an event INFO does not count any more',
    [
      ['1', 'event', 0],
      ['2', 'info', 5_000],
    ],
    '1',
  ],
  [
    'a better source takes over with its next key',
    [
      ['1', 'info', 0],
      ['1', 'event', 20],
      ['1', 'event', 2_000],
      ['1', 'info', 2_020],
    ],
    '11',
  ],
  [
    'INFO outranks tones',
    [
      ['1', 'tone', 0],
      ['1', 'info', 100],
      ['2', 'tone', 3_000],
    ],
    '1',
  ],
  [
    'one source alone may repeat a key quickly',
    [
      ['1', 'info', 0],
      ['1', 'info', 100],
    ],
    '11',
  ],
] as readonly (readonly [string, readonly Heard[], string])[])
  test(name, () => assert.equal(pressesOf(heard), expected));

test('a call that loses its events in the middle is heard by INFO or tones from then on', () => {
  for (const source of ['info', 'tone'] as const) {
    const sources = new KeySources();
    assert.equal(sources.isPress('1', 'event', 0, true), true);
    assert.equal(sources.isPress('2', 'info', 2_000, true), false);
    assert.equal(sources.isPress('2', source, 4_000, false), true);
  }
});
