// Floods: from ten alarms in ten minutes on, until there are fewer than five. Pure.

export const floodSpanMs = 600_000;
const floodFrom = 10;
const floodUntil = 5;

/** Returns for counts of ten minutes that follow each other whether each is part of a flood. */
export function inFlood(counts: readonly number[]): readonly boolean[] {
  let isFlood = false;
  return counts.map((count) => {
    isFlood = count >= (isFlood ? floodUntil : floodFrom);
    return isFlood;
  });
}

export type TenMinutes = { readonly start: number; readonly alarms: number };
export type Flood = { readonly from: number; readonly to: number; readonly alarms: number };

/** Returns the floods in spans of ten minutes, which are in the order of time; where spans are missing there was none. */
export function findFloods(spans: readonly TenMinutes[]): readonly Flood[] {
  const floods: Flood[] = [];
  let open: Flood | undefined;
  for (const { start, alarms } of spans) {
    const going: Flood | undefined = open?.to === start ? open : undefined;
    if (going !== open && open !== undefined) floods.push(open);
    const end = start + floodSpanMs;
    if (going !== undefined && alarms >= floodUntil) open = { ...going, to: end, alarms: going.alarms + alarms };
    else {
      if (going !== undefined) floods.push(going);
      open = alarms >= floodFrom ? { from: start, to: end, alarms } : undefined;
    }
  }
  return open === undefined ? floods : [...floods, open];
}

/**
 * Returns the parts of a period that may hold floods, from its counts of hours: a flood begins in an hour with ten alarms or
 * more, and an hour that it goes through has more than that, so it ends in the hour after the last of them at the latest.
 */
export function floodPlaces(
  hours: readonly { readonly start: number; readonly alarms: number }[],
): readonly { readonly from: number; readonly to: number }[] {
  const hourMs = 3_600_000;
  const places: { from: number; to: number }[] = [];
  for (const { start, alarms } of hours) {
    if (alarms < floodFrom) continue;
    const last = places.at(-1);
    const to = start + 2 * hourMs;
    if (last !== undefined && start <= last.to) last.to = to;
    else places.push({ from: start, to });
  }
  return places;
}
