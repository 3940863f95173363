// Compares duty around every clock change from 2020 to 2040, in zones of every kind, with a slow reference
// implementation.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Temporal } from 'temporal-polyfill';
import { fc } from '../../../test/harness/fast-check.ts';
import { dutyAt, dutySlots } from './duty.ts';
import type { DutyHolder, DutySlot, Override, Rotation, Schedule, WeeklyDuty } from './schedule.ts';
import { weekdays } from './schedule.ts';

const zones = [
  'Africa/Cairo', // at midnight
  'Africa/Casablanca', // twice within weeks
  'America/Havana', // midnight comes twice
  'America/New_York',
  'America/Santiago',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Antarctica/Troll', // two hours
  'Asia/Beirut',
  'Asia/Gaza',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Australia/Lord_Howe', // half an hour
  'Europe/Dublin', // winter is the exception
  'Europe/Paris',
  'Pacific/Apia',
  'Pacific/Chatham', // at 02:45
];
const day = 86_400_000;

/**
 * Finds clock changes by comparing offsets week by week, independently of the code under test, which asks for
 * transitions.
 */
function changesOf(zone: string): readonly number[] {
  const offset = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds;
  const changes: number[] = [];
  for (let at = Date.UTC(2020, 0); at < Date.UTC(2041, 0); at += 7 * day) {
    let [before, after] = [at, at + 7 * day];
    if (offset(before) === offset(after)) continue;
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (offset(middle) === offset(at)) before = middle;
      else after = middle;
    }
    changes.push(after);
  }
  return changes;
}

/** Reference implementation of CivilClock.instantOf. */
function instantOf(civil: Temporal.PlainDateTime, zone: string): number {
  const earlier = civil.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (earlier.toPlainDateTime().equals(civil)) return earlier.epochMilliseconds;
  return earlier.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.NaN;
}

type Claim = {
  readonly from: number;
  readonly to: number;
  readonly holder: DutyHolder;
  readonly source: string;
};

/**
 * Returns every claim of the schedule within three days of the instant, the winning ones last; computed with Temporal
 * arithmetic.
 */
function claimsAround(schedule: Schedule, around: number): readonly Claim[] {
  const zone = schedule.timeZone;
  const today = Temporal.Instant.fromEpochMilliseconds(around).toZonedDateTimeISO(zone).toPlainDate();
  const dates = Array.from({ length: 7 }, (_, index) => today.add({ days: index - 3 }));
  return [
    ...schedule.weekly.flatMap((duty, index) => weeklyClaims(duty, index, dates, schedule)),
    ...schedule.rotations.flatMap((rotation, index) =>
      withinHours(rotationClaims(rotation, index, dates, zone), rotation, dates, schedule),
    ),
    ...schedule.overrides.map((override, index) => overrideClaim(override, index, zone)),
  ];
}

function weeklyClaims(
  { teamId, days, from, to }: WeeklyDuty,
  index: number,
  dates: readonly Temporal.PlainDate[],
  { timeZone, holidays }: Schedule,
): readonly Claim[] {
  return dates
    .filter((date) => {
      const isHoliday = holidays.dates.includes(date.toString());
      return isHoliday ? days.includes('holiday') : days.includes(weekdays[date.dayOfWeek - 1] ?? 'holiday');
    })
    .map((date) => {
      const end = to === '24:00' || to <= from ? date.add({ days: 1 }) : date;
      return {
        from: instantOf(date.toPlainDateTime(from), timeZone),
        to: instantOf(end.toPlainDateTime(to === '24:00' ? '00:00' : to), timeZone),
        holder: { kind: 'team', teamId },
        source: `weekly[${index}]`,
      };
    });
}

