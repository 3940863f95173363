// The clock of production: wall time, watched for being set to another time. Tests bring their own.

/** Milliseconds since 1970, UTC. */
export type Clock = { now(): number };

/** Less than this apart from the monotonic clock is ordinary slewing. */
const stepMs = 2_000;

/** Wall time; tells `onStep` by how much it was set, forward or back, since it was last asked. */
export function systemClock(onStep: (byMs: number) => void): Clock {
  const apart = (): number => Date.now() - performance.now();
  let usual = apart();
  return {
    now() {
      const step = apart() - usual;
      if (Math.abs(step) > 1) usual += step;
      if (Math.abs(step) > stepMs) onStep(Math.round(step));
      return Date.now();
    },
  };
}
