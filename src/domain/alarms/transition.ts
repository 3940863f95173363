// The alarm state machine: how each command changes an alarm, and which effects follow. Pure.

import type {
  ActionList,
  AlarmCommand,
  AlarmLife,
  AlarmRules,
  OccurrenceChange,
  Refusal,
  RefusalReason,
  Transition,
  TransitionReason,
} from './alarm.ts';

const whenReturned = { 0: 0, 1: 0, 2: 2, 3: 2 } as const;
const whenAcknowledged = { 0: 0, 1: 1, 2: 0, 3: 1 } as const;

type Advance = {
  /** Transitions that were due before the command and are applied first. */
  readonly due: readonly Transition[];
  readonly outcome: Transition | Refusal;
};

/**
 * Applies a command after the transitions that were due before it. A stopped server or a late timer therefore changes
 * when an alarm is raised, never whether: a condition that held for its delay is raised even if the report of its end
 * arrives first.
 */
export function advance(life: AlarmLife, command: AlarmCommand, now: number, lead = 0): Advance {
  const due = dueTransitions(life, now, lead);
  return { due, outcome: transition(due.at(-1)?.life ?? life, command, now, lead) };
}

/**
 * Returns the transitions due by now, in order. A timer needs nothing else. `lead`: what our clock is ahead of that of the database,
 * by which masks end.
 */
export function dueTransitions(life: AlarmLife, now: number, lead = 0): readonly Transition[] {
  const at = Math.max(now, life.lastChange);
  const next = nextDueOf(life, lead);
  if (next === undefined || next > at) return [];
  // If both end at the same instant the mask ends first, so that the alarm raised then is called for.
  const first =
    maskEnd(life, lead) === next
      ? endMask(life, 'mask-expired', at)
      : life.ackUntil === next
        ? expireAcknowledgement(life, at)
        : returnDue(life) === next
          ? settle(life, at)
          : elapse(life, at);
  return [first, ...dueTransitions(first.life, at, lead)];
}

/** Applies one command and assumes that nothing else is due; `advance` ensures that. */
export function transition(life: AlarmLife, command: AlarmCommand, now: number, lead = 0): Transition | Refusal {
  // Times in the history never go backwards, even if the clock does.
  const at = Math.max(now, life.lastChange);
  switch (command.kind) {
    case 'report':
      return inOrder(life, command.sourceTime, now, (next) =>
        command.isRaised ? reportRaised(next, at) : reportNormal(next, at),
      );
    case 'define':
      return inOrder(life, command.sourceTime, now, (next) => step(next, at, 'defined'));
    case 'unclear':
      return inOrder(life, command.sourceTime, now, (next) =>
        step(next, at, holds(next) ? 'value-unclear' : 'defined'),
      );
    case 'stale':
      return step(life, at, 'stale');
    case 'delayElapsed':
      return elapse(life, at);
    case 'acknowledge':
      return acknowledge(life, command, at);
    case 'reset':
      return reset(life, at);
    case 'mask':
      return mask(life, command, at, lead);
    case 'unmask':
      return life.mask === undefined ? refuse('not-masked') : endMask(life, 'unmasked', at);
    case 'maskExpired':
      return life.mask === undefined || life.mask.until + lead > at
        ? step(life, at, 'not-due')
        : endMask(life, 'mask-expired', at);
  }
}

type Command<K extends AlarmCommand['kind']> = Extract<AlarmCommand, { readonly kind: K }>;

/** A source's clock may be this far ahead of ours and its timestamps still order its reports. */
const maxClockLeadMs = 60_000;

/**
 * Ignores a report older than the source's latest one, and notes the time of any other. Both clocks are compared as they
 * are, not as the history has them, which waits for a clock that was set back.
 */
function inOrder(
  life: AlarmLife,
  sourceTime: number | undefined,
  now: number,
  apply: (life: AlarmLife) => Transition,
): Transition {
  if (sourceTime === undefined) return withArrival(life, apply(life), now);
  if (isBeforeLatest(life, sourceTime, now)) return step(life, Math.max(now, life.lastChange), 'stale');
  return apply(sourceTime === life.sourceTime ? life : { ...life, sourceTime });
}