function rotationClaims(
  { teamIds, every, handOver, start }: Rotation,
  index: number,
  dates: readonly Temporal.PlainDate[],
  zone: string,
): readonly Claim[] {
  const [count, unit] = [Number.parseInt(every, 10), every.at(-1) === 'h' ? 'hours' : 'days'] as const;
  const length = every.at(-1) === 'w' ? 7 * count : count;
  const begin = Temporal.PlainDate.from(start).toPlainDateTime(handOver);
  const [first, last] = [dates[0], dates.at(-1)].map((date) => (date ?? begin).toString());
  const claims: Claim[] = [];
  for (let [turn, from, to] = [0, begin, begin]; ; turn++) {
    [from, to] = [to, begin.add({ [unit]: (turn + 1) * length })];
    if (from.toString() > (last ?? '')) return claims;
    if (to.toString() < (first ?? '')) continue;
    claims.push({
      from: instantOf(from, zone),
      to: instantOf(to, zone),
      holder: { kind: 'team', teamId: teamIds[turn % teamIds.length] ?? 0 },
      source: `rotations[${index}]`,
    });
  }
}

/** The parts of the turns that are in the hours of the rotation. */
function withinHours(
  turns: readonly Claim[],
  { hours }: Rotation,
  dates: readonly Temporal.PlainDate[],
  schedule: Schedule,
): readonly Claim[] {
  if (hours === undefined) return turns;
  const shifts = weeklyClaims(
    { teamId: 0, ...hours, days: hours.days ?? [...weekdays, 'holiday'] },
    0,
    dates,
    schedule,
  );
  return turns.flatMap((turn) =>
    shifts.flatMap((shift) => {
      const part = { ...turn, from: Math.max(turn.from, shift.from), to: Math.min(turn.to, shift.to) };
      return part.from < part.to ? [part] : [];
    }),
  );
}

function overrideClaim({ userId = 0, from, to }: Override, index: number, zone: string): Claim {
  return {
    from: instantOf(Temporal.PlainDateTime.from(from), zone),
    to: instantOf(Temporal.PlainDateTime.from(to), zone),
    holder: { kind: 'user', userId },
    source: `overrides[${index}]`,
  };
}

/** Times at which clocks change, and a few other times. */
const time = fc.constantFrom(
  '00:00',
  '00:30',
  '01:00',
  '01:30',
  '01:45',
  '02:00',
  '02:30',
  '02:45',
  '03:00',
  '03:15',
  '08:00',
  '23:30',
);
const anyWeekly = fc.record({
  teamId: fc.integer({ min: 1, max: 3 }),
  days: fc.subarray([...weekdays, 'holiday' as const], { minLength: 4 }),
  from: time,
  to: fc.oneof(time, fc.constant('24:00')),
});
/** Entries relative to a clock change; `scheduleAround` turns them into a schedule. */
const anyPlan = fc.record({
  weekly: fc.array(anyWeekly, { maxLength: 3 }),
  rotations: fc.array(
    fc.record({
      teamIds: fc.subarray([4, 5, 6], { minLength: 1 }),
      every: fc.constantFrom('1h', '2h', '5h', '12h', '1d', '2d', '1w'),
      handOver: time,
      startsBefore: fc.integer({ min: -1, max: 7 }),
      hours: fc.option(
        fc.record({
          days: fc.option(
            anyWeekly.map(({ days }) => days),
            { nil: undefined },
          ),
          from: time,
          to: time,
        }),
        { nil: undefined },
      ),
    }),
    { maxLength: 2 },
  ),
  overrides: fc.array(
    fc.record({ userId: fc.constantFrom(7, 8), from: time, to: time, nights: fc.constantFrom(0, 1) }),
    {
      maxLength: 2,
    },
  ),
  holidayAfter: fc.integer({ min: -2, max: 4 }),
});
type Plan = typeof anyPlan extends fc.Arbitrary<infer Value> ? Value : never;

function scheduleAround(change: number, zone: string, plan: Plan): Schedule {
  const date = Temporal.Instant.fromEpochMilliseconds(change).toZonedDateTimeISO(zone).toPlainDate();
  const on = (days: number) => date.add({ days }).toString();
  return {
    id: 1,
    name: '',
    timeZone: zone,
    holidays: { dates: [on(plan.holidayAfter)], icalUrl: undefined, icalDates: [] },
    weekly: plan.weekly,
    rotations: plan.rotations.map(({ startsBefore, ...rotation }) => ({ ...rotation, start: on(-startsBefore) })),
    overrides: plan.overrides.map(({ userId, from, to, nights }) => ({
      userId,
      teamId: undefined,
      from: `${on(-nights)}T${from}`,
      to: `${on(0)}T${to}`,
      reason: '',
      lock: false,
    })),
  };
}

