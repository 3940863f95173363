// Addresses by channel: telephone numbers of people who write spaces, dear and foreign numbers, emergency numbers, mail.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strictLimits } from '../channels/webhook-address.ts';
import { addressProblem, mayBeDialled, storedAddress } from './address-check.ts';
import { countryOf } from './telephone-number.ts';

const rules = (allowedPrefixes: readonly string[]) => ({ allowedPrefixes, webhooks: [] });

const isTaken = (channel: string, written: string, allowed: readonly string[] = []): boolean =>
  addressProblem({ channel, address: storedAddress(channel, written) }, rules(allowed)) === undefined;

test('telephone numbers are stored without the signs between their digits', () => {
  assert.equal(storedAddress('voice', ' +33 (0)1 23-45.67 89 '), '+33123456789');
  assert.equal(storedAddress('sms', '+1 (415) 555/0100'), '+14155550100');
  assert.equal(storedAddress('voice', '2 01'), '201');
  assert.equal(storedAddress('simulator', 'simulated phone'), 'simulated phone');
});

test('a telephone number has its country; only a call can go to an extension', () => {
  for (const number of ['+33123456789', '+4915112345678', '201', '900123']) assert.ok(isTaken('voice', number), number);
  for (const number of ['0123456789', '+0123456', '+33', 'ana', '+331234567890123456', '1', '1234567', '+33\r\nX: y'])
    assert.ok(!isTaken('voice', number), number);
  assert.ok(!isTaken('sms', '201'));
});

test('emergency numbers of all countries are refused, however they are written', () => {
  for (const number of '+112 0112 00112 9112 9911 133 113 115 111 100 101 119 190 112 +911 +33112 +4915 +43133 +39113'.split(
    ' ',
  ))
    assert.ok(!isTaken('voice', number), number);
  for (const number of ['+112', '112', '+33115']) assert.ok(!isTaken('sms', number), number);
  for (const number of ['9100', '9111', '1000', '1121', '+3311200']) assert.ok(isTaken('voice', number), number);
});

test('an emergency number behind a digit for the outside line is refused', () => {
  for (const number of ['9999', '0000', '9000', '9112', '9911', '0999']) assert.ok(!isTaken('voice', number), number);
  for (const number of ['9200', '915', '9001', '9121']) assert.ok(isTaken('voice', number), number);
});

test('where the countries are known, a number that is an emergency number elsewhere is an extension', () => {
  assert.match(addressProblem({ channel: 'voice', address: '190' }, rules([])) ?? '', /tolls\.allowedPrefixes/);
  assert.ok(isTaken('voice', '190', ['+33', '+4178']));
  assert.ok(!isTaken('voice', '115', ['+33']));
  assert.ok(!isTaken('voice', '1414', ['+4178']), 'a prefix within the country means the country');
  assert.ok(!isTaken('voice', '112', ['+33']), 'everywhere');
});

test('a stored emergency number is not dialled, and an extension that is one elsewhere is', () => {
  for (const number of ['112', '+112', '0112', '+33112']) assert.ok(!mayBeDialled(number, []), number);
  assert.ok(mayBeDialled('190', []), 'an upgrade takes no extension away');
  assert.ok(!mayBeDialled('190', ['+55']));
});

test('emergency, premium, personal and satellite numbers are refused', () => {
  for (const number of [
    '112',
    '911',
    '17',
    '+19005550100',
    '+881612345678',
    '+447012345678',
    '+33899123456',
    '+97912345678',
  ])
    assert.ok(!isTaken('voice', number), number);
  assert.match(addressProblem({ channel: 'sms', address: '+8816123456' }, rules([])) ?? '', /satellites/);
});

test('numbers outside the allowed countries are refused, extensions are not', () => {
  assert.ok(isTaken('voice', '+33123456789', ['+33', '+41']));
  assert.ok(!isTaken('voice', '+49301234567', ['+33', '+41']));
  assert.ok(isTaken('voice', '201', ['+33']));
});

test('a mail address has one person and one domain', () => {
  for (const address of ['ana@example.org', 'ana+ops@mail']) assert.ok(isTaken('email', address), address);
  for (const address of [
    'ana',
    'ana@',
    '@example.org',
    'a@b@c',
    'a b@c',
    'ana@ex,bo@x',
    'ána@example.org',
    'ana@x\r\nBcc: y',
  ])
    assert.ok(!isTaken('email', address), address);
});

test('the country of a number has one, two or three digits', () => {
  assert.deepEqual(
    ['+14155550100', '+79161234567', '+33123456789', '+35312345678', '+8613812345678', '201'].map(countryOf),
    ['+1', '+7', '+33', '+353', '+86', ''],
  );
});

test('a webhook is a URL that one of the providers may request', () => {
  assert.ok(isTaken('webhook', 'https://example.org/hook'));
  assert.ok(!isTaken('webhook', 'http://example.org/hook'));
  const inner = { allowHttp: true, allowPrivate: true, ports: [8080], hosts: [] };
  const number = { channel: 'webhook', address: 'http://10.0.0.1:8080/hook' };
  assert.match(addressProblem(number, rules([])) ?? '', /https/);
  assert.equal(addressProblem(number, { allowedPrefixes: [], webhooks: [strictLimits, inner] }), undefined);
});
