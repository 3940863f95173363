// The part of a message before its body, cut into the start line and header fields, as datagrams and streams share it.

import { fieldKey, type HeaderField } from './header-fields.ts';
import { isToken, parseWhole } from './tokens.ts';

export type Head = { readonly startLine: string; readonly fields: readonly HeaderField[] };

const mostFields = 200;

/** Cuts the text before the empty line; undefined when lines end otherwise than by CRLF or a line is no field. */
export function parseHead(text: string): Head | undefined {
  const unfolded = text.replaceAll(/[ \t]*\r\n[ \t]+/g, ' ');
  const [startLine = '', ...lines] = unfolded.split('\r\n');
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
