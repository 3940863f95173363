// Judges from outside what a console says while something fails: each line is true, or says of itself that it is not known, or
// the screen says that it is older.

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
  return sayings.some((saying) => saying.test(line));
}

/** Whether something of the screen is not read yet, or missing. */
export function isUnread(line: string): boolean {
  return /Reading|^Connecting$|No news|No connection|could not be read|not known, the/.test(line);
}

/** Lines that claim nothing: what surrounds figures, and forms. */
const claimsNothing = (line: string): boolean => /^[/·…×%,\s]*$/.test(line);

export type Seen = {
  readonly shown: readonly string[];
  /** What a console without faults shows of the same screen at the same time. */
  readonly truth: readonly string[];
  /** What was true on this page before the fault. */
  readonly before: readonly string[];
  /** Whether the page may stand between two events: what it shows was then true for a moment. */
  readonly isBetween: boolean;
};

/** The lines that are untrue and do not say so; `isLate`: the time in which what is older must be told as such is over. */
export function untrueIn({ shown, truth, before, isBetween }: Seen, isLate: boolean): readonly string[] {
  const others = (lines: readonly string[], known: ReadonlySet<string>) =>
    [...new Set(lines)].filter((line) => !known.has(line) && !isSaying(line) && !claimsNothing(line));
  const isTold = shown.some((line) => isSaying(line) && !truth.includes(line));
  const invented = others(shown, new Set([...truth, ...before]));
  if (isTold && isBetween) return [];
  if (isTold || !isLate) return invented;
  const older = others(shown, new Set(truth)).map((line) => `older: ${line}`);
  const missing = others(truth, new Set(shown)).map((line) => `missing: ${line}`);
  return [...invented, ...older, ...missing];
}

export function isSame(shown: readonly string[], truth: readonly string[]): boolean {
  return shown.join('\n') === truth.join('\n');
}
