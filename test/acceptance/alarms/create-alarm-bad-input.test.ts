// Sends bad input to POST /alarms, generated from its schema: each is refused by field name, and nothing is stored.

import assert from 'node:assert/strict';
import { alarmCreationSchema } from '../../../src/wire/alarms/alarm-creation.ts';
import { badInput, type Case, mistakes, type Problem, refusedOtherwise, type Schema } from '../../harness/bad-input.ts';
import { fc } from '../../harness/fast-check.ts';
import { type Site, startSite } from '../../harness/site.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';

const schema = alarmCreationSchema as Schema;
const { fields, fieldCases, keyCases, twice } = badInput(schema, 'path');

const nested = (levels: number) => `{"path":"Bad","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const wholeCases: readonly Case[] = [
  ...['[]', '5', '"x"', 'null', 'true'].map((body) => ({ label: body, body, status: 400, field: 'body' })),
  { label: 'no field', body: '{}', status: 400, field: 'path' },
  { label: 'a prototype', body: '{"path":"Bad","__proto__":{"raised":true}}', status: 400, field: '__proto__' },
  { label: 'a key twice, once escaped', body: '{"path":"Bad","p\\u0061th":"b"}', status: 400, field: 'path' },
  {
    label: 'nested twice',
    body: '{"path":"Bad","location":{"zone":"a","zone":"b"}}',
    status: 400,
    field: 'location.zone',
  },
  {
    label: 'twice in a list',
    body: '{"path":"Bad","alarmActions":[{},{"id":1,"id":1}]}',
    status: 400,
    field: 'alarmActions[1].id',
  },
  { label: '33 levels', body: nested(33), status: 400, field: `x${'[0]'.repeat(31)}` },
];

/** How many alarms are current, how many at rest, and how many entries the history has. */
async function stored(site: Site): Promise<readonly number[]> {
  const lists = [await site.alarms.list(), await site.alarms.list('?alarmState=0'), await site.alarms.histories()];
  return lists.map(({ paging }) => paging.total);
}

const text = (maxLength = 1_024) =>
  fc.string({ unit: 'binary', maxLength: Math.min(maxLength, 80) }).map((given) => given.replaceAll('\0', '\u0001'));
const dates = [
  '2026-05-31',
  '2026-05-31T08:30',
  '2026-05-31T08:30:00.123456789+05:30',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59 14:00',
];

/** Any value that fits the schema; null for some of the optional fields. */
function fitting({
  type,
  properties,
  patternProperties,
  items,
  maximum,
  maxLength,
  format,
}: Schema): fc.Arbitrary<unknown> {
  if (type === 'integer') return fc.oneof(fc.integer({ min: 0, max: maximum ?? 0 }), fc.constantFrom(0, 1, maximum));
  if (type === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true });
  if (type === 'boolean') return fc.boolean();
  if (format === 'date-time') return fc.constantFrom(...dates);
  if (type === 'string') return text(maxLength);
  if (items !== undefined) return fc.array(fitting(items), { maxLength: 4 });
  const [any] = Object.values(patternProperties ?? {});
  if (any !== undefined)
    return fc.dictionary(fc.stringMatching(/^[a-z]{2}(-[A-Z]{2})?$/), fitting(any), { maxKeys: 3 });
  const known = Object.entries(properties ?? {}).map(([key, property]) => [
    key,
    fc.option(fitting(property), { freq: 6 }),
  ]);
  return fc.record(Object.fromEntries(known), { requiredKeys: [], noNullPrototype: true });
}

const places = {
  stationId: fc.constantFrom(0, 1, null),
  dataServerId: fc.constantFrom(0, 1),
  tagGroupId: fc.constantFrom(0, 1),
};
const validBody = fc
  .tuple(fitting(schema), fc.record(places, { requiredKeys: [] }), text())
  .map(([body, place, path]) => ({
    ...(body as Record<string, unknown>),
    stationId: 0,
    dataServerId: 0,
    tagGroupId: 0,
    ...place,
    path: `p${path}`,
  }));

testOnStores(
  'every field with every wrong type and every value out of bounds is refused by name; nothing is stored',
  async (t, kind) => {
    const site = await startSite(t, kind);
    assert.ok(fields.length > 60 && fieldCases.length > 400, `${fields.length} fields, ${fieldCases.length} cases`);
    const all = [...fieldCases, ...keyCases, ...twice, ...wholeCases];
    const wrong = await mistakes(all, async (one) =>
      refusedOtherwise(one, await site.request('POST', '/alarms', one.body)),
    );
    assert.deepEqual(wrong, []);
    assert.deepEqual(await stored(site), [0, 0, 0]);
  },
);

testOnStores('a body that is not JSON, too large or of another type is refused and not stored', async (t, kind) => {
  const site = await startSite(t, kind);
  const raw = [...Array(32).keys()].map((code) => `{"path":"a${String.fromCharCode(code)}b"}`);
  for (const body of [
    ...raw,
    '{',
    '{"path":"a"',
    '{"path":"a"}x',
    "{'path':'a'}",
    '{"path":"\\x41"}',
    '{"path":01}',
    '{"path":NaN}',
    '\ufeff{"path":"a"}x',
  ]) {
    const answer = await site.request('POST', '/alarms', body);
    assert.deepEqual([answer.status, (answer.body as Problem).code], [400, 'malformed-json'], JSON.stringify(body));
  }
  assert.equal((await site.request('POST', '/alarms', '['.repeat(100_000))).status, 400);
  assert.equal((await site.request('POST', '/alarms', { path: 'Bad', resetMessage: 'x'.repeat(300_000) })).status, 413);
  assert.equal(
    (
      await site.app.request('POST', '/api/v1/alarms', {
        token: site.token,
        body: '{"path":"Bad"}',
        headers: { 'content-type': 'text/plain' },
      })
    ).status,
    415,
  );
  const refused = await site.request('POST', '/alarms', { path: 'Bad', nom: 1, stationId: 99 });
  assert.deepEqual([refused.status, refused.headers.get('tocsin-ignored-fields')], [422, 'nom']);
  const { app, token } = site;
  const bytes = Buffer.concat([Buffer.from('{"path":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  assert.equal((await fetch(`${app.url}/api/v1/alarms`, { method: 'POST', headers, body: bytes })).status, 400);
  assert.deepEqual(await stored(site), [0, 0, 0]);
});

testOnStores('a refused change leaves the stored alarm unchanged', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.request('POST', '/alarms', { path: 'Bad', alarmMessage: 'as it was', value: '1' });
  const before = (await site.request('GET', '/alarms/1')).text;
  site.app.clock.advance(1_000);
  const some = fieldCases.filter(({ field }, index) => field !== 'path' && index % 11 === 0);
  const wrong = await mistakes(some, async (one) => {
    const body = one.body.replace('{"path":"Bad"', '{"path":"Bad","value":"2","raised":false');
    const isTwice = one.field === 'value' || one.field === 'raised';
    return isTwice ? undefined : refusedOtherwise(one, await site.request('POST', '/alarms', body));
  });
  assert.deepEqual(wrong, []);
  assert.equal((await site.request('GET', '/alarms/1')).text, before);
  assert.deepEqual(await stored(site), [1, 0, 1]);
});

testOnStores('every field accepts its largest value, any script and control characters', async (t, kind) => {
  const site = await startSite(t, kind);
  const scattered = (length: number) =>
    Array.from({ length }, (_, n) => String.fromCodePoint(0x2_0000 + ((n * 7_919 + n * n * 104_729) % 0x7000))).join(
      '',
    );
  const cases = fields.flatMap(({ name, schema: { type, maximum, maxLength = 0, format }, body }) => {
    if (['stationId', 'dataServerId', 'tagGroupId'].includes(name) || format !== undefined) return [];
    if (type === 'integer') return [0, maximum].map((value) => ({ name, body: body(String(value)) }));
    if (type === 'number')
      return ['1.7976931348623157e308', '-0.0', '5e-324'].map((json) => ({ name, body: body(json) }));
    if (type !== 'string') return [];
    const full = maxLength > 10_000 ? 'x'.repeat(maxLength) : scattered(maxLength);
    return [full, '\u0001\b\t\n\f\r\u001f\u007f\u0085\u2028\ufeff\uffff'].map((value) => ({
      name,
      body: body(JSON.stringify(value)),
    }));
  });
  assert.ok(cases.length > 80);
  const wrong = await mistakes(cases, async ({ name, body }) => {
    const answer = await site.request('POST', '/alarms', body);
    return answer.status === 200 ? undefined : `${name} → ${answer.status} for ${body.slice(0, 60)}`;
  });
  assert.deepEqual(wrong, []);
  assert.equal((await site.request('POST', '/alarms', nested(32))).status, 200, '32 levels are not too many');
});

testOnStores('any body that fits the schema is accepted and reads back as it was sent', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/taggroups', { name: 'Pumps' });
  await fc.assert(
    fc.asyncProperty(validBody, async (body) => {
      const sent = await site.request('POST', '/alarms', body);
      assert.equal(sent.status, 200, sent.text);
      const read = await site.alarms.get(sent.body as number);
      assert.equal(read.path, body.path);
      const shown = [read.value, read.message, read.resetMessage, read.ackMessage, read.priority];
      const { value, alarmMessage, resetMessage, ackMessage, priority } = body as Record<string, unknown>;
      for (const [index, given] of [value, alarmMessage, resetMessage, ackMessage, priority || null].entries()) {
        if (given !== undefined && given !== null) assert.equal(shown[index], given);
      }
    }),
    { numRuns: 60 },
  );
});

testOnStores('a field that does not fit its schema is refused by name in any other valid body', async (t, kind) => {
  const site = await startSite(t, kind);
  await fc.assert(
    fc.asyncProperty(validBody, fc.constantFrom(...fieldCases), async (body, { body: bad, status, field, label }) => {
      const wrong = Object.keys(JSON.parse(bad)).find((key) => key === field.split(/[.[]/)[0]) ?? '';
      const { [wrong]: _, ...rest } = body as Record<string, unknown>;
      const start = bad.startsWith('{"path":"Bad",') ? `{${bad.slice('{"path":"Bad",'.length, -1)}` : bad.slice(0, -1);
      const answer = await site.request('POST', '/alarms', `${start},${JSON.stringify(rest).slice(1)}`);
      assert.equal(refusedOtherwise({ label, body: bad, status, field }, answer), undefined);
    }),
    { numRuns: 80 },
  );
  assert.deepEqual(await stored(site), [0, 0, 0]);
});
