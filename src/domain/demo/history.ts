// Three months of alarms of the demo plant: more by day than by night, tags that chatter, tags that stand for long, and a
// flood of alarms at Lift station 4 within the last week. Pure.

import { type CivilClock, civilClock, dayMs, hourMs, minuteMs } from '../on-call/civil-time.ts';
import { type DemoOccurrence, endOf } from './occurrence.ts';
import { type DemoGroup, type DemoPerson, demoPeople } from './people.ts';
import { demoTags } from './plant.ts';
import { calledFromStart, presentOccurrences } from './present.ts';
import { type Random, randomFrom } from './random.ts';
import type { DemoTag } from './tag.ts';

const weeks = 13;
/** The alarms of the last day are applied one by one, as they would have come. */
const recentMs = dayMs;
/** Alarms of a tag that stands now come no later than this before it. */
const beforePresentMs = 2 * hourMs;

export type DemoHistory = {
  /** All of them over, in the order of their raises. */
  readonly old: readonly DemoOccurrence[];
  /** The occurrences of the last day, with those of the alarms that stand now. */
  readonly recent: readonly DemoOccurrence[];
};

type Context = { readonly random: Random; readonly clock: CivilClock; readonly at: number };

/** The history as of the instant `at`. */
export function demoHistory(seed: number, at: number, timeZone: string): DemoHistory {
  const context = { random: randomFrom(seed), clock: civilClock(timeZone), at };
  const present = presentOccurrences(at);
  const flood = floodRaises(context);
  const found = demoTags.flatMap((tag, index) => {
    const raises = [...usualRaises(tag, context), ...(flood.get(index) ?? [])].toSorted((a, b) => a - b);
    const stands = present.find((one) => one.tag === index);
    const until = (stands?.raisedAt ?? at) - beforePresentMs * (isStanding(tag, stands) ? 1 : 0);
    return occurrencesOf(index, raises, until, context);
  });
  const all = [...found, ...present].toSorted((a, b) => a.raisedAt - b.raisedAt || a.tag - b.tag);
  const boundary = at - recentMs;
  return {
    old: all.filter(({ raisedAt }) => raisedAt < boundary),
    recent: all.filter(({ raisedAt }) => raisedAt >= boundary),
  };
}

function isStanding({ path }: DemoTag, present: DemoOccurrence | undefined): boolean {
  return present !== undefined || calledFromStart.includes(path);
}

/** Of tags raised so often, one raise is often followed by others. */
const chattersFrom = 20;

function usualRaises({ perWeek }: DemoTag, context: Context): number[] {
  const { random, at } = context;
  const count = Math.round(perWeek * weeks * random.between(0.9, 1.1));
  const raises: number[] = [];
  while (raises.length < count) {
    let raise = at - random.next() * weeks * 7 * dayMs;
    if (!random.chance(activityAt(raise, context))) continue;
    raises.push(raise);
    while (perWeek >= chattersFrom && raises.length < count && random.chance(0.45)) {
      raise += random.between(3, 9) * minuteMs;
      raises.push(raise);
    }
  }
  return raises;
}

/** How much goes on in the plant at the hour: most on working days. */
function activityAt(instant: number, { clock }: Context): number {
  const hour = hourIn(clock, instant);
  const isDay = hour >= 6 && hour < 20;
  return (isDay ? 1 : 0.42) * (isWeekend(clock, instant) ? 0.75 : 1);
}

function hourIn(clock: CivilClock, instant: number): number {
  return Math.floor((clock.civilOf(instant) % dayMs) / hourMs);
}

function isWeekend(clock: CivilClock, instant: number): boolean {
  return (Math.floor(clock.civilOf(instant) / dayMs) + 3) % 7 >= 5;
}

const floodStation = 'Lift station 4';
/** The flood began this many days ago, at this time of the day: many alarms at once, then one after another. */
const floodDaysAgo = 4;
const floodStartMs = 4 * hourMs + 10 * minuteMs;
const firstRaises = { count: 14, withinMs: 9 * minuteMs } as const;
const laterRaises = { count: 47, everyMs: 100_000 } as const;
const floodMs = 10 * minuteMs + laterRaises.count * laterRaises.everyMs;

/** Returns the raises of the flood by tag: most of them of one station, whose tags take turns. */
function floodRaises(context: Context): ReadonlyMap<number, readonly number[]> {
  const { random } = context;
  const { from } = floodPeriod(context);
  const places = demoTags.map((_, index) => index);
  const isOwn = (index: number): boolean => demoTags[index]?.station === floodStation;
  const nextOwn = inTurn(shuffled(places.filter(isOwn), random));
  const nextOther = inTurn(
    shuffled(
      places.filter((index) => !isOwn(index)),
      random,
    ),
  );
  const first = Array.from({ length: firstRaises.count }, () => ({
    tag: nextOwn(),
    raise: from + random.next() * firstRaises.withinMs,
  }));
  const later = Array.from({ length: laterRaises.count }, (_, index) => ({
    tag: index % 10 < 7 ? nextOwn() : nextOther(),
    raise: from + 10 * minuteMs + (index + random.between(-0.2, 0.2)) * laterRaises.everyMs,
  }));
  const byTag = Map.groupBy([...first, ...later], ({ tag }) => tag);
  return new Map([...byTag].map(([tag, list]) => [tag, list.map(({ raise }) => raise)]));
}

