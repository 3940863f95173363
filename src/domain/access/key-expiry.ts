// Decides when to warn that an API key will expire. Pure.

/** Days before expiry at which a warning is sent, once each. */
const warningDays = [30, 7, 1] as const;

const dayMs = 86_400_000;

/** Returns the warning due now, as days before expiry; undefined if none is due or it was sent already. */
export function dueWarning(expiresAt: number, warnedDays: number | undefined, now: number): number | undefined {
  if (now >= expiresAt) return undefined;
  const due = warningDays.filter((days) => expiresAt - now <= days * dayMs).at(-1);
  return due !== undefined && (warnedDays === undefined || due < warnedDays) ? due : undefined;
}
