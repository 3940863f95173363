// What takes a provider down, and what brings it up again: its own check, and the deliveries that it carries.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterCheck, afterFailure, afterLoss, afterSuccess } from './breaker.ts';
import { type ProviderHealth, unknownHealth } from './provider.ts';

/** Down, because deliveries to three addresses failed. */
function downByAddresses(now: number): ProviderHealth {
  return ['1', '2', '3'].reduce((health, address) => afterFailure(health, 'dead', now, address), unknownHealth);
}

test('a check that passes does not undo what three addresses have shown; a delivery does, and so does time', () => {
  const down = downByAddresses(1_000);
  assert.equal(down.state, 'down');
  assert.equal(afterCheck(down, 31_000).state, 'down');
  assert.equal(afterSuccess(down, 31_000).state, 'up');
  assert.equal(afterCheck(down, 600_999).state, 'down');
  assert.equal(afterCheck(down, 601_000).state, 'up', 'ten minutes later nothing is known any more');
});

test('checks that pass between the failures of three addresses do not hide that the provider is down', () => {
  let health = unknownHealth;
  for (const [index, address] of ['1', '2', '3'].entries()) {
    health = afterFailure(health, 'dead', index * 60_000, address);
    health = afterCheck(health, index * 60_000 + 1);
  }
  assert.equal(health.state, 'down');
});

test('a check that passes ends what a check that failed has begun, whatever deliveries failed meanwhile', () => {
  let health = afterLoss(downByAddresses(1_000), 'no answer', 31_000);
  for (const at of [40_000, 80_000]) health = afterFailure(health, 'dead', at, '1');
  assert.equal(health.state, 'down');
  assert.equal(afterCheck(health, 91_000).state, 'up');
});
