// The files of a spool: their names, their order, their content, and which go when there are too many. Pure.
// `contrib/tocsin-send` reads and writes the same.

import { type Kind, kinds } from './report.ts';

const digits = 12;
const pattern = new RegExp(`^(\\d{${digits}})-(${kinds.join('|')})-[0-9a-f]{32}$`);
export const mostItems = 10_000;

/** Returns the names of reports among the files of a folder, the oldest first. */
export function itemNames(files: readonly string[]): readonly string[] {
  return files.filter((name) => pattern.test(name)).sort();
}

/** Returns a name after all others; it is also the key by which the server knows a repetition. */
export function nextName(waiting: readonly string[], kind: Kind, random: string): string {
  const number = Number(waiting.at(-1)?.slice(0, digits) ?? 0) + 1;
  return `${String(number).padStart(digits, '0')}-${kind}-${random}`;
}

/**
 * Returns what goes so that one more report fits: the oldest values, then the oldest of all. Undefined when the new one itself is
 * a value and only raises and returns wait: then it is the new one.
 */
export function namesToDrop(waiting: readonly string[], added: Kind, most = mostItems): readonly string[] | undefined {
  const count = waiting.length - most + 1;
  if (count <= 0) return [];
  const isValue = (name: string): boolean => pattern.exec(name)?.[2] === 'value';
  const values = waiting.filter(isValue).slice(0, count);
  if (values.length === count) return values;
  if (added === 'value') return undefined;
  return [...values, ...waiting.filter((name) => !isValue(name)).slice(0, count - values.length)];
}

export type Item = {
  /** As a JSON string. */
  readonly path: string;
  /** The bytes to post. */
  readonly body: string;
};

/** Three lines: the path, when it was reported, the body. */
export function textOf({ path, body }: Item, reportedAt: string): string {
  return `${path}\n${reportedAt}\n${body}`;
}

/** Returns undefined for a file that is not a report. */
export function itemFrom(text: string): Item | undefined {
  const [path = '', , body] = text.split('\n');
  return path === '' || !body ? undefined : { path, body };
}

/** Returns the names in the order in which they are sent: those of one path first, so that old values of others do not hold up an alarm. */
export function inOrder<T extends { readonly path: string }>(items: readonly T[], first: string): readonly T[] {
  return [...items.filter(({ path }) => path === first), ...items.filter(({ path }) => path !== first)];
}
