// Tests validation.ts and validation-messages.ts: what is accepted, what is ignored, and the error sentences.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { type TSchema, Type } from 'typebox';
import { fc } from '../../test/harness/fast-check.ts';
import { soak } from '../../test/harness/soak.ts';
import { AppError, type FieldError } from '../errors.ts';
import { dateTimeText } from '../wire/date-time.ts';
import { listQuery, optionalText, uint } from '../wire/paging.ts';
import { parseJson } from '../wire/strict-json.ts';
import { jsonSchemaOf } from './json-schema.ts';
import { bodyCheck, textCheck } from './validation.ts';
import { mistakesOf } from './validation-messages.ts';

function errorsOf(run: () => unknown): readonly FieldError[] {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof AppError, `threw ${error}`);
    return error.errors;
  }
  return [];
}

const alarm = Type.Object({
  path: optionalText(10),
  priority: Type.Optional(uint()),
  raised: Type.Optional(Type.Boolean()),
  note: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  eventCondition: Type.Optional(Type.Object({ value: Type.Optional(Type.String()) })),
  location: Type.Optional(
    Type.Object({ latitude: Type.Number({ minimum: -90, maximum: 90 }), date: Type.Optional(dateTimeText()) }),
  ),
  alarmActions: Type.Optional(
    Type.Array(Type.Object({ id: uint(), type: Type.Enum(['CallGroup', 'CallUser']) }), { maxItems: 3 }),
  ),
  names: Type.Optional(Type.Record(Type.String(), Type.String())),
  teamIds: Type.Optional(Type.Array(uint(), { maxItems: 1000, uniqueItems: true })),
});
const checkAlarm = bodyCheck(alarm);
const sentence = (json: string): string[] =>
  errorsOf(() => checkAlarm(parseJson(json))).map(({ field, message }) => `${field} ${message}`);

test('a body that does not fit is refused in plain sentences', () => {
  const whole = 'must be a whole number from 0 to 4294967295';
  const noneTwice = 'must be a list of at most 1000 entries, none of them twice';
  const cases: [string, string[]][] = [
    ['{"priority":-1}', [`priority ${whole}`]],
    ['{"priority":4294967296}', [`priority ${whole}`]],
    ['{"priority":1.5}', [`priority ${whole}`]],
    ['{"priority":1.0}', [`priority ${whole}`]],
    ['{"priority":1e3}', [`priority ${whole}`]],
    ['{"priority":"1"}', [`priority ${whole}`]],
    ['{"priority":[1]}', [`priority ${whole}`]],
    ['{"priority":9007199254740993}', [`priority ${whole}`]],
    ['{"path":5}', ['path must be text of at most 10 characters']],
    ['{"path":"01234567890"}', ['path must be text of at most 10 characters']],
    ['{"raised":"yes"}', ['raised must be true or false']],
    ['{"raised":1}', ['raised must be true or false']],
    ['{"note":5}', ['note must be text, or null']],
    ['{"eventCondition":[]}', ['eventCondition must be an object']],
    ['{"eventCondition":{"value":7}}', ['eventCondition.value must be text']],
    ['{"location":{}}', ['location.latitude must be given']],
    ['{"location":{"latitude":90.5}}', ['location.latitude must be a number from -90 to 90']],
    ['{"location":{"latitude":1e999}}', ['location.latitude must be a number from -90 to 90']],
    [
      '{"location":{"latitude":1,"date":"2026-02-30"}}',
      ['location.date must be an ISO 8601 date-time such as 2026-05-31T08:30:00+02:00'],
    ],
    ['{"alarmActions":{}}', ['alarmActions must be a list of at most 3 entries']],
    ['{"alarmActions":[1,1,1,1]}', ['alarmActions must be a list of at most 3 entries']],
    [
      '{"alarmActions":[{"id":1,"type":"CallUser"},{"id":1e0,"type":"x"}]}',
      [`alarmActions[1].id ${whole}`, 'alarmActions[1].type must be one of "CallGroup", "CallUser"'],
    ],
    ['{"names":{"fr":1}}', ['names.fr must be text']],
    ['{"teamIds":[1,2,1]}', [`teamIds ${noneTwice}`]],
    ['{"teamIds":1}', [`teamIds ${noneTwice}`]],
    ['{"teamIds":["a",3,"a"]}', [`teamIds ${noneTwice}`, `teamIds[0] ${whole}`, `teamIds[2] ${whole}`]],
    ['{"teamIds":[{},{}]}', [`teamIds ${noneTwice}`, `teamIds[0] ${whole}`, `teamIds[1] ${whole}`]],
    ['{"teamIds":[{"valueOf":1},{"toString":2}]}', [`teamIds[0] ${whole}`, `teamIds[1] ${whole}`]],
    [
      '{"location":{"date":5},"alarmActions":[{}],"priority":-1}',
      [
        'location.latitude must be given',
        'location.date must be an ISO 8601 date-time such as 2026-05-31T08:30:00+02:00',
        'alarmActions[0].id must be given',
        'alarmActions[0].type must be given',
        `priority ${whole}`,
      ],
    ],
    ['[]', ['body must be an object']],
    ['5', ['body must be an object']],
  ];
  for (const [json, expected] of cases) assert.deepEqual(sentence(json), expected, json);
});

