// Tests alarm-creation.ts: the fields of section 2.6, their limits, and the parsed result.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../errors.ts';
import { bodyCheck } from '../../http/validation.ts';
import { parseJson } from '../strict-json.ts';
import { type AlarmCreationBody, alarmCreationSchema, readAlarmCreation } from './alarm-creation.ts';

const check = bodyCheck(alarmCreationSchema);
const read = (body: unknown) => readAlarmCreation(check(parseJson(JSON.stringify(body))).value as AlarmCreationBody);

/** Returns the fields a body is refused for; empty if it is accepted. */
function refusedFor(body: unknown): readonly string[] {
  try {
    read(body);
    return [];
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    assert.equal(error.code, 'invalid-input');
    return error.errors.map(({ field }) => field);
  }
}

const texts = (of: string) =>
  ['Message', 'Format', 'ShortMessage', 'VocalMessageFile', 'AttachedFile', 'Actions'].map((part) => `${of}${part}`);

test('the schema has the fields of section 2.6 in order and then the additions, none required', () => {
  const { properties } = alarmCreationSchema;
  assert.deepEqual(Object.keys(properties), [
    ...[
      'stationId',
      'dataServerId',
      'path',
      'raised',
      'tagGroupId',
      'priority',
      'temporary',
      'eventCondition',
      'value',
    ],
    ...[
      'location',
      'alarmDelay',
      ...texts('alarm'),
      ...texts('reset'),
      ...texts('ack'),
      'names',
      'consequence',
      'instructions',
      'time',
    ],
  ]);
  const { eventCondition, location, alarmActions } = properties;
  assert.deepEqual(Object.keys(eventCondition.properties), ['value', 'transitory', 'reactivatable', 'resettable']);
  assert.deepEqual(Object.keys(location.properties), [
    ...['latitude', 'longitude', 'horizontalAccuracy', 'altitude', 'verticalAccuracy', 'date', 'beaconList', 'zone'],
  ]);
  const beacon = location.properties.beaconList.items;
  assert.deepEqual(Object.keys(beacon.properties), ['id', 'name', 'type', 'accuracy', 'date']);
  assert.deepEqual(Object.keys(alarmActions.items.properties), ['id', 'type', 'scriptId', 'parameter', 'flags']);
  for (const schema of [alarmCreationSchema, eventCondition, location, beacon, alarmActions.items]) {
    assert.deepEqual(schema.required ?? [], []);
  }
});

test('a path or a message is enough, and one of them is needed', () => {
  assert.deepEqual(read({ path: 'a' }), { path: 'a', definition: {} });
  const named = { definition: { alarm: { message: 'Fire' } } };
  assert.deepEqual(read({ alarmMessage: 'Fire' }), named);
  assert.deepEqual(read({ path: '', alarmMessage: 'Fire' }), named);
  for (const body of [{}, { path: '' }, { path: null, alarmMessage: '' }, { resetMessage: 'x' }]) {
    assert.deepEqual(refusedFor(body), ['path'], JSON.stringify(body));
  }
});

test('default values that typed clients send for unset fields count as absent', () => {
  const zeros = { stationId: 0, dataServerId: 0, tagGroupId: 0, priority: 0, raised: null, alarmActions: null };
  assert.deepEqual(read({ path: 'a', ...zeros }), { path: 'a', definition: {} });
  const location = { zone: 'Hall', date: '', beaconList: [null, { id: 'b1', date: '' }] };
  const change = read({ path: 'a', alarmActions: [null, { type: 'PlaySound' }, null], location }).definition;
  assert.deepEqual(change.location, { zone: 'Hall', beaconList: [{ id: 'b1' }] });
  assert.deepEqual(change.alarm?.actions, [{ type: 'PlaySound', id: 0, scriptId: 0, parameter: '', flags: 0 }]);
});

test('absent fields stay absent; false, 0, empty text and empty lists are values', () => {
  const body = {
    path: 'a',
    raised: false,
    temporary: false,
    alarmDelay: 0,
    value: '',
    resetMessage: '',
    ackActions: [],
  };
  assert.deepEqual(read({ ...body, eventCondition: { value: '', resettable: false }, location: {}, names: {} }), {
    path: 'a',
    raised: false,
    value: '',
    definition: {
      names: {},
      temporary: false,
      alarmDelay: 0,
      condition: { value: '', resettable: false },
      location: {},
      reset: { message: '' },
      ack: { actions: [] },
    },
  });
});

