// `/.well-known/security.txt` (RFC 9116) names the contact that the operators have set, and nobody else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../harness/site/app.ts';

const path = '/.well-known/security.txt';

test('security.txt names the contact of the installation, with an end less than a year away; without one it is 404', async (t) => {
  const overrides = { TOCSIN_SECURITY_CONTACT: 'mailto:security@example.org' };
  const named = await startTestApp(t, 'sqlite', { overrides });
  const response = await fetch(`${named.url}${path}`);
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  const [, contact, expires = ''] = /^Contact: (.*)\nExpires: (.*)\n$/.exec(await response.text()) ?? [];
  assert.equal(contact, 'mailto:security@example.org');
  const days = (Date.parse(expires) - named.clock.now()) / 86_400_000;
  assert.ok(days > 30 && days < 365, expires);

  const unnamed = await startTestApp(t, 'sqlite');
  assert.equal((await unnamed.request('GET', path)).status, 404);
});
