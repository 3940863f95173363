// Tests duty.ts: the slots that result from written schedules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { civilClock, dayMs, hourMs, printMoment } from './civil-time.ts';
import { dutyAt, dutySlots, nextDutyAfter } from './duty.ts';
import type { DutySlot, Override, Rotation, Schedule, WeeklyDuty } from './schedule.ts';
import { weekdays } from './schedule.ts';

const zone = 'Europe/Paris';

function schedule(parts: Partial<Schedule>): Schedule {
  const holidays = { dates: [], icalUrl: undefined, icalDates: [] };
  return { id: 9, name: 'Pumps', timeZone: zone, holidays, weekly: [], rotations: [], overrides: [], ...parts };
}

function holidays(...dates: readonly string[]): Schedule['holidays'] {
  return { dates, icalUrl: undefined, icalDates: [] };
}

const weekly = (teamId: number, days: WeeklyDuty['days'], from: string, to: string): WeeklyDuty => ({
  teamId,
  days,
  from,
  to,
});
const rotation = (every: string, handOver: string, start: string, ...teamIds: readonly number[]): Rotation => ({
  teamIds,
  every,
  handOver,
  start,
});
const override = (parts: Partial<Override>): Override => ({
  teamId: undefined,
  userId: undefined,
  from: '',
  to: '',
  reason: '',
  lock: false,
  ...parts,
});

const at = (civil: string, timeZone = zone): number => civilClock(timeZone).instantOf(Date.parse(`${civil}Z`));

function holderOf({ holder }: DutySlot): string {
  if (holder === undefined) return 'nobody';
  if (holder.kind === 'locked') return 'locked';
  return holder.kind === 'team' ? `team ${holder.teamId}` : `user ${holder.userId}`;
}

/** Formats each slot as `2026-11-02T08:00 team 5`, in local time. */
function slotLines(plan: Schedule, from: string, to: string): readonly string[] {
  const { timeZone } = plan;
  const slots = dutySlots(plan, at(from, timeZone), at(to, timeZone));
  return slots.map((slot) => `${printMoment(timeZone, slot.from)} ${holderOf(slot)}`);
}

const nights = weekly(5, ['mon', 'tue', 'wed', 'thu', 'fri'], '18:00', '08:00');
const daysOff = weekly(6, ['sat', 'sun', 'holiday'], '00:00', '24:00');

test('weekly entries: nights run into the next day, uncovered time is a slot without holder', () => {
  assert.deepEqual(slotLines(schedule({ weekly: [nights, daysOff] }), '2026-11-05T12:00', '2026-11-09T12:00'), [
    '2026-11-05T12:00 nobody',
    '2026-11-05T18:00 team 5',
    '2026-11-06T08:00 nobody',
    '2026-11-06T18:00 team 5',
    '2026-11-07T00:00 team 6',
    '2026-11-09T00:00 nobody',
  ]);
});

test('of two entries for the same time the later one in the list wins', () => {
  assert.deepEqual(slotLines(schedule({ weekly: [daysOff, nights] }), '2026-11-06T18:00', '2026-11-07T12:00'), [
    '2026-11-06T18:00 team 5',
    '2026-11-07T08:00 team 6',
  ]);
});

test('an entry with equal from and to lasts a day; consecutive days are one slot', () => {
  assert.deepEqual(
    slotLines(schedule({ weekly: [weekly(5, ['mon'], '08:00', '08:00')] }), '2026-11-02T00:00', '2026-11-04T00:00'),
    ['2026-11-02T00:00 nobody', '2026-11-02T08:00 team 5', '2026-11-03T08:00 nobody'],
  );
  const always = schedule({ weekly: [weekly(5, weekdays, '00:00', '24:00')] });
  assert.deepEqual(slotLines(always, '2026-03-01T00:00', '2026-12-01T00:00'), ['2026-03-01T00:00 team 5']);
});