test('every field is mapped to its part of the result', () => {
  const of = (occasion: string) =>
    Object.fromEntries(texts(occasion).map((field) => [field, field.endsWith('Actions') ? [] : field]));
  const expected = (occasion: string) => ({
    message: `${occasion}Message`,
    format: `${occasion}Format`,
    shortMessage: `${occasion}ShortMessage`,
    vocalMessageFile: `${occasion}VocalMessageFile`,
    attachedFile: `${occasion}AttachedFile`,
    actions: [],
  });
  const identity = { stationId: 1, dataServerId: 2, path: 'a', raised: true, tagGroupId: 3, priority: 4, value: '5' };
  const body = { ...identity, names: { fr: 'x' }, temporary: true, alarmDelay: 6, ...of('alarm'), ...of('reset') };
  assert.deepEqual(read({ ...body, ...of('ack'), eventCondition: { transitory: true, reactivatable: true } }), {
    ...identity,
    definition: {
      names: { fr: 'x' },
      temporary: true,
      alarmDelay: 6,
      condition: { transitory: true, reactivatable: true },
      alarm: expected('alarm'),
      reset: expected('reset'),
      ack: expected('ack'),
    },
  });
});

test('an action of unknown or missing type is accepted', () => {
  const alarmActions = [{ type: 'callgroup', id: 7 }, { type: 'Teleport', scriptId: 9, flags: 2 }, {}];
  const none = { type: '', id: 0, scriptId: 0, parameter: '', flags: 0 };
  assert.deepEqual(read({ path: 'a', alarmActions }).definition.alarm?.actions, [
    { ...none, type: 'CallGroup', id: 7 },
    { ...none, type: 'Teleport', scriptId: 9, flags: 2 },
    none,
  ]);
});

test('beacon types are case-insensitive; unknown types and other fields of a location are preserved', () => {
  const beaconList = ['NFC', 'wifi', 'undefined', 'LoRa'].map((type) => ({ id: 'b', type, accuracy: 1.5 }));
  const location = { latitude: 91.5, longitude: -200, date: '2026-05-31T08:30:00', zone: 'North', beaconList };
  assert.deepEqual(
    read({ path: 'a', location: { ...location, beaconList: [...beaconList, { name: 'bare' }] } }).definition.location,
    {
      ...location,
      beaconList: [
        ...['Nfc', 'Wifi', 'Undefined', 'LoRa'].map((type) => ({ id: 'b', type, accuracy: 1.5 })),
        { name: 'bare' },
      ],
    },
  );
});

const long = (length: number): string => 'é'.repeat(length);
const list = (length: number) => Array.from({ length }, () => ({}));
const bounds: readonly [field: string, taken: object, refused: object][] = [
  ['stationId', { stationId: 4_294_967_295 }, { stationId: 4_294_967_296 }],
  ['priority', { priority: 4_294_967_295 }, { priority: -1 }],
  ['alarmDelay', { alarmDelay: 4_294_967_295 }, { alarmDelay: 1.5 }],
  ['tagGroupId', { tagGroupId: 1 }, { tagGroupId: '1' }],
  ['raised', { raised: true }, { raised: 1 }],
  ['path', { path: long(1_024) }, { path: long(1_025) }],
  ['value', { value: long(1_024) }, { value: long(1_025) }],
  ['value', { value: '5' }, { value: 5 }],
  ['alarmMessage', { alarmMessage: long(65_536) }, { alarmMessage: long(65_537) }],
  ['ackShortMessage', { ackShortMessage: long(65_536) }, { ackShortMessage: long(65_537) }],
  ['resetFormat', { resetFormat: long(1_024) }, { resetFormat: long(1_025) }],
  ['alarmAttachedFile', { alarmAttachedFile: long(1_024) }, { alarmAttachedFile: long(1_025) }],
  ['alarmActions', { alarmActions: list(1_000) }, { alarmActions: list(1_001) }],
  ['resetActions[0].flags', { resetActions: [{ flags: 2 }] }, { resetActions: [{ flags: -2 }] }],
  ['location.beaconList', { location: { beaconList: list(1_000) } }, { location: { beaconList: list(1_001) } }],
  ['location.date', { location: { date: '2026-05-31' } }, { location: { date: 'yesterday' } }],
  [
    'location.beaconList[0].date',
    { location: { beaconList: [{ date: null }] } },
    { location: { beaconList: [{ date: ' ' }] } },
  ],
  ['eventCondition.value', { eventCondition: { value: '>5' } }, { eventCondition: { value: 5 } }],
  ['names.fr', { names: { fr: long(1_024) } }, { names: { fr: long(1_025) } }],
  ['names.f\nr', { names: { 'f\nr': 'x' } }, { names: { 'f\nr': 5 } }],
];

for (const [field, taken, refused] of bounds) {
  test(`${JSON.stringify(refused).slice(0, 60)} is refused by name, its neighbour is accepted`, () => {
    assert.deepEqual(refusedFor({ path: 'a', ...taken }), []);
    assert.deepEqual(refusedFor({ path: 'a', ...refused }), [field]);
  });
}
