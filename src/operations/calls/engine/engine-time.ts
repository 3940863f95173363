// Engine time: it advances only by what elapsed, whatever the clock is set to. Escalations are stored in it, and decisions
// compare durations in it; what people wrote in civil time follows the clock of the database.

import { referenceAt, timeNow, timeWhenReferenceShows, windowStart } from '../../../domain/clock-step.ts';
import { DecisionTime } from '../../../domain/escalation/world.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { readClockSteps } from '../../system/reference-time.ts';

export type EngineTime = {
  /** Changes when the clock was set. */
  readonly key: string;
  /** Engine time of an instant of the server's clock, past or future, as it is stored and moved when the clock is set. */
  readonly ofWait: (at: Instant) => number;
  /** Engine time of a recorded instant, which stays as it was when the clock is set. */
  readonly ofRecord: (at: Instant) => number;
  /** The server's clock at an instant of engine time. */
  readonly toClock: (engine: number) => Instant;
  /** The recorded instant at which a window of this length began. */
  readonly windowStart: (now: Instant, lengthMs: number) => Instant;
  /** The time of a decision at an instant of the server's clock. */
  readonly decisionAt: (now: Instant) => DecisionTime;
};

export async function readEngineTime(tx: ReadTx): Promise<EngineTime> {
  const steps = await readClockSteps(tx);
  const { forwards, forwardTotalMs } = steps;
  return {
    key: JSON.stringify(steps),
    ofWait: (at) => at - forwardTotalMs,
    ofRecord: (at) => timeNow(at, forwards) - forwardTotalMs,
    toClock: (engine) => engine + forwardTotalMs,
    windowStart: (now, lengthMs) => windowStart(now, lengthMs, forwards),
    decisionAt: (now) =>
      new DecisionTime(
        now - forwardTotalMs,
        referenceAt(now, steps),
        (civil) => timeWhenReferenceShows(civil, steps) - forwardTotalMs,
      ),
  };
}
