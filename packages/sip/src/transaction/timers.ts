// The clock port of the package and the intervals of RFC 3261.

import type { Guard } from '../guard.ts';

export type Cancel = () => void;

export type Timers = {
  /** Milliseconds, of a clock that only goes forward. */
  now(): number;
  after(ms: number, action: () => void): Cancel;
};

/** A timer that is late by this much: the process, or the whole machine, stood still. */
const lateMs = 1_000;
/** The time that it is given then, in which what has arrived meanwhile is read, and a peer that stood still as well answers. */
const graceMs = 2_000;

/** Timers that do not take a machine that stood still for a peer that does not answer. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  after(ms, action) {
    const waitMs = Math.min(ms, 0x7fff_ffff);
    const dueAt = performance.now() + waitMs;
    let timer = setTimeout(() => {
      if (performance.now() - dueAt < lateMs) action();
      else timer = setTimeout(action, graceMs);
    }, waitMs);
    return () => clearTimeout(timer);
  },
};

/** The same timers with every action under a guard. */
export function guardedTimers(timers: Timers, guard: Guard): Timers {
  return { now: () => timers.now(), after: (ms, action) => timers.after(ms, () => guard(action)) };
}

export type Timing = {
  /** The round trip that is assumed: the first retransmission comes after it. */
  readonly t1: number;
  /** The longest pause between retransmissions of everything but an INVITE. */
  readonly t2: number;
  /** How long the network may keep a message. */
  readonly t4: number;
};

export const standardTiming: Timing = { t1: 500, t2: 4_000, t4: 5_000 };

/** How long a transaction waits for the other side. */
export function patience({ t1 }: Timing): number {
  return 64 * t1;
}

/** Repeats an action after pauses that double up to a limit, until it is cancelled. */
export function repeat(timers: Timers, first: number, most: number, action: () => void): Cancel {
  let cancel: Cancel = () => {};
  const plan = (pause: number): void => {
    cancel = timers.after(pause, () => {
      plan(Math.min(pause * 2, most));
      action();
    });
  };
  plan(first);
  return () => cancel();
}
