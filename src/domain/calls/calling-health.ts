// Health of calling: whether somebody can be reached for the last resort and everything open is followed up. Pure.

export const callingTroubles = {
  'nobody-reachable':
    'nobody can be reached for the last resort: give an administrator, or somebody on duty in the last-resort group, a number that can be called',
  'number-not-verified':
    'somebody could be reached for the last resort if their number were verified: have a code sent to it and enter the code',
  'last-resort-unanswered': 'the last resort was called in vain: this ends when somebody takes the alarm',
  'call-set-aside':
    'somebody is not called because of a fault in Tocsin: an alarm names whom, and it is tried again every minute',
  'gaps-found': 'calls without a next step were found and repaired: this ends with the next clean audit',
  'not-audited': 'open calls have not been audited for two minutes',
  'engine-stalled': 'the call engine has not completed a cycle for 30 s',
  'events-delayed':
    'changes are stored that were not pushed for 5 s: consoles show an old state, and an acknowledgement stops no telephone',
  'database-unavailable': 'the database cannot be read, or is damaged',
} as const;

export type CallingTrouble = keyof typeof callingTroubles;

export type CallingHealth = {
  readonly troubles: readonly CallingTrouble[];
  /** Whether only simulated phones ring. */
  readonly isSimulated: boolean;
};

export type CallingState = {
  /** Whether only simulated phones ring. */
  readonly isSimulated: boolean;
  /** Whether somebody could be reached for the last resort now. */
  readonly isLastResortReachable: boolean;
  /** Whether nobody could be reached, and somebody could if all numbers were verified. */
  readonly isLastResortUnverified: boolean;
  /** Whether the last resort was called in vain for an alarm that nobody has taken yet. */
  readonly isLastResortUnanswered: boolean;
  /** Whether a cause waits because a fault keeps it from being decided on. */
  readonly isSetAside: boolean;
};

/** The newest audit of open calls and the newest completed cycle of the engine, with monotonic times, and the age of what was not pushed. */
export type EngineProgress = {
  readonly audit: { readonly at: number; readonly isClean: boolean };
  readonly cycleAt: number;
  readonly eventDelayMs: number;
};

/** Two missed audits. */
const auditedWithinMs = 130_000;
const cycleWithinMs = 30_000;
const pushedWithinMs = 5_000;

/** Returns everything that is wrong; `state` is undefined if the database could not be read. */
export function troublesOf(
  state: CallingState | undefined,
  { audit, cycleAt, eventDelayMs }: EngineProgress,
  now: number,
): readonly CallingTrouble[] {
  const found: readonly (CallingTrouble | false)[] = [
    state === undefined && 'database-unavailable',
    state?.isLastResortReachable === false && 'nobody-reachable',
    state?.isLastResortUnverified === true && 'number-not-verified',
    state?.isLastResortUnanswered === true && 'last-resort-unanswered',
    state?.isSetAside === true && 'call-set-aside',
    !audit.isClean && 'gaps-found',
    now - audit.at > auditedWithinMs && 'not-audited',
    now - cycleAt > cycleWithinMs && 'engine-stalled',
    eventDelayMs > pushedWithinMs && 'events-delayed',
  ];
  return found.filter((trouble) => trouble !== false);
}
