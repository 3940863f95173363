// The life of an alarm: what each thing that can happen to it changes, and what follows from that. Pure.

import type {
  ActionList,
  AlarmCommand,
  AlarmLife,
  OccurrenceChange,
  Refusal,
  RefusalReason,
  Transition,
  TransitionReason,
} from './alarm.ts';

const whenReturned = { 0: 0, 1: 0, 2: 2, 3: 2 } as const;
const whenAcknowledged = { 0: 0, 1: 1, 2: 0, 3: 1 } as const;

export type Advance = {
  /** What should have happened before and was not done yet, to be applied first. */
  readonly due: readonly Transition[];
  readonly outcome: Transition | Refusal;
};

/**
 * What a command does, after what was due before it. A server that was stopped or a timer that is late thus changes when
 * an alarm is raised, never whether: a condition that held for its delay is raised even if its end is heard of first.
 */
export function advance(life: AlarmLife, command: AlarmCommand, now: number): Advance {
  const due = dueTransitions(life, now);
  return { due, outcome: transition(due.at(-1)?.life ?? life, command, now) };
}

/** What is due by now and has not been done yet, in order; this is all that a timer has to ask for. */
export function dueTransitions(life: AlarmLife, now: number): readonly Transition[] {
  const at = Math.max(now, life.lastChange);
  const next = nextDueOf(life);
  if (next === undefined || next > at) return [];
  // When both end at the same instant, the mask is over: what is raised then is called for.
  const first = life.mask?.until === next ? endMask(life, 'mask-expired', at) : elapse(life, at);
  return [first, ...dueTransitions(first.life, at)];
}

/** One step. It takes for granted that nothing else is due; `advance` sees to that. */
export function transition(life: AlarmLife, command: AlarmCommand, now: number): Transition | Refusal {
  // Times in a history never run backwards, whatever the clock does.
  const at = Math.max(now, life.lastChange);
  switch (command.kind) {
    case 'report':
      return report(life, command, at);
    case 'define':
      return informed(life, command.sourceTime, at, (now) => step(now, at, 'defined'));
    case 'unclear':
      return informed(life, command.sourceTime, at, (now) => step(now, at, holds(now) ? 'value-unclear' : 'defined'));
    case 'delayElapsed':
      return elapse(life, at);
    case 'acknowledge':
      return acknowledge(life, command, at);
    case 'reset':
      return reset(life, at);
    case 'mask':
      return mask(life, command, at);
    case 'unmask':
      return life.mask === undefined ? refuse('not-masked') : endMask(life, 'unmasked', at);
    case 'maskExpired':
      return life.mask === undefined || life.mask.until > at
        ? step(life, at, 'not-due')
        : endMask(life, 'mask-expired', at);
  }
}

type Command<K extends AlarmCommand['kind']> = Extract<AlarmCommand, { readonly kind: K }>;

function report(life: AlarmLife, { isRaised, sourceTime }: Command<'report'>, at: number): Transition {
  return informed(life, sourceTime, at, (now) => (isRaised ? reportRaised(now, at) : reportNormal(now, at)));
}

/** A source may be this far ahead of us, and its times still count against each other. */
const aheadMs = 60_000;

/**
 * What is older than what the source told last changes nothing. But a source whose clock was far ahead, and has been put
 * right, must not shut itself out until that time has come.
 */
function informed(
  life: AlarmLife,
  sourceTime: number | undefined,
  at: number,
  go: (life: AlarmLife) => Transition,
): Transition {
  if (sourceTime === undefined) return go(life);
  const last = life.sourceTime ?? sourceTime;
  const isPutRight = last > at + aheadMs && sourceTime <= at;
  if (sourceTime < last && !isPutRight) return step(life, at, 'stale');
  return go({ ...life, sourceTime });
}

function reportRaised(life: AlarmLife, at: number): Transition {
  const { transitory, reactivatable, resettable } = life.rules;
  if (isActive(life)) {
    // A transitory one that is active was not transitory when it was raised: its source will never report a return.
    if (reactivatable || (transitory && resettable)) return raise(life, at, 'reactivated');
    return step(life, at, 'updated', life.isLatched && !transitory ? { change: { isLatched: false } } : {});
  }
  if (life.pendingSince !== undefined) {
    // Its delay may have been made shorter just now.
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
  if (life.rules.resettable) return returnToNormal(life, 'returned', at);
  return life.isLatched ? step(life, at, 'updated') : step(life, at, 'latched', { change: { isLatched: true } });
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
      raisedAt: at,
    },
    occurrences: [...(isActive(life) ? [close] : []), { kind: 'open', at }, ...(returnsAtOnce ? [close] : [])],
    actions: returnsAtOnce ? ['alarm', 'reset'] : ['alarm'],
  });
}

