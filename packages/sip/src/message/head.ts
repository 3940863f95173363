// The part of a message before its body, cut into the start line and header fields, as datagrams and streams share it.

import { fieldKey, type HeaderField } from './header-fields.ts';
import { isToken, parseWhole } from './tokens.ts';

export type Head = { readonly startLine: string; readonly fields: readonly HeaderField[] };

const mostFields = 200;

/** Cuts the text before the empty line; undefined when lines end otherwise than by CRLF or a line is no field. */
export function parseHead(text: string): Head | undefined {
  const [startLine = '', ...lines] = unfolded(text).split('\r\n');
  if (lines.length > mostFields || hasControls(startLine)) return undefined;
  const fields: HeaderField[] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trimEnd();
    if (!isToken(name) || hasControls(line)) return undefined;
    fields.push({ name, value: line.slice(colon + 1).trim() });
  }
  return { startLine, fields };
}

/**
 * Joins lines that begin with a blank to the line before, with one blank in place of all around the line end. Without a regular
 * expression, because one would look at a run of blanks again from each of them: anybody may send 64 kB of blanks.
 */
function unfolded(text: string): string {
  const pieces: string[] = [];
  let start = 0;
  for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n', end + 2)) {
    let next = end + 2;
    while (isBlank(text[next])) next += 1;
    if (next === end + 2) continue;
    let last = end;
    while (last > start && isBlank(text[last - 1])) last -= 1;
    pieces.push(text.slice(start, last));
    start = next;
  }
  return [...pieces, text.slice(start)].join(' ');
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

/** Whether the text has control characters other than tabs; a lone CR or LF among them. */
export function hasControls(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the subject.
  return /[\x00-\x08\x0a-\x1f\x7f]/.test(text);
}

export function valuesOf(head: Head, name: string): string[] {
  return head.fields.filter((field) => fieldKey(field.name) === name).map((field) => field.value);
}

/** The declared length of the body: absent, or `malformed` when it is no number or declared twice. */
export function declaredLength(head: Head): number | 'absent' | 'malformed' {
  const values = valuesOf(head, 'content-length');
  if (values.length === 0) return 'absent';
  return values.length > 1 ? 'malformed' : (parseWhole(values[0], 0x7fff_ffff) ?? 'malformed');
}
