// Decides what happens next in the demo plant while it is there: alarms come, go and are acknowledged, at a bounded rate. Pure.

import { hourMs, minuteMs } from '../on-call/civil-time.ts';
import { type DemoGroup, firstPerson } from './people.ts';
import { demoTags, firstTag } from './plant.ts';
import { type Random, randomFrom } from './random.ts';
import { type DemoTag, isCalled } from './tag.ts';

/** A tag as its alarm is now. */
export type TagNow = {
  readonly path: string;
  /** Bit 0: active. Bit 1: not acknowledged. */
  readonly state: number;
  readonly isMasked: boolean;
  readonly raisedAt: number | undefined;
};

export type DemoMove =
  | { readonly kind: 'raise' | 'return'; readonly path: string; readonly value: string }
  | { readonly kind: 'acknowledge'; readonly path: string; readonly person: string }
  | { readonly kind: 'nothing' };

type Moment = {
  readonly seed: number;
  /** How many moves were made before. */
  readonly moves: number;
  readonly madeAt: number;
  readonly now: number;
};

/** The first move comes so long after the plant was made: "Lift station 4 floods in ten seconds". */
export const firstMoveMs = 10_000;

const active = 1;
const unacknowledged = 2;

/** Somebody of the plant takes an alarm that a visitor leaves: phones do not ring for ever. */
const takenAfterMs = 1.5 * minuteMs;
/** Time for a visitor to answer, and sooner than the last resort is called. */
const firstTakenAfterMs = 3 * minuteMs;
/** People are called for one alarm at a time, and not again before this has passed since the last. */
const calledEveryMs = 12 * minuteMs;
/** The most alarms that stand, or wait for an acknowledgement, because of the moves. */
const mostActive = 8;
const mostUnacknowledged = 6;
/** Shorter than in the history: a visitor is to see alarms go. */
const standsShare = 0.4;

/** The groups whose people can always be reached, so that no move calls the last resort. */
const calledGroups: readonly DemoGroup[] = ['Pumps', 'Electrical'];

/** Returns the next change; `tags` are those of the plant that are still there. */
export function nextMove(tags: readonly TagNow[], moment: Moment): DemoMove {
  if (moment.moves === 0) return { kind: 'raise', path: firstTag.path, value: firstTag.value };
  const random = randomFrom(moment.seed * 7_919 + moment.moves);
  const moved = tags.filter(({ raisedAt = 0, isMasked }) => raisedAt >= moment.madeAt && !isMasked);
  return leftAlarm(moved, moment, random) ?? oldAlarm(moved, moment, random) ?? newAlarm(tags, moved, moment, random);
}

/**
 * When the move after this one is due: at first so often that a visitor sees it, later as often as in a plant, and soon while
 * people are called.
 */
export function nextMoveAt(tags: readonly TagNow[], move: DemoMove, { seed, moves, madeAt, now }: Moment): number {
  const random = randomFrom(seed * 104_729 + moves);
  const isCalling = ({ path, state, raisedAt = 0, isMasked }: TagNow): boolean =>
    isCalled(tagOf(path)) && (state & unacknowledged) !== 0 && raisedAt >= madeAt && !isMasked;
  const isSoon = now - madeAt < hourMs || move.kind === 'raise' || tags.some(isCalling);
  return now + Math.round((isSoon ? random.between(20, 60) : random.between(240, 600)) * 1_000);
}

/** Acknowledges an alarm that people are called for and nobody takes, or one of many that nobody is called for. */
function leftAlarm(moved: readonly TagNow[], { now }: Moment, random: Random): DemoMove | undefined {
  const left = moved.filter(({ state }) => (state & unacknowledged) !== 0).toSorted(byRaise);
  const isLate = ({ path, raisedAt = now }: TagNow): boolean =>
    isCalled(tagOf(path)) && now - raisedAt > (path === firstTag.path ? firstTakenAfterMs : takenAfterMs);
  const quiet = left.filter(({ path }) => !isCalled(tagOf(path)));
  const taken = left.find(isLate) ?? (quiet.length > mostUnacknowledged ? quiet[0] : undefined);
  if (taken === undefined) return undefined;
  return { kind: 'acknowledge', path: taken.path, person: takerOf(tagOf(taken.path), random) };
}

function takerOf({ path, group }: DemoTag, random: Random): string {
  if (path === firstTag.path) return firstPerson;
  const takers = {
    Pumps: ['ana', 'chidi'],
    Electrical: ['bo', 'fatou'],
    Process: ['dana', 'emil'],
    Laboratory: ['hana'],
    'Site security': ['goran', 'fatou'],
  } as const satisfies Record<DemoGroup, readonly string[]>;
  return random.pick<string>(takers[group]);
}

/** Ends an alarm that has stood for its time, or the oldest of too many. One that people are called for waits until it is taken. */
function oldAlarm(moved: readonly TagNow[], { now }: Moment, random: Random): DemoMove | undefined {
  const standing = moved
    .filter(({ path, state }) => (state & active) !== 0 && !(isCalled(tagOf(path)) && (state & unacknowledged) !== 0))
    .toSorted(byRaise);
  const isOver = ({ path, raisedAt = now }: TagNow): boolean =>
    now - raisedAt > tagOf(path).standsMinutes * minuteMs * standsShare * random.between(0.5, 1.5);
  const over = standing.find(isOver) ?? (standing.length >= mostActive ? standing[0] : undefined);
  return over && { kind: 'return', path: over.path, value: tagOf(over.path).normalValue };
}

/** Raises an alarm of a tag at rest; tags that are raised often in the plant are raised often here. */
function newAlarm(tags: readonly TagNow[], moved: readonly TagNow[], { now }: Moment, random: Random): DemoMove {
  const lastCalled = Math.max(0, ...moved.filter(({ path }) => isCalled(tagOf(path))).map((one) => one.raisedAt ?? 0));
  const mayCall = now - lastCalled > calledEveryMs && random.chance(0.3);
  const atRest = tags.filter(({ state, isMasked }) => state === 0 && !isMasked).map(({ path }) => tagOf(path));
  const possible = atRest.filter((tag) => (mayCall ? mayBeCalled(tag) : !isCalled(tag)));
  if (possible.length === 0) return { kind: 'nothing' };
  const raised = random.pickByWeight(possible, ({ perWeek }) => perWeek);
  return { kind: 'raise', path: raised.path, value: raised.value };
}

function mayBeCalled(tag: DemoTag): boolean {
  return isCalled(tag) && calledGroups.includes(tag.group);
}

const tagByPath: ReadonlyMap<string, DemoTag> = new Map(demoTags.map((tag) => [tag.path, tag]));

function tagOf(path: string): DemoTag {
  const tag = tagByPath.get(path);
  if (tag === undefined) throw new Error(`The demo plant has no tag ${path}`);
  return tag;
}

function byRaise(one: TagNow, other: TagNow): number {
  return (one.raisedAt ?? 0) - (other.raisedAt ?? 0);
}
