// Private addresses are recognised in every notation, those that contain an IPv4 address included.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPrivateAddress } from './private-address.ts';

const privateAddresses = [
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.0.9',
  '169.254.169.254',
  '100.64.0.1',
  '100.127.255.255',
  '198.19.0.1',
  '0.0.0.0',
  '::1',
  '::',
  '::127.0.0.1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '0:0:0:0:0:ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b:1::a00:1',
  '2002:7f00:1::',
  '2001:0:4136:e378::',
  'ff02::1',
  '224.0.0.1',
  '255.255.255.255',
  'no address',
  '1.2.3',
  '1::2::3',
];
const publicAddresses = [
  '93.184.216.34',
  '100.63.0.1',
  '100.128.0.1',
  '172.32.0.1',
  '8.8.8.8',
  '2606:4700::1111',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
];

test('private addresses are recognised in every notation', () => {
  assert.deepEqual(
    privateAddresses.filter((address) => !isPrivateAddress(address)),
    [],
  );
  assert.deepEqual(publicAddresses.filter(isPrivateAddress), []);
});