/** Asserts that the slots cover the period without gap or overlap and that adjacent slots differ. */
function assertSeamless(slots: readonly DutySlot[], from: number, to: number): void {
  assert.equal(slots[0]?.from, from);
  assert.equal(slots.at(-1)?.to, to);
  for (const [index, slot] of slots.entries()) {
    assert.ok(slot.from < slot.to);
    const next = slots[index + 1];
    if (next === undefined) continue;
    assert.equal(slot.to, next.from);
    assert.notEqual(printed(slot), printed(next));
  }
}

function assertAsClaimed(schedule: Schedule, slots: readonly DutySlot[], claims: readonly Claim[], at: number): void {
  const holding = slots.filter((slot) => slot.from <= at && at < slot.to);
  const claim = claims.findLast(({ from, to }) => from <= at && at < to);
  const [expected, found] = [printed(claim), printed(dutyAt(schedule, at))];
  assert.equal(holding.map(printed).join(), expected, `at ${new Date(at).toISOString()}`);
  assert.equal(found, expected, `dutyAt ${new Date(at).toISOString()}`);
}

function printed(duty: { readonly holder: DutyHolder | undefined; readonly source: string } | undefined): string {
  return `${JSON.stringify(duty?.holder)} ${duty?.source ?? ''}`;
}

function assertDutyAround(schedule: Schedule, change: number): void {
  const [from, to] = [change - 2 * day, change + 2 * day];
  const slots = dutySlots(schedule, from, to);
  assertSeamless(slots, from, to);
  const claims = claimsAround(schedule, change);
  const edges = new Set([
    change,
    ...slots.map((slot) => slot.from),
    ...claims.flatMap((claim) => [claim.from, claim.to]),
  ]);
  const within = [...edges].filter((edge) => Math.abs(edge - change) < day + 7_200_000);
  for (const at of within.flatMap((edge) => [edge - 1, edge, edge + 1, edge + 1_800_000])) {
    assertAsClaimed(schedule, slots, claims, at);
  }
}

/** The end of a year and of February, so that zones without clock changes are tested as well. */
const otherDays = [Date.UTC(2027, 0), Date.UTC(2028, 1, 29, 12), Date.UTC(2032, 1, 29)];

const empty: Plan = { weekly: [], rotations: [], overrides: [], holidayAfter: 0 };
const changesIn = new Map(zones.map((zone) => [zone, changesOf(zone)]));

for (const [zone, changes] of changesIn) {
  test(`${zone}: around every clock change each instant has one holder, the same as in the reference implementation`, () => {
    for (const change of [...changes, ...otherDays]) {
      fc.assert(
        fc.property(anyPlan, (plan) => assertDutyAround(scheduleAround(change, zone, plan), change)),
        { numRuns: 2 },
      );
    }
  });

  test(`${zone}: rotations hand over at their local time, or at the clock change if that time is skipped`, () => {
    for (const change of [...changes, ...otherDays]) {
      for (const handOver of ['00:00', '01:30', '02:30', '08:00']) {
        const start = new Date(change - 5 * day).toISOString().slice(0, 10);
        const rotations = [{ teamIds: [1, 2, 3], every: '1d', handOver, start }];
        const schedule = { ...scheduleAround(change, zone, empty), rotations };
        const edges = dutySlots(schedule, change - 2 * day, change + 2 * day)
          .slice(1)
          .map((slot) => slot.from);
        assert.ok(edges.length >= 3 && edges.length <= 5);
        for (const edge of edges) {
          const shown = Temporal.Instant.fromEpochMilliseconds(edge).toZonedDateTimeISO(zone).toPlainTime();
          assert.ok(shown.toString({ smallestUnit: 'minute' }) === handOver || edge === change, `${zone} ${shown}`);
        }
      }
    }
  });
}

test('the tested zones have enough clock changes', () => {
  const counts = [...changesIn.values()].map((changes) => changes.length);
  assert.ok(counts.filter((count) => count >= 20).length >= 9);
  assert.ok(counts.reduce((sum, count) => sum + count) > 400);
});
