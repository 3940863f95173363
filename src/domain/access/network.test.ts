// Tests which addresses count for one: one IPv4 address, or the /64 network of an IPv6 address.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network.ts';

const cases: readonly [address: string, network: string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::9', '2001:db8:1:2'],
  ['2001:DB8:1::5:6:7:8', '2001:db8:1:0'],
  ['2001::3:4:5:6:7:8', '2001:0:3:4'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
];

for (const [address, network] of cases) {
  test(`what comes from ${address} counts for ${network}`, () => assert.equal(networkOf(address), network));
}
