// What a simulated day of calls is made under, and what it comes to.

export type SimulatedDay = {
  readonly seed: number;
  readonly alarms: number;
  readonly attempts: number;
  readonly decisions: number;
  readonly dropped: number;
  readonly crashes: number;
  /** How often attempts were made again after a crash. */
  readonly repeated: number;
  readonly clockSteps: number;
  /** Changes that a look found although no wake was dropped. */
  readonly late: number;
  /** How often it was decided again while there was nothing to do, and how often that would have written something. */
  readonly again: number;
  readonly rewritten: number;
  /** What the checkers found, one sentence each; empty when all rules hold. */
  readonly violations: readonly string[];
};

/** On the day of a seed: which nodes there are, whether they crash, and the share of wakes that get lost. */
export function conditionsOn(seed: number) {
  const names = seed % 4 === 1 || seed % 4 === 3 ? ['a', 'b'] : ['a'];
  const hasCrashes = seed % 4 === 1 || seed % 4 === 2;
  const dropped = [0, 0, 0.3, 0, 1][seed % 5] ?? 0;
  return { names, hasCrashes, dropped };
}
