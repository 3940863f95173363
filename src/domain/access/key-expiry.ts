// When people are told that an API key will expire. Pure.

/** Days before the end at which somebody is told, once each. */
const warningDays = [30, 7, 1] as const;

const dayMs = 86_400_000;

/** The warning that is due now, as days before expiry; undefined when none is, or it was given already. */
export function dueWarning(expiresAt: number, warnedDays: number | undefined, now: number): number | undefined {
  if (now >= expiresAt) return undefined;
  const due = warningDays.filter((days) => expiresAt - now <= days * dayMs).at(-1);
  return due !== undefined && (warnedDays === undefined || due < warnedDays) ? due : undefined;
}