function floodPeriod({ clock, at }: Context): { readonly from: number; readonly to: number } {
  const today = Math.floor(clock.civilOf(at) / dayMs) * dayMs;
  const from = clock.instantOf(today - floodDaysAgo * dayMs + floodStartMs);
  return { from, to: from + floodMs };
}

function inTurn<T>(list: readonly T[]): () => T {
  let turn = 0;
  return () => list[turn++ % list.length] as T;
}

function shuffled<T>(list: readonly T[], random: Random): readonly T[] {
  return list
    .map((one) => ({ one, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

/** Returns the occurrences of a tag; a raise while the one before goes on is none. */
function occurrencesOf(tag: number, raises: readonly number[], until: number, context: Context): DemoOccurrence[] {
  const boundary = context.at - recentMs;
  const occurrences: DemoOccurrence[] = [];
  let free = 0;
  for (const raise of raises) {
    const raisedAt = Math.round(raise);
    if (raisedAt < free) continue;
    const occurrence = occurrenceAt(tag, raisedAt, raisedAt >= boundary, context);
    // One that begins before the last day also ends before it.
    if (endOf(occurrence) >= (raisedAt < boundary ? boundary : until)) continue;
    occurrences.push(occurrence);
    free = endOf(occurrence) + minuteMs;
  }
  return occurrences;
}

/** How many alarms of a priority somebody takes; the others return to normal by themselves. */
const takenShare: Readonly<Record<number, number>> = { 1: 1, 2: 0.97, 3: 0.6, 4: 0.35 };
/** How much sooner or later than usual people react, by priority. */
const haste: Readonly<Record<number, number>> = { 1: 0.45, 2: 0.8, 3: 1.15, 4: 1.6 };

function occurrenceAt(tag: number, raisedAt: number, isRecent: boolean, context: Context): DemoOccurrence {
  const { random, clock } = context;
  const { priority, standsMinutes, perWeek, group } = demoTags[tag] as DemoTag;
  const person = random.pick(onDutyFor(group, raisedAt, clock));
  const isChattering = perWeek >= chattersFrom;
  // Somebody acknowledges those of the last day in any case, else they would still be listed.
  const isTaken = random.chance(isChattering ? 0.3 : (takenShare[priority] ?? 0)) || isRecent;
  const usualMs = standsMinutes * minuteMs * (isChattering ? random.between(0.05, 0.4) : random.between(0.3, 1.5));
  const standsMs = isInFlood(raisedAt, context) ? Math.min(usualMs, longestInFloodMs) : usualMs;
  const reactionMs = person.reactionSeconds * (haste[priority] ?? 1) * random.between(0.3, 1.7) * 1_000;
  if (!isTaken) return { tag, raisedAt, resetAt: Math.round(raisedAt + standsMs), ack: undefined, mask: undefined };
  const ackAt = Math.round(raisedAt + reactionMs);
  // Tags that are raised often end soon, whoever takes them; others by the work of the person.
  const workMs = person.interventionSeconds * random.between(0.4, 1.6) * 1_000;
  const isShort = isChattering || isInFlood(raisedAt, context);
  const resetAt = Math.round(ackAt + (isShort ? standsMs : (workMs + standsMs) / 2));
  const comment = random.chance(0.14) ? random.pick(comments) : '';
  return { tag, raisedAt, resetAt, ack: { person: person.name, at: ackAt, comment }, mask: undefined };
}

/** Tags of a flood come and go. */
const longestInFloodMs = 5 * minuteMs;

function isInFlood(instant: number, context: Context): boolean {
  const { from, to } = floodPeriod(context);
  return instant >= from && instant < to;
}

const comments = [
  'Cleaned the sensor',
  'Rags in the impeller again',
  'Oil topped up, watch it tonight',
  'Reset at the panel',
  'Ordered the part',
  'Same as last week',
  'Backwash started by hand',
  'Nothing to see on site',
  'Fuse changed',
  'Grid operator informed',
  'Greased, runs freely now',
  'Sample taken',
];

/** The people who acknowledge alarms of a group at a time; it differs from the programme now and then, as shifts are swapped. */
function onDutyFor(group: DemoGroup, instant: number, clock: CivilClock): readonly DemoPerson[] {
  const hour = hourIn(clock, instant);
  const isDay = hour >= 8 && hour < 18;
  const names = {
    Pumps: isWeekend(clock, instant) ? ['ana', 'goran'] : isDay ? ['chidi', 'ana'] : ['ana'],
    Electrical: isDay ? ['bo'] : ['bo', 'fatou'],
    Process: isDay ? ['dana', 'dana', 'emil'] : ['emil', 'dana', 'goran'],
    Laboratory: ['hana'],
    'Site security': ['goran', 'fatou', 'emil'],
  }[group];
  return names.flatMap((name) => demoPeople.filter((person) => person.name === name));
}
