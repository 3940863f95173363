// Which stored work is suspected of ending the server, which of it may be begun again now, and which is given up. Pure.

/**
 * `watched`: under way at one unplanned end. `suspect`: at two within ten minutes; begun after the others, and alone as soon as few
 * are left. `failed`: it was the only suspect under way at a further end, and is not begun again.
 */
export type QuarantineState = 'watched' | 'suspect' | 'failed';

/** What is known of a piece of work that was under way at unplanned ends; times in milliseconds. */
export type Quarantined = { readonly ends: readonly number[]; readonly state: QuarantineState };

/** Ends that are further apart are no sign of work that ends the server. */
const windowMs = 600_000;

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

/** How long suspects are watched before the next ones are begun: longer after each end, as their fault comes late. */
export function pauseAfter(ends: number): number {
  return ends <= 2 ? 1_000 : ends === 3 ? 5_000 : 30_000;
}

/**
 * How many of so many suspects are begun together: one alone if there are few. Of many, as after two kills in a storm of alarms, a
 * third: nearly all are innocent, and people wait for them.
 */
export function begunTogether(suspects: number): number {
  return Math.max(1, Math.floor(suspects / 3));
}
