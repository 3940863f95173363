// Judges from outside what a console says while something fails: each line is true at its place, or says of itself that it is not
// known, or the screen says that it is older.

import { textOf } from './texts.ts';

/** What says that something is not known, is being read, is older, or that nothing comes. */
const sayings = [
  /–$/,
  /^– /,
  /not known/,
  /could not be read/,
  /Reading/,
  /^(?:Next try|Trying)/,
  /The proxy refuses this/,
  /does not answer/,
  /No news|no news/,
  /has not been heard/,
  /^Connecting$/,
  /No connection/,
  /Your session has ended/,
  /^Try now$/,
  /without this screen/,
  /^≈/,
  /#\d/,
];

export function isSaying(line: string): boolean {
  return sayings.some((saying) => saying.test(textOf(line)));
}

/** Whether something of the screen is not read yet, or missing. */
export function isUnread(line: string): boolean {
  return /Reading|^Connecting$|No news|No connection|could not be read|not known, the/.test(textOf(line));
}

/** Lines that claim nothing: what surrounds figures, and forms. */
const claimsNothing = (line: string): boolean => /^[/·…×%,\s]*$/.test(textOf(line));

export type Seen = {
  readonly shown: readonly string[];
  /** What a console without faults shows of the same screen at the same time. */
  readonly truth: readonly string[];
  /** The screens that were true before the fault. */
  readonly before: readonly (readonly string[])[];
  /** Whether the page may stand between two events: what it shows was then true for a moment. */
  readonly isBetween: boolean;
};

/** The lines that are untrue and do not say so; `isLate`: the time in which what is older must be told as such is over. */
export function untrueIn({ shown, truth, before, isBetween }: Seen, isLate: boolean): readonly string[] {
  const isTold = shown.some((line) => isSaying(line) && !truth.includes(line));
  const invented = beyond(shown, [truth, ...before]);
  if (isTold && isBetween) return [];
  if (isTold || !isLate) return invented;
  const older = beyond(shown, [truth]).map((line) => `older: ${line}`);
  const missing = beyond(truth, [shown]).map((line) => `missing: ${line}`);
  return [...invented, ...older, ...missing];
}

/** The lines that stand at their places more often than on any of the known screens. */
function beyond(lines: readonly string[], known: readonly (readonly string[])[]): readonly string[] {
  const counts = known.map(countsOf);
  return [...countsOf(lines)]
    .filter(([line, count]) => counts.every((of) => (of.get(line) ?? 0) < count))
    .map(([line]) => line)
    .filter((line) => !isSaying(line) && !claimsNothing(line));
}

function countsOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

export function isSame(shown: readonly string[], truth: readonly string[]): boolean {
  return shown.join('\n') === truth.join('\n');
}
