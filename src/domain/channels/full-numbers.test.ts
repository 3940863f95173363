// Which numbers wait for a line: by the longest prefix that providers serve, and by priority.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderUse } from './choose-provider.ts';
import { fullNumbers } from './full-numbers.ts';
import { type Provider, unknownHealth } from './provider.ts';

const trunk = (id: number, countries: readonly string[], more: Partial<Provider> = {}): Provider => ({
  id,
  name: `trunk ${id}`,
  channel: 'voice',
  kind: 'sip',
  order: id,
  isEnabled: true,
  lines: 1,
  perSecond: undefined,
  perDay: undefined,
  cost: 0,
  countries,
  node: undefined,
  settings: {},
  ...more,
});
const use = (inUse: number, today = 0): ProviderUse => ({ health: unknownHealth, inUse, lastSecond: 0, today });

/** The priority from which numbers wait, by prefix; undefined: none does. */
function waitsFrom(providers: readonly Provider[], uses: Readonly<Record<number, ProviderUse>>) {
  const context = {
    providers,
    uses: new Map(Object.entries(uses).map(([id, one]) => [Number(id), one])),
    hasSimulator: false,
    nodeName: 'a',
    goneNodes: new Set<string>(),
    now: 0,
  };
  const found = fullNumbers('voice', context).map(({ prefix, fromPriority }) => [prefix, fromPriority] as const);
  return Object.fromEntries(found.map(([prefix, from]) => [prefix, from > 1_000 ? undefined : from]));
}

test('numbers wait that every provider serves without a free line, and no others', () => {
  const providers = [trunk(1, ['+33']), trunk(2, ['+331']), trunk(3, ['+49'])];
  assert.deepEqual(waitsFrom(providers, { 1: use(1) }), {
    '': undefined,
    '+33': 1,
    '+331': undefined,
    '+49': undefined,
  });
  assert.deepEqual(waitsFrom(providers, { 1: use(1), 2: use(1) }), {
    '': undefined,
    '+33': 1,
    '+331': 1,
    '+49': undefined,
  });
});

test('where the free provider carries priority 1 alone for the rest of the day, the others wait', () => {
  const providers = [trunk(1, []), trunk(2, [], { perDay: 5 })];
  assert.deepEqual(waitsFrom(providers, { 1: use(1), 2: use(0, 5) }), { '': 2 });
});
