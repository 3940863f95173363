// Decides from what is stored, and from nothing that happened: who is called now, what ends, and when to look again. Deciding
// again without a change changes nothing. Pure.

import { isCallable } from '../calls/usable-numbers.ts';
import { ownerOfNumber } from '../people/call-group.ts';
import type { ContactNumber } from '../people/person.ts';
import { type Alike, groupAlike, triesAt } from './alike.ts';
import { AttemptIndex } from './attempt-index.ts';
import { cancellations, wantedName } from './cancel.ts';
import type { Decision, NewEscalation } from './decision.ts';
import type { Attempt, Cause, Escalation, TryFor } from './escalation.ts';
import { Meeting } from './meet.ts';
import { isNoticeOver, type NoticeOwed, noticesFor } from './notices.ts';
import { Numbers } from './numbers.ts';
import { isOver, Parts } from './part.ts';
import { type Pauses, type Placed, type PlacedPart, Places, pausesOf } from './place.ts';
import { toldAgain } from './raised-again.ts';
import type { Reason } from './reason.ts';
import { outlookOf } from './related/outlook.ts';
import { both, PersonScopes } from './related/person-scopes.ts';
import type { DecisionTime, World } from './world.ts';

/** What is known of causes that are not decided on now. */
export type Others = {
  readonly pauses?: Pauses;
};

/**
 * `escalations`: those of the open causes, oldest first, and those whose cause has just ended. `attempts`: all of these
 * escalations, and those of their people that caps, rests and lines depend on, oldest first.
 */
export function decide(
  world: World,
  causes: readonly Cause[],
  escalations: readonly Escalation[],
  attempts: readonly Attempt[],
  time: DecisionTime,
  others: Others = {},
): Decision {
  const groups = groupAlike(causes, escalations, attempts);
  const index = new AttemptIndex(attempts, standIns(groups));
  const numbers = new Numbers(world, time, index);
  const parts = new Parts(index, numbers, time, world.policy);
  const forAll = time.depends;
  const scopes = new PersonScopes(time);
  const places = new Places(world, time, { index, numbers, parts }, others.pauses ?? pausesOf(escalations));
  const again = (one: PlacedPart) => toldAgain(one, { parts, numbers, index, time, policy: world.policy });
  const ofGroups = groups.map((alike) => {
    const { result, depends } = time.during(() => {
      const followed = places.place(alike).map((one) => withFollowUp(one, world, index));
      const called = followed.flatMap(({ placed }) => placed.parts);
      return { followed, called, notices: noticesOf(called, numbers, again) };
    });
    return { alike, depends, ...result };
  });
  const followed = ofGroups.flatMap((one) => one.followed);
  const placed = followed.map((one) => one.placed);
  const called = ofGroups.flatMap((one) => one.called);
  const begun = new Meeting(index, numbers, parts, scopes).callsFor(called);
  const byCause = new Map(causes.map((cause) => [cause.id, cause]));
  const ofCalled = ofGroups.flatMap((one) => one.notices);
  const followUps = followed.flatMap(({ followUp }) => followUp ?? []);
  const inOrder = followUpsInOrder(followUps, byCause, callsToTryAgain(called, index));
  const notices = noticesFor([...ofCalled, ...inOrder], { index, numbers, time, scopes }, begun);
  const owed = [...ofCalled, ...followUps];
  const owedPeople = new Set(called.filter(({ part }) => !isOver(part)).map(({ of }) => of.userId));
  const changed = placed.flatMap(changedOf);
  return {
    changed,
    opened: lastResorts(placed, time),
    begin: [...begun, ...notices],
    cancel: cancellations(index, {
      snapshot: world.snapshot,
      causes: byCause,
      done: doneOf(changed),
      people: owedPeople,
      wanted: wantedOf(called, owed),
    }),
    turns: changedTurns(world.turns, places.turns),
    lookAgainAt: time.next,
    parts: called,
    outlooks: ofGroups.map((one) => outlookOf(one, both(one.depends, forAll), scopes)),
  };
}

function wantedOf(called: readonly PlacedPart[], owed: readonly NoticeOwed[]): ReadonlySet<string> {
  const open = called.filter(({ part }) => !isOver(part));
  return new Set([
    ...open.map(({ of }) => wantedName('call', of.userId, of.cause.id)),
    ...owed.map(({ number, tries: [{ causeId }] }) => wantedName('notice', number.id, causeId)),
  ]);
}

/**
 * By id of an escalation that ends now: why its phones stop. Those of a discarded one ring on: it ends for want of people, while
 * its alarm is open and can still be taken.
 */
function doneOf(changed: readonly Escalation[]): ReadonlyMap<number, Reason> {
  const done = changed.filter(({ state, reason }) => state === 'done' && reason?.code !== 'discarded');
  return new Map(done.map(({ id, reason }) => [id, reason ?? { code: 'sent' }]));
}

/** By id of a cause: the one that stands for it. */
export function standIns(groups: readonly Alike[]): ReadonlyMap<number, number> {
  return new Map(groups.flatMap(({ causes }) => causes.map(({ id }) => [id, causes[0].id] as const)));
}

