// Requests every route with each kind of invalid or insufficient token; routes come from the served OpenAPI document,
// so none is missed.

import assert from 'node:assert/strict';
import { makeToken } from '../../../src/access/token.ts';
import { scopes } from '../../../src/domain/access/access.ts';
import { startTestApp, type TestApp } from '../../harness/site/app.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

type Operation = { readonly 'x-scope': string };
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** Every route that needs no token; a new public route must be added here on purpose. */
const publicRoutes = [
  // Calendars take their key in the URL, see duty-and-readiness.test.ts.
  'GET /api/v1/callgroups/1/calendar.ics',
  'GET /api/v1/openapi-3.0.json',
  'GET /api/v1/openapi.json',
  // Shows more with a token, see site.test.ts.
  'GET /api/v1/site',
  'GET /api/v1/users/1/calendar.ics',
  'GET /health/calling',
  'GET /health/live',
  'GET /health/ready',
  'POST /api/v1/auth/login',
  // Receivers of webhooks sign their reports, see webhook.test.ts.
  'POST /api/v1/providers/1/reports',
];

async function routesOf(app: TestApp): Promise<{ method: string; path: string; scope: string }[]> {
  const { paths } = (await app.request('GET', '/api/v1/openapi.json')).body as Document;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path.replace(/\{\w+\}/g, '1'),
      scope: operation['x-scope'],
    })),
  );
}

async function makeKey(app: TestApp, token: string, name: string, given: readonly string[], expiryTime: string) {
  const answer = await app.request('POST', '/api/v1/auth/keys', { token, body: { name, scopes: given, expiryTime } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body as { id: number; token: string };
}

testOnAnyStore('every route that is not public refuses a missing, bad, expired or revoked token', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const admin = await app.signIn();
  const soon = new Date(app.clock.now() + 1_000).toISOString();
  const expired = await makeKey(app, admin, 'expired', scopes, soon);
  const revoked = await makeKey(app, admin, 'revoked', scopes, '2030-01-01');
  await app.request('DELETE', `/api/v1/auth/keys/${revoked.id}`, { token: admin });
  const ended = await app.signIn();
  await app.request('POST', '/api/v1/auth/logout', { token: ended });
  app.clock.advance(2_000);
  const bad: Record<string, string | undefined> = {
    'no token': undefined,
    garbage: 'garbage',
    'unknown token': makeToken('session').token,
    'expired key': expired.token,
    'revoked key': revoked.token,
    'ended session': ended,
  };
  const routes = await routesOf(app);
  assert.ok(routes.length > 20, 'the document lists the routes');
  const locked = routes.filter(({ scope }) => scope !== 'public');
  assert.deepEqual(
    routes
      .filter(({ scope }) => scope === 'public')
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
    publicRoutes,
  );
  const bodies = new Set<string>();
  for (const { method, path } of locked) {
    for (const [what, token] of Object.entries(bad)) {
      const answer = await app.request(method, path, { token });
      assert.equal(answer.status, 401, `${method} ${path} with ${what}`);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
      bodies.add(JSON.stringify({ ...(answer.body as object), requestId: '' }));
    }
  }
  assert.equal(bodies.size, 1, 'one and the same refusal for every bad token');
});

testOnAnyStore('every route refuses a key that has all scopes but the one of the route', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const admin = await app.signIn();
  const routes = (await routesOf(app)).filter(({ scope }) => scope !== 'public' && scope !== 'signed-in');
  for (const scope of new Set(routes.map((route) => route.scope))) {
    const others = scopes.filter((other) => other !== scope);
    assert.equal(others.length, scopes.length - 1, `${scope} is a scope`);
    const { token } = await makeKey(app, admin, `all but ${scope}`, others, '2030-01-01');
    for (const { method, path } of routes.filter((route) => route.scope === scope)) {
      const answer = await app.request(method, path, { token });
      assert.equal(answer.status, 403, `${method} ${path} without ${scope}`);
      assert.match((answer.body as { detail: string }).detail, new RegExp(scope));
    }
  }
});
