// Sends bad input to POST /alarms, generated from its schema: each alarm is taken with a warning that names the field, unless
// it is one of the few bodies that are refused.

import assert from 'node:assert/strict';
import { alarmCreationSchema } from '../../../src/wire/alarms/alarm-creation.ts';
import { fc } from '../../harness/fast-check.ts';
import {
  badInput,
  type Case,
  mistakes,
  type Problem,
  refusedOtherwise,
  type Schema,
} from '../../harness/openapi/bad-input.ts';
import type { Answer } from '../../harness/site/app.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const schema = alarmCreationSchema as Schema;
const { fields, fieldCases, keyCases, twice } = badInput(schema, 'path');

const nested = (levels: number) => `{"path":"Bad","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
const wholeCases: readonly Case[] = [
  ...['[]', '5', '"x"', 'null', 'true'].map((body) => ({ label: body, body, status: 400, field: 'body' })),
  { label: 'no field', body: '{}', status: 400, field: 'path' },
  { label: 'a prototype', body: '{"path":"Bad","__proto__":{"raised":true}}', status: 400, field: '__proto__' },
  { label: '33 levels', body: nested(33), status: 400, field: `x${'[0]'.repeat(31)}` },
];

const twiceCases: readonly Case[] = [
  ...twice,
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
];

/** Values that mean what the schema wants although they look otherwise; JSON does not tell 1 from 1.0. */
const isMeant = ({ label }: Case): boolean => /: (?:1\.0|1e0|-0\.0)$/.test(label) || /ate: ""$/.test(label);

/** Without a usable path and without a message there is no alarm. */
const hasNoPath = ({ field, body }: Case): boolean => field === 'path' && /"path":(?:\{\}|\[\]|""|null)/.test(body);

/** Returns what is wrong about the answer to a body of which something cannot be used. */
function takenOtherwise(one: Case, answer: Answer): string | undefined {
  if (hasNoPath(one)) return answer.status === 400 ? undefined : `${one.label} → ${answer.status}, not 400`;
  const warnings = answer.headers.get('tocsin-warnings') ?? '';
  // Of a broken entry the entry is named.
  const [root = ''] = one.field.split(/[.[]/);
  const isNamed = isMeant(one) || warnings.includes(root);
  return answer.status === 200 && isNamed ? undefined : `${one.label} → ${answer.status} "${warnings.slice(0, 80)}"`;
}

/** How many alarms are current, how many at rest, and how many entries the history has, without those about refusals. */
async function stored(site: Site): Promise<readonly number[]> {
  const lists = [await site.alarms.list(), await site.alarms.list('?alarmState=0'), await site.alarms.histories()];
  return lists.map(({ items }) => items.filter(({ path, tagName }) => !isAboutRefusals(path ?? tagName)).length);
}

function isAboutRefusals(path: unknown): boolean {
  return String(path).startsWith('system/intake-refused/');
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

testOnAnyStore(
  'every field with every wrong type and every value out of bounds is taken with a warning',
  async (t, kind) => {
    const site = await startSite(t, kind);
    assert.ok(fields.length > 60 && fieldCases.length > 400, `${fields.length} fields, ${fieldCases.length} cases`);
    await site.create('/taggroups', { name: 'Pumps' });
    const wrong = await mistakes([...fieldCases, ...twiceCases], async (one) =>
      takenOtherwise(one, await site.request('POST', '/alarms', one.body)),
    );
    assert.deepEqual(wrong, []);
  },
);

testOnAnyStore(
  'strict handling refuses by field name what would be taken with a warning; nothing is stored',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const headers = { Prefer: 'handling=strict' };
    const some = [...fieldCases, ...twiceCases].filter((one, index) => index % 5 === 0 && !isMeant(one));
    const wrong = await mistakes(some, async (one) => {
      const answer = await site.app.request('POST', '/api/v1/alarms', { token: site.token, body: one.body, headers });
      const named = (answer.body as Problem).errors?.some(({ field }) =>
        field.startsWith(one.field.split(/[.[]/)[0] ?? ''),
      );
      const isApplied = answer.headers.get('preference-applied') === 'handling=strict';
      return answer.status === 400 && named && isApplied ? undefined : `${one.label} → ${answer.status} ${answer.text}`;
    });
    assert.deepEqual(wrong, []);
    assert.deepEqual(await stored(site), [0, 0, 0]);
  },
);

testOnAnyStore(
  'a body that is no object, has a forbidden name or is nested too deep is refused by name',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const wrong = await mistakes([...keyCases, ...wholeCases], async (one) =>
      refusedOtherwise(one, await site.request('POST', '/alarms', one.body)),
    );
    assert.deepEqual(wrong, []);
    assert.deepEqual(await stored(site), [0, 0, 0]);
  },
);

testOnAnyStore('a body that is not JSON or too large is refused and not stored', async (t, kind) => {
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
  assert.deepEqual(await stored(site), [0, 0, 0]);
});

testOnAnyStore('of a tag that exists, what cannot be used keeps what is stored', async (t, kind) => {
  const site = await startSite(t, kind);
  const action = { type: 'CallGroup', id: 7 };
  const whole = { path: 'Bad', alarmMessage: 'as it was', value: '1', priority: 2, alarmActions: [action] };
  await site.request('POST', '/alarms', whole);
  const before = await site.alarms.get(1);
  const unusable = ['[]', '"no number"', '-5', '99999999999'];
  for (const json of unusable)
    for (const field of ['priority', 'raised', 'tagGroupId', 'alarmDelay', 'eventCondition', 'location'])
      assert.equal((await site.request('POST', '/alarms', `{"path":"Bad","${field}":${json}}`)).status, 200, field);
  const after = await site.alarms.get(1);
  for (const field of ['message', 'value', 'priority', 'state', 'actions', 'location', 'tagGroupId'])
    assert.deepEqual(after[field], before[field], field);
});

testOnAnyStore(
  'a new tag takes the safe side: an unreadable priority is 1, an unreadable raised is true',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const priority = (await site.request('POST', '/alarms', { path: 'a', priority: 'urgent' })).body as number;
    const raised = { path: 'b', raised: 'perhaps', value: '1', eventCondition: { value: '>5' } };
    const id = (await site.request('POST', '/alarms', raised)).body as number;
    assert.equal((await site.alarms.get(priority)).priority, 1);
    assert.equal((await site.alarms.get(id)).state, 3);
  },
);

testOnAnyStore('every field accepts its largest value, any script and control characters', async (t, kind) => {
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

testOnAnyStore('any body that fits the schema is accepted and reads back as it was sent', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/taggroups', { name: 'Pumps' });
  await fc.assert(
    fc.asyncProperty(validBody, async (body) => {
      // One that is older than the last report of its path would leave the alarm as it is.
      const sent = await site.request('POST', '/alarms', { ...body, time: undefined });
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

testOnAnyStore(
  'a field that does not fit its schema is named in a warning in any other valid body',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.create('/taggroups', { name: 'Pumps' });
    await fc.assert(
      fc.asyncProperty(validBody, fc.constantFrom(...fieldCases), async (body, one) => {
        const wrong = Object.keys(JSON.parse(one.body)).find((key) => key === one.field.split(/[.[]/)[0]) ?? '';
        const { [wrong]: _, ...rest } = body as Record<string, unknown>;
        const isPath = wrong === 'path';
        const bad = one.body.startsWith('{"path":"Bad",')
          ? `{${one.body.slice('{"path":"Bad",'.length, -1)}`
          : one.body.slice(0, -1);
        const sent = { ...rest, ...(isPath ? { alarmMessage: 'without a path' } : {}) };
        const answer = await site.request('POST', '/alarms', `${bad},${JSON.stringify(sent).slice(1)}`);
        const mistake = takenOtherwise({ ...one, body: isPath ? '' : one.body }, answer);
        assert.ok(mistake === undefined || one.label === 'path: ""', mistake);
      }),
      { numRuns: 80 },
    );
  },
);
