// When a duty that is given away now ends, unless another end is chosen. Pure.

type Slot = { readonly from: string; readonly to: string; readonly members: readonly { readonly userId: number }[] };

/** After this time, or with the duty itself if that is sooner: what comes after it is the duty of others. */
export function givenUntil(slots: readonly Slot[], userId: number | undefined, now: number, shortMs: number): number {
  const own = slots.filter(({ members }) => members.some((member) => member.userId === userId));
  let end = now;
  for (const { from, to } of own.toSorted((one, other) => Date.parse(one.from) - Date.parse(other.from)))
    if (Date.parse(from) <= end) end = Math.max(end, Date.parse(to));
  return end === now ? now + shortMs : Math.min(now + shortMs, end);
}
