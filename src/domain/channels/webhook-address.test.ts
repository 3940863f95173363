// Which URLs may be stored for a person and requested.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { strictLimits, webhookAddressProblem } from './webhook-address.ts';

for (const [url, reason] of [
  ['example.org/hook', /must be a URL/],
  ['http://example.org/hook', /plain HTTP is not allowed, unless the provider has allowHttp/],
  ['ftp://example.org/hook', /must begin with https/],
  ['https://name@example.org/hook', /name or password/],
  ['https://:word@example.org/hook', /name or password/],
  ['https://example.org/hook#part', /fragment/],
  ['https://127.1/hook', /is an address of a private network: the provider allows it with allowPrivate/],
  ['https://0x7f000001/hook', /private network/],
  ['https://[::ffff:7f00:1]/hook', /private network/],
  ['https://①②⑦.0.0.1/hook', /private network/],
  ['https://169.254.169.254/latest/meta-data', /private network/],
  ['https://example.org:25/hook', /port 25: the provider allows it with ports/],
  [`https://example.org/${'x'.repeat(2_048)}`, /2048/],
] as const)
  test(`${url.slice(0, 60)} is refused`, () => assert.match(webhookAddressProblem(url, strictLimits) ?? '', reason));

test('https addresses of names are allowed, names in other scripts as well', () => {
  for (const url of ['https://example.org/hook?key=1', 'https://example.org:8443/', 'https://bücher.example/hook'])
    assert.equal(webhookAddressProblem(url, strictLimits), undefined);
});

test('a provider may allow plain HTTP, private addresses and ports, or name the only hosts', () => {
  const inner = { ...strictLimits, allowHttp: true, allowPrivate: true, ports: [8080] };
  assert.equal(webhookAddressProblem('http://192.168.0.9:8080/hook', inner), undefined);
  const one = { ...strictLimits, hosts: ['hooks.example.org'] };
  assert.equal(webhookAddressProblem('https://hooks.example.org/x', one), undefined);
  assert.match(webhookAddressProblem('https://other.example.org/x', one) ?? '', /does not allow/);
});
