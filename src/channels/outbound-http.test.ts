// Requests to private addresses are refused, in every notation of the address.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPrivateAddress, requestOutside } from './outbound-http.ts';

const privateAddresses = [
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.0.9',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '224.0.0.1',
  '255.255.255.255',
];
const publicAddresses = ['93.184.216.34', '172.32.0.1', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'];

test('private addresses are recognised in every notation', () => {
  assert.deepEqual(
    privateAddresses.filter((address) => !isPrivateAddress(address)),
    [],
  );
  assert.deepEqual(publicAddresses.filter(isPrivateAddress), []);
});

const limits = { allowsPrivate: false, timeoutMs: 60_000, mostBytes: 100 };

for (const [url, reason] of [
  ['http://example.org/x', /only https/],
  ['https://127.1/x', /private network/],
  ['https://0x7f000001/x', /private network/],
  ['https://[::ffff:7f00:1]/x', /private network/],
  ['https://localhost/x', /private network/],
  ['https://name:secret@example.org/', /must not hold a name/],
] as const) {
  test(`a request to ${url} is refused`, () => assert.rejects(requestOutside({ url, ...limits }), reason));
}
