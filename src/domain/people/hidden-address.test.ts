// A hidden address is recognised by its owner and by nobody else, wherever it stands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideAddress, hideAddressIn } from './hidden-address.ts';

test('an address is hidden but for its last three characters', () => {
  assert.deepEqual(['+33123456789', '118', ''].map(hideAddress), ['•••789', '•••', '•••']);
});

test('an address is hidden wherever a sentence repeats it, and nothing else is', () => {
  const said = '550 <Ana+1@Plant.example>: ana+1@plant.example is unknown, anaa1@plantxexample is not';
  assert.equal(
    hideAddressIn(said, 'ana+1@plant.example'),
    '550 <•••ple>: •••ple is unknown, anaa1@plantxexample is not',
  );
  assert.equal(hideAddressIn('rang in', ''), 'rang in');
  assert.equal(hideAddressIn('no such user +331$&', '+331$&'), 'no such user •••1$&');
});

test('a number is hidden with and without its plus, and not within another number', () => {
  assert.equal(hideAddressIn('answered 420: 20 s, line 20.', '20'), 'answered 420: ••• s, line •••.');
  assert.equal(
    hideAddressIn('sip:33123456789@pbx, +33123456789 and 331234567890', '+33123456789'),
    'sip:•••789@pbx, •••789 and 331234567890',
  );
});