test('on a holiday the holiday entries apply and the weekday entries do not', () => {
  const plan = schedule({ weekly: [daysOff, nights], holidays: holidays('2026-11-11') });
  assert.deepEqual(slotLines(plan, '2026-11-10T12:00', '2026-11-12T20:00'), [
    '2026-11-10T12:00 nobody',
    '2026-11-10T18:00 team 5', // began the day before and continues to its end
    '2026-11-11T08:00 team 6',
    '2026-11-12T00:00 nobody', // the night of the holiday itself does not begin
    '2026-11-12T18:00 team 5',
  ]);
});

test('a shift that begins on a holiday continues after it; calendar dates are holidays, too', () => {
  const plan = schedule({
    weekly: [nights, weekly(6, ['holiday'], '18:00', '10:00')],
    holidays: { dates: [], icalUrl: 'https://example.org/h.ics', icalDates: ['2026-11-11'] },
  });
  assert.deepEqual(slotLines(plan, '2026-11-11T12:00', '2026-11-12T19:00'), [
    '2026-11-11T12:00 nobody',
    '2026-11-11T18:00 team 6',
    '2026-11-12T10:00 nobody',
    '2026-11-12T18:00 team 5',
  ]);
});

test('a rotation hands over at its local time, in summer and winter, and covers nothing before its start', () => {
  const plan = schedule({ rotations: [rotation('1w', '08:00', '2026-10-19', 5, 6, 7)] });
  assert.deepEqual(slotLines(plan, '2026-10-18T00:00', '2026-11-10T00:00'), [
    '2026-10-18T00:00 nobody',
    '2026-10-19T08:00 team 5',
    '2026-10-26T08:00 team 6', // the clocks were set back the night before
    '2026-11-02T08:00 team 7',
    '2026-11-09T08:00 team 5',
  ]);
});

test('a rotation by hours counts local time: the night of a clock change is shorter or longer', () => {
  const plan = schedule({ rotations: [rotation('12h', '08:00', '2026-01-01', 5, 6)] });
  const lengths = (from: string, to: string) =>
    dutySlots(plan, at(from), at(to)).map((slot) => (slot.to - slot.from) / hourMs);
  assert.deepEqual(lengths('2026-03-28T08:00', '2026-03-29T20:00'), [12, 11, 12]);
  assert.deepEqual(lengths('2026-10-24T08:00', '2026-10-25T20:00'), [12, 13, 12]);
});

test('hourly turns: a skipped hour has no turn, a repeated hour is one turn of two hours', () => {
  const plan = schedule({ rotations: [rotation('1h', '00:00', '2026-03-29', 1, 2, 3, 4, 5)] });
  assert.deepEqual(slotLines(plan, '2026-03-29T01:00', '2026-03-29T05:00'), [
    '2026-03-29T01:00 team 2',
    '2026-03-29T03:00 team 4',
    '2026-03-29T04:00 team 5',
  ]);
  const autumn = schedule({ rotations: [rotation('1h', '00:00', '2026-10-25', 1, 2, 3, 4, 5)] });
  assert.deepEqual(slotLines(autumn, '2026-10-25T01:00', '2026-10-25T04:00'), [
    '2026-10-25T01:00 team 2',
    '2026-10-25T02:00 team 3',
    '2026-10-25T03:00 team 4',
  ]);
});

test('a hand-over at a skipped time is at the first instant after it; at a repeated time, at its first occurrence', () => {
  const plan = schedule({ rotations: [rotation('1d', '02:30', '2026-01-01', 5, 6)] });
  const edges = (from: number) =>
    dutySlots(plan, from, from + dayMs)
      .slice(1)
      .map((slot) => new Date(slot.from).toISOString());
  assert.deepEqual(edges(Date.UTC(2026, 2, 28, 12)), ['2026-03-29T01:00:00.000Z']);
  assert.deepEqual(edges(Date.UTC(2026, 9, 24, 12)), ['2026-10-25T00:30:00.000Z']);
});