/**
 * Exception: a source whose clock was far ahead and has been corrected must not be ignored until that future time is
 * reached.
 */
function isBeforeLatest({ sourceTime: latest }: Reported, sourceTime: number, now: number): boolean {
  if (latest === undefined || sourceTime >= latest) return false;
  return latest <= now + maxClockLeadMs || sourceTime > now + maxClockLeadMs;
}

/**
 * Notes when a report without a timestamp arrived. One that changes nothing writes nothing for that, unless the alarm has
 * reports with timestamps too, or none was noted yet.
 */
function withArrival(before: AlarmLife, taken: Transition, now: number): Transition {
  // An alarm that this report has made or redefined is written anyway.
  const isWritten = taken.life !== before || before.lastChange >= now;
  if (!isWritten && before.sourceTime === undefined && before.reportedAt !== undefined) return taken;
  return { ...taken, life: { ...taken.life, reportedAt: now } };
}

/** Nobody keeps reports for that long: the clock of a device that lost its battery begins at 1970 or 2000. */
const maxAgeMs = 366 * 86_400_000;

/** Whether a report that arrives now may have this timestamp; otherwise the clock of its source is wrong. */
export function isPossible(sourceTime: number, now: number): boolean {
  return sourceTime <= now + maxClockLeadMs && sourceTime >= now - maxAgeMs;
}

type Reported = Pick<AlarmLife, 'sourceTime' | 'reportedAt'>;

/** Whether a report with this timestamp is older than the latest one of the alarm, with a timestamp or without. */
export function isOutdated(life: Reported, sourceTime: number, now: number): boolean {
  const { reportedAt = sourceTime } = life;
  // An arrival after now was noted before our clock was set back.
  return isBeforeLatest(life, sourceTime, now) || (sourceTime < reportedAt && reportedAt <= now);
}

function reportRaised(life: AlarmLife, at: number): Transition {
  const { transitory, reactivatable, resettable } = life.rules;
  if (life.returnSince !== undefined) return step(life, at, 'chattering', { change: { returnSince: undefined } });
  // The occurrence that nobody has acknowledged says enough.
  const wouldRepeat = life.state === 3 ? reactivatable : life.state === 2 && transitory && resettable;
  if (wouldRepeat && isChattering(life, at)) return step(life, at, 'chattering');
  if (isActive(life)) {
    // A transitory alarm that is active was not transitory when it was raised, so its source will never report a
    // return.
    if (reactivatable || (transitory && resettable)) return raise(life, at, 'reactivated');
    return step(life, at, 'updated', life.isLatched && !transitory ? { change: { isLatched: false } } : {});
  }
  if (life.pendingSince !== undefined) {
    // The definition may have shortened the delay just now.
    return delayEnd(life, life.pendingSince) <= at ? raise(life, at, 'raised') : step(life, at, 'delay-running');
  }
  if (life.rules.alarmDelay > 0) return step(life, at, 'delay-started', { change: { pendingSince: at } });
  return raise(life, at, 'raised');
}

function reportNormal(life: AlarmLife, at: number): Transition {
  if (life.pendingSince !== undefined) {
    return step(life, at, 'delay-ended-early', { change: { pendingSince: undefined } });
  }
  if (!isActive(life)) return step(life, at, 'defined');
  if (life.returnSince !== undefined) return step(life, at, 'chattering');
  if (!life.rules.resettable) return latch(life, at);
  if (isChattering(life, at)) return step(life, at, 'chattering', { change: { returnSince: at } });
  return returnToNormal(life, 'returned', at);
}

function latch(life: AlarmLife, at: number): Transition {
  return life.isLatched ? step(life, at, 'updated') : step(life, at, 'latched', { change: { isLatched: true } });
}

/** The return of a chattering alarm has lasted. The definition may have changed meanwhile. */
function settle(life: AlarmLife, at: number): Transition {
  if (life.rules.resettable) return returnToNormal(life, 'returned', at);
  return latch({ ...life, returnSince: undefined }, at);
}

