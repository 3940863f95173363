// Tests recurrence-rule.ts. The expected days are those of python-dateutil, with which 6,000 random rules were
// compared.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printDate, readDate } from './civil-time.ts';
import { occurrencesOf, readRule } from './recurrence-rule.ts';

const rules: readonly (readonly [start: string, rule: string, days: string])[] = [
  ['2020-02-29', 'FREQ=YEARLY', '2028-02-29'],
  ['2021-01-31', 'FREQ=YEARLY;BYMONTH=2,3', '2026-03-31 2027-03-31 2028-03-31'],
  ['2020-05-25', 'FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO', '2026-05-25 2027-05-31 2028-05-29'],
  [
    '2020-01-01',
    'FREQ=YEARLY;BYMONTH=1,9;BYDAY=1MO,-1FR',
    '2026-01-05 2026-01-30 2026-09-07 2026-09-25 2027-01-04 2027-01-29 2027-09-06 2027-09-24 2028-01-03 2028-01-28 2028-09-04 2028-09-29',
  ],
  ['2020-01-01', 'FREQ=YEARLY;BYDAY=20MO', '2026-05-18 2027-05-17 2028-05-15'],
  ['2020-01-01', 'FREQ=YEARLY;BYDAY=-1FR', '2026-12-25 2027-12-31 2028-12-29'],
  [
    '2020-01-01',
    'FREQ=YEARLY;BYYEARDAY=1,100,-1',
    '2026-01-01 2026-04-10 2026-12-31 2027-01-01 2027-04-10 2027-12-31 2028-01-01 2028-04-09 2028-12-31',
  ],
  ['2020-01-01', 'FREQ=YEARLY;BYYEARDAY=366', '2028-12-31'],
  [
    '2020-01-01',
    'FREQ=YEARLY;BYMONTHDAY=-1;BYMONTH=2,4',
    '2026-02-28 2026-04-30 2027-02-28 2027-04-30 2028-02-29 2028-04-30',
  ],
  ['2020-01-01', 'FREQ=YEARLY;BYMONTHDAY=13;BYDAY=FR', '2026-02-13 2026-03-13 2026-11-13 2027-08-13 2028-10-13'],
  ['2020-01-01', 'FREQ=YEARLY;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;INTERVAL=4', '2028-11-07'],
  [
    '2020-01-01',
    'FREQ=YEARLY;BYMONTH=1,12;BYDAY=SA;BYSETPOS=1,-1',
    '2026-01-03 2026-12-26 2027-01-02 2027-12-25 2028-01-01 2028-12-30',
  ],
  ['2020-01-01', 'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', '2026-12-31 2027-12-31 2028-12-29'],
  ['2020-01-01', 'FREQ=YEARLY;BYMONTH=5,10;BYSETPOS=2;COUNT=8', '2026-10-01 2027-10-01'],
  [
    '2026-01-31',
    'FREQ=MONTHLY;COUNT=9',
    '2026-01-31 2026-03-31 2026-05-31 2026-07-31 2026-08-31 2026-10-31 2026-12-31 2027-01-31 2027-03-31',
  ],
  ['2026-01-01', 'FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=5', '2026-01-31 2026-02-28 2026-03-31 2026-04-30 2026-05-31'],
  [
    '2026-01-01',
    'FREQ=MONTHLY;BYMONTHDAY=31;INTERVAL=3;COUNT=5',
    '2026-01-31 2026-07-31 2026-10-31 2027-01-31 2027-07-31',
  ],
  [
    '2025-07-02',
    'FREQ=MONTHLY;INTERVAL=3;BYMONTH=1,4,8',
    '2026-01-02 2026-04-02 2027-01-02 2027-04-02 2028-01-02 2028-04-02',
  ],
  [
    '2026-01-01',
    'FREQ=MONTHLY;BYDAY=5WE',
    '2026-04-29 2026-07-29 2026-09-30 2026-12-30 2027-03-31 2027-06-30 2027-09-29 2027-12-29 2028-03-29 2028-05-31 2028-08-30 2028-11-29',
  ],
  [
    '2026-01-01',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;UNTIL=20260531',
    '2026-01-30 2026-02-27 2026-03-31 2026-04-30 2026-05-29',
  ],
  ['2026-01-01', 'FREQ=MONTHLY;BYMONTHDAY=15,16,17;BYSETPOS=-2;COUNT=3', '2026-01-16 2026-02-16 2026-03-16'],
  ['2026-01-01', 'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=6', '2026-01-06 2027-01-06 2028-01-06'],
  [
    '2028-01-01',
    'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=SU,TU;COUNT=6',
    '2028-01-09 2028-01-11 2028-01-23 2028-01-25 2028-02-06 2028-02-08',
  ],
  [
    '2028-01-01',
    'FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=SU,TU;COUNT=6',
    '2028-01-02 2028-01-11 2028-01-16 2028-01-25 2028-01-30 2028-02-08',
  ],
  ['2026-01-01', 'FREQ=WEEKLY;BYMONTH=7;UNTIL=20261231', '2026-07-02 2026-07-09 2026-07-16 2026-07-23 2026-07-30'],
  ['2026-01-05', 'FREQ=WEEKLY;BYDAY=MO,WE,FR;BYSETPOS=2;COUNT=3', '2026-01-07 2026-01-14 2026-01-21'],
  ['2025-12-24', 'FREQ=DAILY;COUNT=10', '2026-01-01 2026-01-02'],
  [
    '2025-01-01',
    'FREQ=DAILY;INTERVAL=100',
    '2026-02-05 2026-05-16 2026-08-24 2026-12-02 2027-03-12 2027-06-20 2027-09-28 2028-01-06 2028-04-15 2028-07-24 2028-11-01',
  ],
  [
    '2025-01-01',
    'FREQ=DAILY;BYMONTH=12;BYMONTHDAY=-1,25',
    '2026-12-25 2026-12-31 2027-12-25 2027-12-31 2028-12-25 2028-12-31',
  ],
  [
    '2027-01-01',
    'FREQ=DAILY;BYDAY=SA;BYMONTH=2',
    '2027-02-06 2027-02-13 2027-02-20 2027-02-27 2028-02-05 2028-02-12 2028-02-19 2028-02-26',
  ],
  ['2001-02-05', 'FREQ=MONTHLY;INTERVAL=48;BYDAY=5MO', ''],
  ['2020-01-01', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', ''],
];

function daysOf(start: string, text: string): string {
  const rule = readRule(text);
  assert.ok(rule, text);
  const end = Math.min(Date.UTC(2028, 11, 31), readDate(rule.until ?? '') ?? Number.POSITIVE_INFINITY);
  const span = { start: readDate(start) ?? 0, from: Date.UTC(2026, 0), to: end };
  return [...occurrencesOf(rule, span, () => {})].map(printDate).join(' ');
}

for (const [start, rule, days] of rules) {
  test(`the occurrences of ${rule} from ${start}`, () => assert.equal(daysOf(start, rule), days));
}

test('a rule with an unsupported or invalid part is rejected', () => {
  const odd = [
    '',
    'FREQ=',
    'FREQ=FORTNIGHTLY',
    'BYMONTH=5',
    'FREQ=YEARLY;',
    'FREQ=YEARLY;BYWEEKNO=20',
    'FREQ=YEARLY;BYEASTER=0',
    'FREQ=YEARLY;BYMONTH=13',
    'FREQ=YEARLY;BYMONTH=-1',
    'FREQ=YEARLY;BYMONTH=5L',
    'FREQ=YEARLY;BYMONTH=1-3',
    'FREQ=YEARLY;BYMONTH=5.5',
    'FREQ=YEARLY;BYMONTHDAY=0',
    'FREQ=YEARLY;BYMONTHDAY=32',
    'FREQ=YEARLY;BYYEARDAY=367',
    'FREQ=YEARLY;BYDAY=MONDAY',
    'FREQ=YEARLY;BYDAY=54MO',
    'FREQ=YEARLY;COUNT=0',
    'FREQ=YEARLY;COUNT=2x',
    'FREQ=YEARLY;INTERVAL=0',
    'FREQ=YEARLY;UNTIL=soon',
    'FREQ=YEARLY;WKST=XX',
    'FREQ=YEARLY;BYHOUR=9',
    'FREQ=MONTHLY;BYYEARDAY=1',
    'FREQ=WEEKLY;BYDAY=1MO',
    'FREQ=WEEKLY;BYMONTHDAY=1',
    'FREQ=DAILY;BYDAY=1MO',
    'FREQ=DAILY;BYSETPOS=1',
    'FREQ=SECONDLY;BYSECOND=1',
    'RSCALE=GREGORIAN;FREQ=YEARLY',
  ];
  for (const text of odd) assert.equal(readRule(text), undefined, text);
});

test('an hourly rule returns its occurrences in order', () => {
  const rule = readRule('FREQ=HOURLY;INTERVAL=36;COUNT=3');
  assert.ok(rule);
  const start = Date.UTC(2026, 0, 1, 6);
  const times = [...occurrencesOf(rule, { start, from: start, to: Date.UTC(2027, 0) }, () => {})];
  assert.deepEqual(
    times.map((time) => new Date(time).toISOString().slice(0, 13)),
    ['2026-01-01T06', '2026-01-02T18', '2026-01-04T06'],
  );
});

test('years before the requested period are skipped, unless COUNT requires counting them', () => {
  const stepsFor = (text: string) => {
    const rule = readRule(text);
    assert.ok(rule);
    let steps = 0;
    const span = { start: Date.UTC(1000, 0), from: Date.UTC(2026, 0), to: Date.UTC(2026, 11, 31) };
    for (const _ of occurrencesOf(rule, span, () => steps++));
    return steps;
  };
  for (const rule of ['FREQ=YEARLY', 'FREQ=MONTHLY', 'FREQ=WEEKLY', 'FREQ=DAILY'])
    assert.ok(stepsFor(rule) <= 373, rule);
  assert.ok(stepsFor('FREQ=YEARLY;COUNT=5000') > 10_000);
});
