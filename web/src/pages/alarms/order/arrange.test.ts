// The order of the alarm list: urgent first, and nothing moves while somebody points at it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlarmView } from '../../../data/alarm-views.tsx';
import { arrange, comparing, matches } from './arrange.ts';
import { isHeading, linesOf } from './list-lines.ts';

let ids = 0;
const anAlarm = (change: Partial<AlarmView>): AlarmView =>
  ({
    id: ++ids,
    priority: 3,
    hue: 'p3',
    state: 3,
    masked: false,
    raisedAt: 0,
    text: '',
    path: '',
    name: '',
    comment: '',
    value: '',
    station: '',
    ...change,
  }) as AlarmView;

const idsOf = (rows: readonly { readonly alarm: AlarmView }[]): readonly number[] => rows.map(({ alarm }) => alarm.id);

test('not acknowledged comes first, then the priority, then the newest; the masked come last', () => {
  const masked = anAlarm({ masked: true, priority: 1 });
  const acknowledged = anAlarm({ state: 1, priority: 1 });
  const old = anAlarm({ priority: 2, raisedAt: 1 });
  const recent = anAlarm({ priority: 2, raisedAt: 2 });
  const cleared = anAlarm({ state: 2, priority: 1 });
  const { rows } = arrange([masked, acknowledged, old, recent, cleared], undefined);
  assert.deepEqual(idsOf(rows), [cleared.id, recent.id, old.id, acknowledged.id, masked.id]);
});

test('while the order is held, rows change in place, gone ones stay and new ones wait', () => {
  const first = anAlarm({ priority: 1 });
  const second = anAlarm({ priority: 2 });
  const { rows: held } = arrange([first, second], undefined);
  const urgent = anAlarm({ priority: 1, raisedAt: 5 });
  const { rows, waiting } = arrange([urgent, { ...second, state: 1 }], held);
  assert.deepEqual(idsOf(rows), [first.id, second.id]);
  assert.deepEqual(
    rows.map(({ isGone }) => isGone),
    [true, false],
  );
  assert.equal(rows[1]?.alarm.state, 1);
  assert.deepEqual(waiting, [urgent]);
  assert.deepEqual(idsOf(arrange([urgent, second], undefined).rows), [urgent.id, second.id]);
});

test('a filter narrows by state, priority, station, group and every word', () => {
  const alarm = anAlarm({ text: 'Pump 7 too hot', station: 'River intake', stationId: 2 });
  const is = (search: Parameters<typeof matches>[1], groups?: ReadonlySet<number>) => matches(alarm, search, groups);
  assert.equal(is({ q: 'pump river' }), true);
  assert.equal(is({ q: 'pump lake' }), false);
  assert.equal(is({ station: '1,2' }), true);
  assert.equal(is({ station: '1' }), false);
  assert.equal(is({ state: 'acknowledged' }), false);
  assert.equal(is({ priority: 'p1' }), false);
  assert.equal(is({}, new Set([alarm.id])), true);
  assert.equal(is({}, new Set()), false);
});

test('a column sorts, numbers by their size; equal ones stay in the order of urgency', () => {
  const two = anAlarm({ value: '2 bar', priority: 3 });
  const ten = anAlarm({ value: '10 bar', priority: 3 });
  const urgent = anAlarm({ value: '10 bar', priority: 1 });
  const sorted = (sort: Parameters<typeof comparing>[0]) =>
    idsOf(arrange([ten, two, urgent], undefined, comparing(sort)).rows);
  assert.deepEqual(sorted('value'), [two.id, urgent.id, ten.id]);
  assert.deepEqual(sorted('-value'), [urgent.id, ten.id, two.id]);
  assert.deepEqual(sorted(undefined), [urgent.id, ten.id, two.id]);
});

test('W3: an alarm of a data server that is not known yet is shown in a view of one station', () => {
  const unknown = anAlarm({ priority: 1, dataServerId: 99 });
  assert.equal(matches(unknown, { station: '2' }, undefined), true);
  assert.equal(matches(anAlarm({ stationId: 1 }), { station: '2' }, undefined), false);
});

test('H2: while the order is held no line moves: rows stay below the heading they stood below, which counts what is so now', () => {
  const [first, second, third] = [1, 2, 3].map((priority) => anAlarm({ priority })) as [
    AlarmView,
    AlarmView,
    AlarmView,
  ];
  const taken = anAlarm({ state: 1 });
  const alarms = [first, second, third, taken];
  const { rows } = arrange(alarms, undefined);
  const places = (lines: ReturnType<typeof linesOf>) =>
    lines.map((line) => (isHeading(line) ? line.group : line.alarm.id));
  const before = linesOf(rows, false);
  assert.deepEqual(places(before), ['unacknowledged', first.id, second.id, third.id, 'acknowledged', taken.id]);
  // Somebody else takes the first, masks the second, and one that was taken is raised again.
  const changed = [
    { ...first, state: 1 as const },
    { ...second, masked: true },
    third,
    { ...taken, state: 3 as const },
  ];
  const after = linesOf(arrange(changed, rows).rows, false);
  assert.deepEqual(places(after), places(before));
  assert.deepEqual(
    after.flatMap((line) => (isHeading(line) ? [line.count] : [])),
    [2, 1],
  );
});