/**
 * An alarm may begin sixty occurrences at once and one a second in the long run. Beyond that it chatters: a return
 * counts when it has lasted, so that a loose contact fills neither the history nor the disk, and calls nobody anew.
 */
const shareMs = 1_000;
const mostAtOnce = 60;
const settledAfterMs = 10_000;

function isChattering({ chatterUntil = 0 }: AlarmLife, at: number): boolean {
  return chatterUntil - at >= mostAtOnce * shareMs;
}

function elapse(life: AlarmLife, at: number): Transition {
  const isDue = life.pendingSince !== undefined && delayEnd(life, life.pendingSince) <= at;
  return isDue ? raise(life, at, 'raised') : step(life, at, 'not-due');
}

function raise(life: AlarmLife, at: number, reason: 'raised' | 'reactivated'): Transition {
  const { transitory, resettable } = life.rules;
  const returnsAtOnce = transitory && resettable;
  const close = { kind: 'close', at } as const;
  return step(life, at, reason, {
    change: {
      state: returnsAtOnce ? 2 : 3,
      isLatched: transitory && !resettable,
      pendingSince: undefined,
      returnSince: undefined,
      chatterUntil: chatterAfter(life, at),
      raisedAt: at,
    },
    occurrences: [...(isActive(life) ? [close] : []), { kind: 'open', at }, ...(returnsAtOnce ? [close] : [])],
    actions: returnsAtOnce ? ['alarm', 'reset'] : ['alarm'],
  });
}

function returnToNormal(life: AlarmLife, reason: 'returned' | 'reset', at: number): Transition {
  return step(life, at, reason, {
    change: { state: whenReturned[life.state], isLatched: false, returnSince: undefined },
    occurrences: [{ kind: 'close', at }],
    actions: ['reset'],
    runningCalls: 'cancel-delayed',
  });
}

function acknowledge(
  life: AlarmLife,
  { by, comment, lastsMs }: Command<'acknowledge'>,
  at: number,
): Transition | Refusal {
  if (life.state === 0) return refuse('nothing-to-acknowledge');
  if (life.state === 1) return refuse('already-acknowledged');
  return step(life, at, 'acknowledged', {
    change: {
      state: whenAcknowledged[life.state],
      ackUntil: lastsMs === undefined ? undefined : at + lastsMs,
    },
    occurrences: [{ kind: 'acknowledge', at, by, comment }],
    actions: ['ack'],
    runningCalls: 'end',
  });
}

/** The occurrence goes on, and its history keeps the first acknowledgement. */
function expireAcknowledgement(life: AlarmLife, at: number): Transition {
  return step(life, at, 'acknowledgement-expired', {
    change: { state: 3, ackUntil: undefined },
    isCalledAgain: true,
  });
}

/**
 * An operator may only reset an alarm whose source has returned to normal; resetting one that still holds would hide
 * it.
 */
function reset(life: AlarmLife, at: number): Transition | Refusal {
  if (!isActive(life)) return refuse('not-active');
  if (life.isLatched) return returnToNormal(life, 'reset', at);
  return refuse(life.rules.resettable ? 'not-latched' : 'still-active');
}

/** Masking a masked alarm replaces the mask. */
function mask(life: AlarmLife, { until, reason, by }: Command<'mask'>, at: number, lead: number): Transition | Refusal {
  if (reason.trim() === '') return refuse('mask-reason-missing');
  if (until + lead <= at) return refuse('mask-end-past');
  return step(life, at, 'masked', { change: { mask: { until, reason, by } }, runningCalls: 'end' });
}

/**
 * An alarm that has returned to normal meanwhile is not called for; it stays in the list, unacknowledged, for people to
 * find when awake.
 */
function endMask(life: AlarmLife, reason: 'unmasked' | 'mask-expired', at: number): Transition {
  return step(life, at, reason, { change: { mask: undefined }, actions: life.state === 3 ? ['alarm'] : [] });
}

