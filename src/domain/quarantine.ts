// Which stored work is suspected of ending the server, which of it may be begun again now, and which is given up. Pure.

/** Every kind of stored work that a server takes by itself. Work of id 0 is all that is due of the kind at once. */
export const workKinds = {
  attempt: 'a call or a text to somebody',
  cause: 'a call group, person or number to be called; all of them: the decision on whom to call now',
  alarm: 'an alarm whose delay, mask or news ends',
  acknowledgement: 'an acknowledgement of many occurrences',
  move: 'tags that move to another data server, or take the new name of theirs',
  mail: 'a mail in a mailbox that is read for answers',
  calendar: 'the holiday calendar of a schedule',
  'hand-over': 'telling people that they come on or go off duty',
  source: 'looking for sources that are silent',
  audit: 'looking for calls that nobody sees to',
  purge: 'removing what is older than it is kept',
  seal: 'sealing the audit trail',
  demo: 'the demo plant',
} as const;

export type WorkKind = keyof typeof workKinds;

export type Work = { readonly kind: WorkKind; readonly id: number };

export function isWorkKind(kind: string): kind is WorkKind {
  return Object.hasOwn(workKinds, kind);
}

/** The kinds of which all that is due is begun at once, as long as none of it is suspected. */
const begunAtOnce: ReadonlySet<WorkKind> = new Set(['alarm', 'cause']);

/**
 * `watched`: under way at one unplanned end. `suspect`: at two within ten minutes; begun after the others, and alone as soon as few
 * are left. `failed`: it was the only suspect under way at a further end, and is not begun again.
 */
export type QuarantineState = 'watched' | 'suspect' | 'failed';

/** What is known of a piece of work that was under way at unplanned ends; times in milliseconds. */
export type Quarantined = { readonly ends: readonly number[]; readonly state: QuarantineState };

/** Ends that are further apart are no sign of work that ends the server. */
const windowMs = 600_000;
/** Longer than anybody needs to look at what was given up; then it is begun again. */
export const givenUpForMs = 604_800_000;

/** Returns what is known after one more end, at which `suspects` pieces of suspected work were under way on that server. */
export function afterEnd(
  known: Quarantined | undefined,
  now: number,
  { suspects }: { readonly suspects: number },
): Quarantined {
  const recent = known?.ends.filter((at) => Math.abs(now - at) <= windowMs) ?? [];
  const ends = [...recent, now];
  if (known?.state === 'suspect' && recent.length > 0) return { ends, state: suspects === 1 ? 'failed' : 'suspect' };
  return { ends, state: ends.length >= 2 ? 'suspect' : 'watched' };
}

function isAllOfKind({ kind, id }: Work): boolean {
  return id === 0 && begunAtOnce.has(kind);
}

/**
 * How many of the suspects under way at an end may have ended the server, as far as this work is concerned. All that is due of another
 * kind is not counted: decisions on calls are under way most of the time, and a call that ends the server would never be given up.
 */
export function suspectsBeside(suspects: readonly Work[]): (work: Work) => number {
  const kinds = suspects.filter(isAllOfKind).map(({ kind }) => kind);
  const others = suspects.length - kinds.length;
  return ({ kind }) => others + (kinds.includes(kind) ? 1 : 0);
}

/** All that is due of a kind is never given up: its rows are begun one by one instead, and the one that ends the server is found. */
export function afterEndOf(
  work: Work,
  known: Quarantined | undefined,
  now: number,
  at: { readonly suspects: number },
): Quarantined {
  const { ends, state } = afterEnd(known, now, at);
  return { ends, state: state === 'failed' && isAllOfKind(work) ? 'suspect' : state };
}

/** Whether work is begun last and alone: later, its ends say nothing any more. */
export function isSuspectAt({ ends, state }: Quarantined, now: number): boolean {
  return state === 'suspect' && ends.some((at) => Math.abs(now - at) <= windowMs);
}

export function isGivenUpAt({ ends, state }: Quarantined, now: number): boolean {
  return state === 'failed' && ends.some((at) => Math.abs(now - at) <= givenUpForMs);
}

/** How long suspects are watched before the next ones are begun: longer after each end, as their fault comes late. */
export function pauseAfter(ends: number): number {
  return ends <= 2 ? 1_000 : ends === 3 ? 5_000 : 30_000;
}

/** How long suspected work that nobody waits for is held back: until the calls that are suspects have been begun and watched. */
export function holdBackAfter(ends: number): number {
  return 10 * pauseAfter(ends);
}

/**
 * How many of so many suspects are begun together: one alone if there are few. Of many, as after two kills in a storm of alarms, a
 * third: nearly all are innocent, and people wait for them.
 */
export function begunTogether(suspects: number): number {
  return Math.max(1, Math.floor(suspects / 3));
}
