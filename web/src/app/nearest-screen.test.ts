// Tests nearest-screen.ts: an address leads to the screen it is most like, and to none that it is not like.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestPath } from './nearest-screen.ts';

const named = [
  ['/alarms', 'Alarmes'],
  ['/history', 'Historique'],
  ['/oncall', 'Astreinte'],
  ['/calls', 'Appels'],
  ['/system', 'Système'],
] as const;

test('L15: the nearest screen is found by its address and by its name in the language of the console', () => {
  for (const [address, path] of [
    ['/on-call', '/oncall'],
    ['/Alarm', '/alarms'],
    ['/historique/12', '/history'],
    ['/systeme', '/system'],
    ['/appel', '/calls'],
  ] as const)
    assert.equal(nearestPath(address, named), path, address);
});

test('L15: an address that is like no screen names none', () => {
  for (const address of ['/', '/wp-login.php', '/x']) assert.equal(nearestPath(address, named), undefined, address);
});
