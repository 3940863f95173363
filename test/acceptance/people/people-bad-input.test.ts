// Sends bad input, generated from the schemas, to the routes of people: each is refused by field name, and nothing is
// stored.

import assert from 'node:assert/strict';
import { scheduleBody } from '../../../src/wire/on-call/schedule.ts';
import { callGroupBody, groupingBody } from '../../../src/wire/people/call-group.ts';
import { scenarioBody } from '../../../src/wire/people/scenario.ts';
import { teamBody } from '../../../src/wire/people/team.ts';
import { userBody } from '../../../src/wire/people/user.ts';
import { badInput, type Case, mistakes, type Problem, type Schema } from '../../harness/openapi/bad-input.ts';
import type { Answer } from '../../harness/site/app.ts';
import { startSite } from '../../harness/site/site.ts';
import { type List, type Row, refusal } from '../../harness/site/site-caller.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const bodies: Readonly<Record<string, object>> = {
  users: userBody,
  teams: teamBody,
  callgroups: callGroupBody,
  callgroupgroupings: groupingBody,
  schedules: scheduleBody,
  scenarios: scenarioBody,
};

/**
 * The errors may also name a missing required field of a list entry, so the expected field need not be the only one.
 */
function refusedOtherwise({ label, status, field }: Case, { status: given, body }: Answer): string | undefined {
  const named = ((body as Problem).errors ?? []).map((error) => error.field);
  return given === status && named.includes(field) ? undefined : `${label} → ${given} ${named}, not ${status} ${field}`;
}

const number = { channel: 'voice', address: '+33123456789' };

for (const [path, schema] of Object.entries(bodies)) {
  testOnAnyStore(
    `every field of ${path} with every wrong type and every value out of bounds is refused by name`,
    async (t, kind) => {
      const site = await startSite(t, kind);
      const { fieldCases, keyCases, twice } = badInput(schema as Schema, 'name');
      const all = [...fieldCases, ...keyCases, ...twice];
      assert.ok(all.length > 40, `${all.length} cases`);
      const id = await site.create(`/${path}`, { name: 'As it was' });
      const before = [
        await site.ask('GET', `/${path}/${id}`),
        ((await site.request('GET', `/${path}`)).body as List).paging,
      ];
      const posted = await mistakes(all, async (one) =>
        refusedOtherwise(one, await site.request('POST', `/${path}`, one.body)),
      );
      assert.deepEqual(posted, []);
      const some = all.filter((_, index) => index % 7 === 0);
      const put = await mistakes(some, async (one) =>
        refusedOtherwise(one, await site.request('PUT', `/${path}/${id}`, one.body)),
      );
      assert.deepEqual(put, []);
      assert.deepEqual(
        [await site.ask('GET', `/${path}/${id}`), ((await site.request('GET', `/${path}`)).body as List).paging],
        before,
      );
    },
  );
}

testOnAnyStore('a value of the right type with an invalid meaning is refused by name', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const [fields, status, field] of [
    [{ role: 'king' }, 400, 'role'],
    [{ pin: '' }, 400, 'pin'],
    [{ pin: '1234567890' }, 400, 'pin'],
    [{ pin: '12a4' }, 400, 'pin'],
    [{ pin: '١٢٣' }, 400, 'pin'],
    [{ password: 'short' }, 422, 'password'],
    [{ password: 'password123' }, 422, 'password'],
    [{ language: 'not a language' }, 422, 'language'],
    [{ timeZone: 'Mars/Olympus' }, 422, 'timeZone'],
    [{ stationIds: [77] }, 422, 'stationIds'],
    [{ stationIds: [1, 1] }, 400, 'stationIds'],
    [{ replacedById: 77 }, 422, 'replacedById'],
    [{ numbers: [{ ...number, channel: 'Voice' }] }, 400, 'numbers[0].channel'],
    [{ numbers: [{ ...number, address: '' }] }, 400, 'numbers[0].address'],
    [{ numbers: [{ ...number, address: '+33\r\nX: y' }] }, 400, 'numbers[0].address'],
    [{ numbers: [{ ...number, address: 'a\u0085b' }] }, 400, 'numbers[0].address'],
    [{ numbers: [{ ...number, countTry: 0 }] }, 400, 'numbers[0].countTry'],
    [{ numbers: [{ ...number, countTry: 101 }] }, 400, 'numbers[0].countTry'],
    [{ numbers: [{ ...number, timeToRetry: 86_401 }] }, 400, 'numbers[0].timeToRetry'],
    [{ numbers: [{ ...number, countAck: 101 }] }, 400, 'numbers[0].countAck'],
    [{ numbers: [{ ...number, timeToAck: 86_401 }] }, 400, 'numbers[0].timeToAck'],
    [{ numbers: [{ ...number, ackAutoDefault: 2 }] }, 400, 'numbers[0].ackAutoDefault'],
    [{ numbers: [number, { ...number, scheduleId: 77 }] }, 422, 'numbers[1].scheduleId'],
  ] as const) {
    const answer = await site.request('POST', '/users', { name: 'ana', ...fields });
    assert.deepEqual(refusal(answer), [status, field], `${JSON.stringify(fields)} ${answer.text}`);
  }
  assert.deepEqual(refusal(await site.request('POST', '/teams', { name: 'A', colour: 'red' })), [400, 'colour']);
  const { text } = await site.request('POST', '/callgroups', { name: 'A', teamIds: [1, 1] });
  assert.match(text, /"teamIds must be a list of at most 1000 entries, none of them twice\."/);
  assert.equal(((await site.request('GET', '/users')).body as List).paging.total, 1);
});

testOnAnyStore('every field of a number accepts its bounds, and names accept any script', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [
    { ...number, countTry: 100, timeToRetry: 86_400, countAck: 0, timeToAck: 0, ackAutoDefault: 1 },
    { channel: 'push', address: '😀'.repeat(256) },
  ];
  const id = await site.create('/users', {
    name: '名'.repeat(256),
    firstName: '\u0001\ufeff',
    pin: '0'.repeat(9),
    numbers,
  });
  const user = await site.ask('GET', `/users/${id}`);
  assert.deepEqual([user.name, user.firstName], ['名'.repeat(256), '\u0001\ufeff']);
  assert.deepEqual(
    (user.numbers as Row[]).map(({ address, countTry }) => [address, countTry]),
    [
      ['+33123456789', 100],
      ['😀'.repeat(256), 1],
    ],
  );
});
