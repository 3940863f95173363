// What a request may lead to that needs a right of its own, whichever route leads there. Pure.

/**
 * Each effect with the scopes that allow it: one of them is enough. A route has a scope for what it is; an effect that it has
 * only with some inputs is looked up here where it is decided. `test/acceptance/access/effects.test.ts` requests every route
 * without these scopes and sees that the effect does not happen.
 */
export const effectScopes = {
  /** A script of the server runs for an alarm: by an action of it, or by a scenario that is written or attached. */
  'run a script': ['commands:run'],
  /** Nobody is called any more for an alarm that nobody has taken: it is acknowledged, masked or removed. */
  'end calling': ['alarms:ack', 'alarms:mask', 'calls:control'],
  /** An acknowledgement names somebody else as who took the alarm. */
  'act for somebody else': ['calls:control'],
  /** A telephone number or another address of a person is shown in full, beside the journal and what administrators enter. */
  'see an address': ['directory:read'],
  /** Somebody has the duty, or has it no longer. With `alarms:ack` alone only the caller, from now on and for some days. */
  'change a duty': ['directory:write', 'alarms:ack', 'admin'],
  /** Somebody else has the duty, or the caller has it in the past or for long. */
  'plan a duty': ['directory:write'],
  /** What a person hears and presses on a simulated phone of somebody else, and the code that verifies their number. */
  'use the phone of somebody else': ['admin'],
} as const;

export type Effect = keyof typeof effectScopes;

/** `scopes` are those of the caller. */
export function mayCause({ scopes }: { readonly scopes: readonly string[] }, effect: Effect): boolean {
  return effectScopes[effect].some((scope) => scopes.includes(scope));
}

/** Says which scope an effect needs, for the sentence of a refusal. */
export function neededFor(effect: Effect): string {
  return `the scope ${effectScopes[effect].join(' or ')}`;
}