function returnToNormal(life: AlarmLife, reason: 'returned' | 'reset', at: number): Transition {
  return step(life, at, reason, {
    change: { state: whenReturned[life.state], isLatched: false },
    occurrences: [{ kind: 'close', at }],
    actions: ['reset'],
    runningCalls: 'cancel-delayed',
  });
}

function acknowledge(life: AlarmLife, { by, comment }: Command<'acknowledge'>, at: number): Transition | Refusal {
  if (life.state === 0) return refuse('nothing-to-acknowledge');
  if (life.state === 1) return refuse('already-acknowledged');
  return step(life, at, 'acknowledged', {
    change: { state: whenAcknowledged[life.state] },
    occurrences: [{ kind: 'acknowledge', at, by, comment }],
    actions: ['ack'],
    runningCalls: 'end',
  });
}

/** An operator ends what the source has ended already; ending what still holds would hide it. */
function reset(life: AlarmLife, at: number): Transition | Refusal {
  if (!isActive(life)) return refuse('not-active');
  if (life.isLatched) return returnToNormal(life, 'reset', at);
  return refuse(life.rules.resettable ? 'not-latched' : 'still-active');
}

/** Masking what is masked replaces the mask. */
function mask(life: AlarmLife, { until, reason, by }: Command<'mask'>, at: number): Transition | Refusal {
  if (reason.trim() === '') return refuse('mask-reason-missing');
  if (until <= at) return refuse('mask-end-past');
  return step(life, at, 'masked', { change: { mask: { until, reason, by } }, runningCalls: 'end' });
}

/** What is over by now is not called for any more: it stays in the list, not acknowledged, for people to find awake. */
function endMask(life: AlarmLife, reason: 'unmasked' | 'mask-expired', at: number): Transition {
  return step(life, at, reason, { change: { mask: undefined }, actions: life.state === 3 ? ['alarm'] : [] });
}

type Effects = {
  readonly change?: Partial<Omit<AlarmLife, 'rules' | 'lastChange'>>;
  readonly occurrences?: readonly OccurrenceChange[];
  readonly actions?: readonly ActionList[];
  readonly runningCalls?: Transition['runningCalls'];
};

function step(before: AlarmLife, at: number, reason: TransitionReason, effects: Effects = {}): Transition {
  const { change, occurrences = [], runningCalls = 'go-on' } = effects;
  const life = change === undefined ? before : { ...before, ...change, lastChange: at };
  // Withheld, not lost: the end of the mask runs them if they are still called for.
  const actions = (effects.actions ?? []).filter((list) => list !== 'alarm' || life.mask === undefined);
  const isRemoved = life.rules.temporary && isOver(life) && !isOver(before);
  return {
    kind: 'accepted',
    reason,
    life,
    occurrences,
    actions,
    isAnnounced: actions.includes('alarm'),
    isChanged: occurrences.length > 0 || life.mask !== before.mask || life.isLatched !== before.isLatched,
    runningCalls,
    nextDue: isRemoved ? undefined : nextDueOf(life),
    isRemoved,
  };
}

function refuse(reason: RefusalReason): Refusal {
  return { kind: 'refused', reason };
}

function isActive({ state }: AlarmLife): boolean {
  return state === 1 || state === 3;
}

/** It was raised, and is back to normal and acknowledged. What is waiting out a delay is not over. */
function isOver({ raisedAt, state, pendingSince }: AlarmLife): boolean {
  return raisedAt !== undefined && state === 0 && pendingSince === undefined;
}

/** Whether its condition is taken to hold, raised or not yet. */
function holds(life: AlarmLife): boolean {
  return isActive(life) || life.pendingSince !== undefined;
}

function delayEnd({ rules }: AlarmLife, pendingSince: number): number {
  return pendingSince + rules.alarmDelay * 1000;
}

/** When a delay or a mask ends next. */
export function nextDueOf(life: AlarmLife): number | undefined {
  const ends = [
    ...(life.pendingSince === undefined ? [] : [delayEnd(life, life.pendingSince)]),
    ...(life.mask === undefined ? [] : [life.mask.until]),
  ];
  return ends.length === 0 ? undefined : Math.min(...ends);
}
