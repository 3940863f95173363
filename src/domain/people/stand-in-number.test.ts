// When a person has a stand-in number: while the simulator is on and they have no other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContactNumber } from './person.ts';
import { withStandIn } from './stand-in-number.ts';

const [made] = withStandIn([], [], true) as [ContactNumber];
const stored = { ...made, id: 7 };
const { isStandIn: _, ...sentBack } = stored;
const voice = { ...sentBack, id: 8, channel: 'voice', address: '+33123456789' };

const cases: readonly (readonly [string, readonly [ContactNumber[], ContactNumber[], boolean], ContactNumber[]])[] = [
  ['nobody has a number that nothing rings', [[], [], false], []],
  ['a person gets one', [[], [], true], [made]],
  ['it keeps its id', [[], [stored], true], [stored]],
  ['it is known by its id when it is sent back', [[sentBack], [stored], true], [stored]],
  ['it takes what is sent', [[{ ...sentBack, countTry: 5 }], [stored], true], [{ ...stored, countTry: 5 }]],
  ['it stays when it is sent back without a simulator', [[sentBack], [stored], false], [stored]],
  ['it goes without a simulator', [[], [stored], false], []],
  ['it goes when there is another number', [[voice], [stored], true], [voice]],
  ['it goes when there is another number beside it', [[sentBack, voice], [stored], true], [voice]],
  ['a simulated phone that somebody entered is a number like others', [[sentBack], [], true], [sentBack]],
  [
    'a stand-in with another address is a number like others',
    [[{ ...sentBack, address: 'desk' }], [stored], true],
    [{ ...sentBack, address: 'desk' }],
  ],
];

test('a stand-in is stored for a person without a number, and goes with the first other one', () => {
  for (const [what, args, expected] of cases) assert.deepEqual(withStandIn(...args), expected, what);
});