test('a shift within the skipped hour has no slot', () => {
  const plan = schedule({ weekly: [weekly(5, ['sun'], '02:00', '03:00')] });
  assert.deepEqual(slotLines(plan, '2026-03-28T00:00', '2026-03-30T00:00'), ['2026-03-28T00:00 nobody']);
});

test('29 February and the end of the year are ordinary days', () => {
  const leap = schedule({ rotations: [rotation('1d', '08:00', '2028-02-28', 5, 6)] });
  assert.deepEqual(slotLines(leap, '2028-02-28T08:00', '2028-03-02T08:00'), [
    '2028-02-28T08:00 team 5',
    '2028-02-29T08:00 team 6',
    '2028-03-01T08:00 team 5',
  ]);
  const plan = schedule({ weekly: [nights, daysOff], holidays: holidays('2027-01-01') });
  assert.deepEqual(slotLines(plan, '2026-12-31T12:00', '2027-01-02T12:00'), [
    '2026-12-31T12:00 nobody',
    '2026-12-31T18:00 team 5',
    '2027-01-01T00:00 team 6',
  ]);
});

test('rotations win over weekly entries, overrides over both, later ones over earlier ones, a lock over names', () => {
  const plan = schedule({
    weekly: [daysOff],
    rotations: [rotation('1w', '08:00', '2026-11-02', 5, 6), rotation('1d', '20:00', '2026-11-14', 8)],
    overrides: [
      override({ teamId: 7, from: '2026-11-07T10:00', to: '2026-11-07T20:00', reason: 'swap' }),
      override({ userId: 3, from: '2026-11-07T12:00', to: '2026-11-07T14:00' }),
      override({ lock: true, teamId: 7, from: '2026-11-07T13:00', to: '2026-11-07T13:30' }),
    ],
  });
  assert.deepEqual(slotLines(plan, '2026-11-01T00:00', '2026-11-20T00:00'), [
    '2026-11-01T00:00 team 6',
    '2026-11-02T00:00 nobody',
    '2026-11-02T08:00 team 5',
    '2026-11-07T10:00 team 7',
    '2026-11-07T12:00 user 3',
    '2026-11-07T13:00 locked',
    '2026-11-07T13:30 user 3',
    '2026-11-07T14:00 team 7',
    '2026-11-07T20:00 team 5',
    '2026-11-09T08:00 team 6',
    '2026-11-14T20:00 team 8',
  ]);
  const swapped = dutyAt(plan, at('2026-11-07T11:00'));
  assert.deepEqual([swapped.source, swapped.reason], ['overrides[0]', 'swap']);
});

test('an override that spans two years applies throughout', () => {
  const plan = schedule({ overrides: [override({ userId: 3, from: '2025-01-01T00:00', to: '2027-01-01T00:00' })] });
  assert.deepEqual(slotLines(plan, '2026-11-05T00:00', '2026-11-06T00:00'), ['2026-11-05T00:00 user 3']);
});

test('an override with an offset selects the second occurrence of a repeated hour', () => {
  const plan = schedule({
    overrides: [override({ userId: 3, from: '2026-10-25T02:15+01:00', to: '2026-10-25T02:45+01:00' })],
  });
  assert.deepEqual(slotLines(plan, '2026-10-25T00:00', '2026-10-26T00:00').slice(1), [
    '2026-10-25T02:15+01:00 user 3',
    '2026-10-25T02:45+01:00 nobody',
  ]);
});

