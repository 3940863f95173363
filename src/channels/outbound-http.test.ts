// Which addresses count as private, however they are written.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPrivateAddress, requestOutside } from './outbound-http.ts';

const ours = [
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
const others = ['93.184.216.34', '172.32.0.1', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8'];

test('private addresses, in every spelling', () => {
  assert.deepEqual(
    ours.filter((address) => !isPrivateAddress(address)),
    [],
  );
  assert.deepEqual(others.filter(isPrivateAddress), []);
});

const asked = { allowsPrivate: false, timeoutMs: 60_000, mostBytes: 100 };

for (const [url, reason] of [
  ['http://example.org/x', /only https/],
  ['https://127.1/x', /private network/],
  ['https://0x7f000001/x', /private network/],
  ['https://[::ffff:7f00:1]/x', /private network/],
  ['https://localhost/x', /private network/],
  ['https://name:secret@example.org/', /must not hold a name/],
] as const) {
  test(`${url} is not asked`, () => assert.rejects(requestOutside({ url, ...asked }), reason));
}
