// Which provider carries a delivery: order, health, capacity, prefixes and nodes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterFailure, afterSuccess } from './breaker.ts';
import { channelsUp, chooseProvider, type ProviderUse } from './choose-provider.ts';
import { type Provider, type ProviderHealth, unknownHealth } from './provider.ts';

const trunk = (id: number, more: Partial<Provider> = {}): Provider => ({
  id,
  name: `trunk ${id}`,
  channel: 'voice',
  kind: 'sip',
  order: id,
  isEnabled: true,
  lines: undefined,
  perSecond: undefined,
  perDay: undefined,
  cost: 0,
  countries: [],
  node: undefined,
  settings: {},
  ...more,
});
const simulator = trunk(9, { kind: 'simulator', channel: 'simulator' });

const use = (more: Partial<ProviderUse> = {}): ProviderUse => ({
  health: unknownHealth,
  inUse: 0,
  lastSecond: 0,
  today: 0,
  ...more,
});

function choose(
  providers: readonly Provider[],
  uses: Readonly<Record<number, ProviderUse>> = {},
  tried: number[] = [],
) {
  const number = { channel: 'voice', address: '+33123', priority: 3 };
  const byId = new Map(Object.entries(uses).map(([id, one]) => [Number(id), one]));
  const context = {
    providers,
    uses: byId,
    hasSimulator: true,
    nodeName: 'a',
    goneNodes: new Set(['gone']),
    now: 100_000,
  };
  const choice = chooseProvider(number, tried, context);
  return choice.kind === 'use' ? choice.provider.id : choice.kind === 'wait' ? 'wait' : choice.reason;
}

test('the lowest order comes first, then the next that was not tried', () => {
  assert.equal(choose([trunk(2), trunk(1)]), 1);
  assert.equal(choose([trunk(1), trunk(2)], {}, [1]), 2);
  assert.equal(choose([trunk(1), trunk(2)], {}, [1, 2]), 'down');
});

test('a provider without a free line is passed over, and waited for when there is no other', () => {
  const full = { 1: use({ inUse: 2 }) };
  assert.equal(choose([trunk(1, { lines: 2 }), trunk(2)], full), 2);
  assert.equal(choose([trunk(1, { lines: 2 })], full), 'wait');
  assert.equal(choose([trunk(1, { perSecond: 3 })], { 1: use({ lastSecond: 3 }) }), 'wait');
});

test('a provider is used only for its prefixes and on its node', () => {
  assert.equal(choose([trunk(1, { countries: ['+49'] })]), 'not-served');
  assert.equal(choose([trunk(1, { countries: ['+49', '+33'] })]), 1);
  assert.equal(choose([trunk(1, { node: 'b' })]), 'wait', 'another node takes it');
  assert.equal(choose([trunk(1, { node: 'a' })]), 1);
  assert.equal(choose([trunk(1, { node: 'gone' })]), 'down', 'no node would ever take it');
  assert.equal(choose([trunk(1, { node: 'gone' }), trunk(2)]), 2);
});

test('a provider that works on another node is left to that node, and not passed over', () => {
  assert.equal(choose([trunk(1, { node: 'b' }), trunk(2)]), 'wait');
  assert.equal(choose([trunk(1, { node: 'b' }), trunk(2)], {}, [1]), 2, 'it was asked already');
  assert.equal(choose([trunk(1, { node: 'b', lines: 1 }), trunk(2)], { 1: use({ inUse: 1 }) }), 2, 'it has no line');
  assert.equal(choose([trunk(2, { lines: 1 }), trunk(3, { node: 'b' })], { 2: use({ inUse: 1 }) }), 'wait');
});

test('the simulator serves every channel until there is a real provider', () => {
  assert.equal(choose([simulator]), 9);
  assert.equal(choose([simulator, trunk(1, { channel: 'sms' })]), 'not-set-up');
  assert.equal(choose([simulator, trunk(1, { isEnabled: false })]), 9);
  const sms = trunk(2, { channel: 'sms' });
  assert.equal(choose([sms, trunk(1, { isEnabled: false })]), 'switched-off', 'it may be on again soon');
  assert.equal(choose([sms, trunk(1, { isEnabled: false, kind: 'simulator', channel: 'sms' })]), 'not-set-up');
  assert.equal(channelsUp([simulator], true), 'all');
  assert.deepEqual(channelsUp([simulator], false), []);
  assert.deepEqual(channelsUp([simulator, trunk(1)], true), ['voice']);
});

test('failures for three addresses take a provider out; one delivery after half a minute tries it again', () => {
  let health: ProviderHealth = unknownHealth;
  for (const address of ['1', '2']) health = afterFailure(health, 'refused', 70_000, address);
  assert.equal(choose([trunk(1)], { 1: use({ health }) }), 1);
  health = afterFailure(health, 'refused', 70_001, '3');
  assert.equal(health.state, 'down');
  assert.equal(choose([trunk(1)], { 1: use({ health }) }), 'down', 'not yet');
  const due = { ...health, probeAt: 100_000 };
  assert.equal(choose([trunk(1)], { 1: use({ health: due }) }), 1);
  assert.equal(choose([trunk(1)], { 1: use({ health: due, inUse: 1 }) }), 'down', 'one at a time');
  assert.deepEqual(afterSuccess(due, 100_000), {
    state: 'up',
    since: 100_000,
    failures: 0,
    failed: [],
    probeAt: 0,
    reason: '',
  });
});

test('an address that fails by itself never takes a provider down for others (M5)', () => {
  let health: ProviderHealth = unknownHealth;
  for (let minute = 0; minute < 60; minute++) {
    health = afterFailure(health, 'no route', minute * 60_000, 'dead');
    health = afterSuccess(health, minute * 60_000 + 1);
  }
  assert.equal(health.state, 'up');
  // Of the addresses tried since the last success every one failed twice, half a minute apart.
  const twice = afterFailure(afterFailure(health, 'no route', 4_000_000, 'dead'), 'no route', 4_030_000, 'dead');
  assert.equal(twice.state, 'down');
  const soon = afterFailure(afterFailure(health, 'no route', 4_000_000, 'dead'), 'no route', 4_029_999, 'dead');
  assert.equal(soon.state, 'up');
  const other = afterFailure(soon, 'no route', 4_030_001, 'other');
  assert.equal(other.state, 'up', 'the other one has failed once');
});

test('of the providers of webhooks the first whose limits allow the address carries it', () => {
  const hooks = (id: number, settings: object) =>
    trunk(id, { channel: 'webhook', kind: 'webhook', settings: { ...settings } });
  const number = { channel: 'webhook', address: 'https://hooks.example:9443/ana', priority: 1 };
  const context = { uses: new Map(), hasSimulator: false, nodeName: 'a', goneNodes: new Set<string>(), now: 0 };
  const chosen = (...providers: Provider[]) => {
    const choice = chooseProvider(number, [], { ...context, providers });
    return choice.kind === 'use' ? choice.provider.id : choice;
  };
  assert.equal(chosen(hooks(1, {}), hooks(2, { ports: [9443] })), 2);
  assert.equal(chosen(hooks(1, { ports: [9443], hosts: ['other.example'] }), hooks(2, { ports: [9443] })), 2);
  assert.equal(chosen(hooks(1, {}), hooks(2, { ports: [9444] })), 1, 'it says what it does not allow');
});