test('unreadable entries cover nothing and do not throw', () => {
  const plan = schedule({
    timeZone: 'Mars/Olympus',
    weekly: [weekly(5, ['mon'], '25:00', '08:00'), weekly(5, ['mon'], '08:00', 'x'), weekly(5, [], '00:00', '24:00')],
    rotations: [rotation('0d', '08:00', '2026-01-01', 5), rotation('1d', '08:00', '2026-01-01')],
    overrides: [
      override({ teamId: 5, from: '2026-02-30T00:00', to: '2026-03-30T00:00' }),
      override({ from: '2026-11-01T00:00', to: '2026-11-30T00:00' }),
      override({ teamId: 5, from: '2026-11-08T00:00', to: '2026-11-02T00:00' }),
    ],
  });
  assert.deepEqual(slotLines(plan, '2026-11-01T00:00', '2026-11-09T00:00'), ['2026-11-01T00:00 nobody']);
  assert.deepEqual(dutySlots(plan, 5, 5), []);
});

test('dutyAt returns the whole slot, independent of earlier calls', () => {
  const plan = schedule({ rotations: [rotation('2w', '08:00', '2026-10-19', 5, 6)] });
  const slot = dutyAt(plan, at('2026-10-25T12:00'));
  assert.deepEqual([slot.from, slot.to], [at('2026-10-19T08:00'), at('2026-11-02T08:00')]);
  const quarterly = schedule({ rotations: [rotation('13w', '08:00', '2026-01-05', 5, 6)] });
  const long = dutyAt(quarterly, at('2026-05-01T00:00'));
  assert.deepEqual([long.from, long.to], [at('2026-04-06T08:00'), at('2026-07-06T08:00')]);
  const always = schedule({ weekly: [weekly(5, weekdays, '00:00', '24:00')] });
  const [first, again] = [{ ...always }, { ...always }];
  dutyAt(again, at('2026-10-25T12:00') + 40 * dayMs);
  assert.deepEqual(dutyAt(first, at('2026-10-25T12:00')), dutyAt(again, at('2026-10-25T12:00')));
});

test('dutyAt returns the same whole slot on each day of a long slot', () => {
  const plan = schedule({ rotations: [rotation('3w', '08:00', '2026-09-07', 5, 6)] });
  const [from, to] = [at('2026-10-19T08:00'), at('2026-11-09T08:00')];
  for (let day = from; day < to; day += dayMs) {
    const slot = dutyAt(plan, day);
    assert.deepEqual([slot.from, slot.to], [from, to]);
  }
});

test('dutyAt over two years agrees with dutySlots at every edge', () => {
  const plan = schedule({ weekly: [nights, daysOff], holidays: holidays('2026-12-25', '2027-01-01', '2027-05-01') });
  const slots = dutySlots(plan, at('2026-06-01T00:00'), at('2028-06-01T00:00'));
  for (const { from, holder, source } of slots.slice(1)) {
    const found = dutyAt(plan, from);
    assert.deepEqual([found.from, found.holder, found.source], [from, holder, source]);
    assert.equal(dutyAt(plan, from - 1).to, from);
  }
});

test('nextDutyAfter returns now, the next slot, the end of a lock, or undefined beyond the horizon', () => {
  const plan = schedule({
    weekly: [nights],
    overrides: [override({ lock: true, from: '2026-11-05T18:00', to: '2026-11-05T20:00' })],
  });
  assert.equal(nextDutyAfter(plan, at('2026-11-05T07:00'), dayMs), at('2026-11-05T07:00'));
  assert.equal(nextDutyAfter(plan, at('2026-11-05T12:00'), dayMs), at('2026-11-05T20:00'));
  assert.equal(nextDutyAfter(plan, at('2026-11-07T12:00'), 8 * dayMs), at('2026-11-09T18:00'));
  assert.equal(nextDutyAfter(plan, at('2026-11-07T12:00'), dayMs), undefined);
  assert.equal(nextDutyAfter(schedule({}), at('2026-11-07T12:00'), Number.POSITIVE_INFINITY), undefined);
  const late = schedule({ rotations: [rotation('1d', '08:00', '2027-11-02', 5)] });
  assert.equal(nextDutyAfter(late, at('2026-11-07T12:00'), 400 * dayMs), at('2027-11-02T08:00'));
});