test('numbers that may be fractions may be written as fractions', () => {
  assert.deepEqual(sentence('{"location":{"latitude":48.8566},"priority":3}'), []);
  assert.deepEqual(sentence('{"location":{"latitude":4.8e1}}'), []);
});

test('unknown fields are removed and listed, null in an optional field counts as absent', () => {
  const { value, ignoredFields } = checkAlarm(
    parseJson(`{"path":"a","prio":1,"priority":null,"note":null,"eventCondition":{"valeu":"x"},
      "alarmActions":[{"id":1,"type":"CallUser"},{"id":2,"type":"CallUser","flag":{"a":1}}],"names":{"fr":"x","de":null}}`),
  );
  assert.deepEqual(ignoredFields, ['prio', 'eventCondition.valeu', 'alarmActions[1].flag']);
  assert.deepEqual(value, {
    path: 'a',
    note: null,
    eventCondition: {},
    alarmActions: [
      { id: 1, type: 'CallUser' },
      { id: 2, type: 'CallUser' },
    ],
    names: { fr: 'x' },
  });
});

test('only the first 20 errors of a body are reported, and the rest is not examined', () => {
  const check = bodyCheck(Type.Array(Type.Object({ id: uint() }), { maxItems: 4_000_000 }));
  let reads = 0;
  const value = new Proxy(
    Array.from({ length: 100_000 }, () => 0),
    {
      get(entries, name) {
        reads += 1;
        return Reflect.get(entries, name);
      },
    },
  );
  assert.equal(errorsOf(() => check({ value, writtenAsFraction: [] })).length, 20);
  // Each entry is read once, and the length once before it: by tidying, before anything is validated.
  assert.ok(reads < 2 * value.length + 100, `${reads} reads`);
});

test('an error is reported exactly when Ajv refuses', () => {
  const schemas: TSchema[] = [
    alarm,
    Type.Union([uint(), Type.Object({ a: Type.String({ minLength: 1, pattern: '^a' }) }), Type.Null()]),
    Type.Array(Type.Union([Type.Literal('a'), Type.Boolean()]), { minItems: 1 }),
    Type.Object({ a: Type.Number({ minimum: 1 }), b: Type.Unknown() }),
    Type.Array(Type.Union([uint(), Type.Boolean()]), { maxItems: 5, uniqueItems: true }),
  ];
  const leaf = fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 5e9, '', 'a', 'CallUser', 'abcdefghijkl', '😀😀😀');
  const key = fc.constantFrom(
    'a',
    'b',
    'id',
    'type',
    'path',
    'priority',
    'note',
    'location',
    'latitude',
    'alarmActions',
    'valueOf',
    'toString',
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(fc.constantFrom(0, true, 'a')),
      fc.array(tie('value')),
      fc.dictionary(key, tie('value'), { noNullPrototype: true }),
    ),
  }));
  const ajv = new Ajv({ strict: true, validateFormats: false });
  const compiled = schemas.map((schema) => ({ schema: jsonSchemaOf(schema), fits: ajv.compile(schema) }));
  fc.assert(
    fc.property(fc.constantFrom(...compiled), value, ({ schema, fits }, candidate) => {
      assert.equal(mistakesOf(schema, candidate, []).length === 0, fits(candidate));
    }),
    { numRuns: soak(10_000) },
  );
});

test('query parameters are matched without case, and an empty one counts as absent', () => {
  const check = textCheck(listQuery(10, { stationId: Type.Optional(Type.Integer()) }));
  assert.deepEqual(check({ LIMIT: '5', StationId: '7', search: '' }), { limit: 5, stationId: 7 });
  assert.deepEqual(check({ Limit: '5', limit: '6' }), { limit: 6 });
});

test('query numbers are digits and nothing else', () => {
  const check = textCheck(listQuery(10, { active: Type.Optional(Type.Boolean()) }));
  for (const limit of ['0x10', ' 5', '5 ', '1e3', '+5', '-1', '1.0', '4294967296', '99999999999999999999', '٣']) {
    assert.deepEqual(
      errorsOf(() => check({ limit })),
      [{ field: 'limit', message: 'must be a whole number from 0 to 4294967295' }],
      JSON.stringify(limit),
    );
  }
  assert.deepEqual(check({ limit: '0010', active: 'false', other: 'x' }), { limit: 10, active: false });
  assert.deepEqual(check({ sort: ' id' }), { sort: ' id' });
  assert.deepEqual(errorsOf(() => check({ sort: 'name' }))[0]?.field, 'sort');
});

test('a repeated query parameter is refused, known or not', () => {
  const check = textCheck(listQuery(10, {}));
  assert.deepEqual(errorsOf(() => check({ limit: ['1', '2'] }))[0]?.message, 'is given more than once');
  assert.deepEqual(errorsOf(() => check({ utm: ['1', '2'] }))[0]?.field, 'utm');
});

test('NUL in a query is refused by name', () => {
  assert.deepEqual(errorsOf(() => textCheck(listQuery(10, {}))({ search: 'a\0' }))[0]?.field, 'search');
});