type Effects = {
  readonly change?: Partial<Omit<AlarmLife, 'rules' | 'lastChange'>>;
  readonly occurrences?: readonly OccurrenceChange[];
  readonly actions?: readonly ActionList[];
  readonly runningCalls?: Transition['runningCalls'];
  readonly isCalledAgain?: boolean;
};

function step(before: AlarmLife, at: number, reason: TransitionReason, effects: Effects = {}): Transition {
  const { change, occurrences = [], runningCalls = 'go-on', isCalledAgain = false } = effects;
  const life = change === undefined ? before : withoutUselessExpiry({ ...before, ...change, lastChange: at });
  // Alarm actions are withheld, not lost: the end of the mask runs them if the alarm still holds.
  const actions = (effects.actions ?? []).filter((list) => list !== 'alarm' || life.mask === undefined);
  const isRemoved = life.rules.temporary && isOver(life) && !isOver(before);
  return {
    kind: 'accepted',
    reason,
    life,
    occurrences,
    actions,
    isAnnounced: actions.includes('alarm'),
    isCalledAgain,
    isChanged:
      life.state !== before.state ||
      occurrences.length > 0 ||
      life.mask !== before.mask ||
      life.isLatched !== before.isLatched,
    runningCalls,
    nextDue: isRemoved ? undefined : nextDueOf(life),
    isRemoved,
  };
}

/** A return to normal, a new occurrence and a mask cancel the expiry. */
function withoutUselessExpiry(life: AlarmLife): AlarmLife {
  const isCancelled = life.ackUntil !== undefined && (life.state !== 1 || life.mask !== undefined);
  return isCancelled ? { ...life, ackUntil: undefined } : life;
}

function refuse(reason: RefusalReason): Refusal {
  return { kind: 'refused', reason };
}

function isActive({ state }: AlarmLife): boolean {
  return state === 1 || state === 3;
}

/** True if the alarm was raised, is back to normal and acknowledged, and no delay is running. */
function isOver({ raisedAt, state, pendingSince }: AlarmLife): boolean {
  return raisedAt !== undefined && state === 0 && pendingSince === undefined;
}

/** Whether the condition is considered to hold, raised or still within its delay. */
function holds(life: AlarmLife): boolean {
  return isActive(life) || life.pendingSince !== undefined;
}

/** The delay of an alarm, in seconds, and since when its condition holds; undefined: it does not. */
type Delayed = { readonly rules: Pick<AlarmRules, 'alarmDelay'>; readonly pendingSince: number | undefined };

function delayEnd({ rules }: Pick<Delayed, 'rules'>, pendingSince: number): number {
  return pendingSince + rules.alarmDelay * 1000;
}

/** Returns when an alarm that is not raised will be, if its condition holds since before, or begins to at this time. */
export function raisedIfHeld(life: Delayed, at: number): number {
  return Math.max(at, delayEnd(life, life.pendingSince ?? at));
}

function returnDue({ returnSince }: AlarmLife): number | undefined {
  return returnSince === undefined ? undefined : returnSince + settledAfterMs;
}

/** Caps the debt of an alarm at its budget, so that it stops chattering soon after its source does. */
function chatterAfter({ chatterUntil = 0 }: AlarmLife, at: number): number {
  return Math.min(Math.max(chatterUntil, at), at + mostAtOnce * shareMs) + shareMs;
}

/** By our clock. */
function maskEnd({ mask }: AlarmLife, lead: number): number | undefined {
  return mask && mask.until + lead;
}

/** Returns the time at which the next delay, mask or acknowledgement ends, or a return of a chattering alarm has lasted. */
export function nextDueOf(life: AlarmLife, lead = 0): number | undefined {
  const returned = returnDue(life);
  const unmasked = maskEnd(life, lead);
  const ends = [
    ...(returned === undefined ? [] : [returned]),
    ...(life.pendingSince === undefined ? [] : [delayEnd(life, life.pendingSince)]),
    ...(unmasked === undefined ? [] : [unmasked]),
    ...(life.ackUntil === undefined ? [] : [life.ackUntil]),
  ];
  return ends.length === 0 ? undefined : Math.min(...ends);
}
