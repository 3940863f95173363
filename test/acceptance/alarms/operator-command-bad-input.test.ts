// Sends bad input, generated from the schemas, to the routes that change alarms: each is refused by field name and
// changes nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { itemOf } from '../../../src/http/route.ts';
import { routesOf } from '../../../src/routes/all-routes.ts';
import {
  badInput,
  type Case,
  mistakes,
  type Problem,
  refusedOtherwise,
  type Schema,
} from '../../harness/openapi/bad-input.ts';
import { type Answer, startTestApp } from '../../harness/site/app.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

type Values = Readonly<Record<string, unknown>>;

// The routes are only read for their schemas, never called.
const routes = routesOf({ basePath: '', registry: new Registry() } as unknown as Parameters<typeof routesOf>[0]);

/** The schema of a body, or of one item if the body is a list. */
function schemaOf(path: string): Schema {
  const body = routes.find((route) => route.method === 'POST' && route.path === `/api/v1/${path}`)?.body;
  assert.ok(body !== undefined, path);
  return (itemOf(body) ?? body) as Schema;
}

/** Every bad body for the route; `good` is a valid body. */
function casesOf(path: string, good: Values): Case[] {
  const { fieldCases, keyCases, twice, inBody } = badInput(schemaOf(path), good);
  const whole = ['5', '"x"', 'true', '[]'].map((body) => ({ label: body, body, status: 400, field: 'body' }));
  const prototype = { label: 'a prototype', body: inBody('{"__proto__":{"x":1}}'), status: 400, field: '__proto__' };
  assert.ok(fieldCases.length >= 9 * Object.keys(good).length, `${path}: ${fieldCases.length} cases`);
  return [...whole, prototype, ...fieldCases, ...keyCases, ...twice];
}

const bodies: readonly (readonly [path: string, good: Values])[] = [
  ['alarms/:id/comments', { comment: 'Bad' }],
  ['alarms/:id/mask', { until: '2026-11-15T13:00:00Z', reason: 'Bad' }],
  ['alarms/:id/acknowledge', { comment: 'Bad' }],
  ['alarms/acknowledge', { ids: [2] }],
];
const lists: readonly (readonly [path: string, good: Values])[] = [
  ['tags/values', { path: 'a', value: '2' }],
  ['alarms/batch', { path: 'a' }],
];

test('a route that needs no body refuses a body that is not an object and reports ignored fields', async (t) => {
  const app = await startTestApp(t, 'sqlite');
  const token = await app.signIn();
  const ask = (path: string, body?: unknown) => app.request('POST', `/api/v1/alarms${path}`, { token, body });
  await ask('', { path: 'a' });
  for (const [command, status] of [['reset', 422] as const, ['unmask', 409] as const]) {
    for (const body of ['[]', '5', '"x"']) {
      const one = { label: `${command} ${body}`, body, status: 400, field: 'body' };
      assert.equal(refusedOtherwise(one, await ask(`/1/${command}`, body)), undefined);
    }
    const typo = await ask(`/1/${command}`, { comment: 'in vain' });
    assert.deepEqual([typo.status, typo.headers.get('tocsin-ignored-fields')], [status, 'comment']);
    assert.equal((await ask(`/1/${command}`)).status, status);
    assert.equal((await ask(`/1/${command}`, 'null')).status, status, 'null is no body');
  }
});

testOnAnyStore(
  'every route that changes alarms refuses a bad body by the name of the field, and changes nothing',
  async (t, kind) => {
    const app = await startTestApp(t, kind);
    const token = await app.signIn();
    const ask = (method: string, path: string, body?: unknown) =>
      app.request(method, `/api/v1/${path.replace(':id', '1')}`, { token, body });
    const shown = async () => {
      const paths = ['alarms/1', 'alarms/1/timeline', 'alarms', 'alarms?alarmState=0', 'alarms/histories'];
      return Promise.all(paths.map(async (path) => (await ask('GET', path)).text));
    };
    for (const path of ['a', 'b']) await ask('POST', 'alarms', { path, value: '1' });
    const before = await shown();
    app.clock.advance(1_000);

    for (const [path, good] of bodies) {
      const wrong = await mistakes(casesOf(path, good), async (one) =>
        refusedOtherwise(one, await ask('POST', path, one.body)),
      );
      assert.deepEqual(wrong, [], path);
    }
    for (const [path, good] of lists) {
      // Intakes refuse bad items only when asked to, and then announce no refusal.
      const headers = { prefer: 'handling=strict' };
      const strictly = (body: string) => app.request('POST', `/api/v1/${path}`, { token, body, headers });
      const wrong = await mistakesInList(casesOf(path, good).filter(isRefusedStrictly), strictly);
      assert.deepEqual(wrong, [], path);
      for (const body of ['{}', '5', '"x"', 'true', 'null', '']) {
        const label = `${path}: ${body.slice(0, 20)}`;
        assert.equal(refusedOtherwise({ label, body, status: 400, field: 'body' }, await strictly(body)), undefined);
      }
    }
    assert.deepEqual(await shown(), before);

    const listed = lists.map(([path, good]) => [path, [good]] as const);
    for (const [path, good] of [...bodies, ...listed]) {
      const answer = await ask('POST', path, good);
      assert.equal(answer.status, 200, `${path} with nothing wrong: ${answer.text}`);
      assert.doesNotMatch(answer.text, /code/, path);
    }
  },
);

/** Not numbers that JSON does not tell from whole ones, and not times that count as absent. */
function isRefusedStrictly({ label }: Case): boolean {
  return !/: (?:1\.0|1e0|-0\.0)$/.test(label) && !/(?:ate|time): ""$/.test(label);
}

/** Sends the cases as lists of 50; each item must be refused by itself, in order. */
async function mistakesInList(
  cases: readonly Case[],
  send: (body: string) => Promise<Answer>,
): Promise<(string | undefined)[]> {
  const wrong: (string | undefined)[] = [];
  for (let at = 0; at < cases.length; at += 50) {
    const some = cases.slice(at, at + 50);
    const answer = await send(`[${some.map(({ body }) => body).join(',')}]`);
    assert.equal(answer.status, 200, answer.text.slice(0, 200));
    const results = answer.body as readonly (Problem & { readonly status: number })[];
    assert.equal(results.length, some.length);
    wrong.push(
      ...some.map((one, index) => {
        const body = results[index] as (typeof results)[number];
        return refusedOtherwise({ ...one, status: 400 }, { ...answer, status: body.status, body });
      }),
    );
  }
  return wrong.filter((mistake) => mistake !== undefined);
}