/** The escalations of all causes that are alike, changed as that which stands for them. */
function changedOf({ escalation, alike, place }: Placed): readonly Escalation[] {
  if (alike.escalations[0]?.[place] === escalation) return [];
  return alike.escalations.flatMap((ofCause) => {
    const own = ofCause[place];
    return own === undefined
      ? []
      : [{ ...escalation, id: own.id, causeId: own.causeId, target: own.target, dueAt: own.dueAt }];
  });
}

/** The notices that the people who are called for an alarm get of it; `again`: the number that is told that it came again. */
function noticesOf(
  called: readonly PlacedPart[],
  numbers: Numbers,
  again: (one: PlacedPart) => ContactNumber | undefined,
): readonly NoticeOwed[] {
  return called.flatMap((one) => {
    const { userId, cause } = one.of;
    const told = again(one);
    const all = [...numbers.notices(userId, cause.priority), ...(told === undefined ? [] : [told])];
    return all.flatMap((number) => noticeOwed(userId, number, one));
  });
}

function noticeOwed(
  userId: number,
  number: ContactNumber,
  { alike, place, level }: Pick<PlacedPart, 'alike' | 'place' | 'level'>,
): readonly NoticeOwed[] {
  const [first, ...others] = triesAt(alike, place, level);
  return first === undefined ? [] : [{ userId, number, tries: [first, ...others], priority: alike.causes[0].priority }];
}

type Followed = { readonly placed: Placed; readonly followUp: NoticeOwed | undefined };

/** An escalation to one number: it sends a notice there, whatever else the person is called for. */
function followUpOf({ escalation, alike, place }: Placed, { snapshot }: World): NoticeOwed | undefined {
  const { id: numberId } = escalation.target;
  const owner = ownerOfNumber(numberId, snapshot);
  const number = owner?.numbers.find(({ id }) => id === numberId);
  if (owner === undefined || number === undefined || !isCallable(number)) return undefined;
  return noticeOwed(owner.id, number, { alike, place, level: `user ${owner.id}` })[0];
}

/** The notice that it owes, if it is to one number; it is done when that was sent or cannot be. */
function withFollowUp(placed: Placed, world: World, index: AttemptIndex): Followed {
  const { escalation } = placed;
  const isOpen = escalation.state === 'open' && escalation.round > 0;
  if (escalation.target.kind !== 'number' || !isOpen) return { placed, followUp: undefined };
  const followUp = followUpOf(placed, world);
  if (followUp !== undefined && !isNoticeOver(followUp, index)) return { placed, followUp };
  const reason = { code: followUp === undefined ? 'number-removed' : 'sent' } as const;
  return { placed: { ...placed, escalation: { ...escalation, state: 'done', reason } }, followUp: undefined };
}

/** A number and an alarm, for which a call to the number is under way, or has failed and is tried again. */
type CalledAbout = `${number} ${number}`;

function callsToTryAgain(called: readonly PlacedPart[], index: AttemptIndex): ReadonlySet<CalledAbout> {
  const found = new Set<CalledAbout>();
  for (const { part, of, alike } of called) {
    const last = isOver(part) ? undefined : index.contacts(of.cause.id, of.userId).calls.at(-1);
    if (last === undefined || last.end?.outcome === 'reached') continue;
    for (const { alarmId } of alike.causes) if (alarmId !== undefined) found.add(`${last.numberId} ${alarmId}`);
  }
  return found;
}

/** Messages about one alarm keep their order at a number: what became of it is told after the call for it, or when that was given up. */
function followUpsInOrder(
  followUps: readonly NoticeOwed[],
  causes: ReadonlyMap<number, Cause>,
  calls: ReadonlySet<CalledAbout>,
): readonly NoticeOwed[] {
  return followUps.flatMap((followUp) => {
    const isNext = ({ causeId }: TryFor): boolean =>
      !calls.has(`${followUp.number.id} ${causes.get(causeId)?.alarmId ?? 0}`);
    const [first, ...others] = followUp.tries.filter(isNext);
    return first === undefined ? [] : [{ ...followUp, tries: [first, ...others] as const }];
  });
}

/** Opens the last resort once for each alarm whose chain has come to its end. */
function lastResorts(placed: readonly Placed[], time: DecisionTime): readonly NewEscalation[] {
  const target = { kind: 'last-resort', id: 0 } as const;
  const due = new Set(placed.filter((one) => one.isAtEnd && isWithoutLastResort(one)).map(({ alike }) => alike));
  return [...due].flatMap(({ causes }) => causes.map(({ id }) => ({ causeId: id, target, dueAt: time.engine })));
}

function isWithoutLastResort({ alike: { causes, escalations } }: Placed): boolean {
  return causes[0].asks && !escalations[0]?.some(({ target }) => target.kind === 'last-resort');
}

function changedTurns(
  before: ReadonlyMap<number, number>,
  after: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  return new Map([...after].filter(([groupId, userId]) => before.get(groupId) !== userId));
}
