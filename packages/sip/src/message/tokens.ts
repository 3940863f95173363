// The small grammar that headers share: tokens, quoted strings, lists, and parameters.

const token = /^[A-Za-z0-9\-.!%*_+`'~]+$/;
const quotedString = /^"(?:[^"\\]|\\.)*"$/s;
const plainValue = /^[^\s;,"<>\\]+$/;

export type Parameters = ReadonlyMap<string, string | undefined>;

export function isToken(text: string): boolean {
  return token.test(text);
}

/** Splits at a separator outside of quotes and angle brackets; undefined when one of those is not closed. */
export function splitOutside(text: string, separator: ',' | ';'): string[] | undefined {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  let isBracketed = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '<' && !isBracketed) isBracketed = true;
    else if (character === '>' && isBracketed) isBracketed = false;
    else if (character === separator && !isBracketed) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  if (isQuoted || isBracketed) return undefined;
  parts.push(text.slice(start).trim());
  return parts;
}

/** Parses the parts of `;name=value` lists; names come in lower case, quoted values without their quotes. */
export function parseParameters(parts: readonly string[]): Map<string, string | undefined> | undefined {
  const parameters = new Map<string, string | undefined>();
  for (const part of parts) {
    const equals = part.indexOf('=');
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    const value = equals < 0 ? undefined : parseValue(part.slice(equals + 1).trim());
    if (!isToken(name) || value === null || parameters.has(name)) return undefined;
    parameters.set(name, value);
  }
  return parameters;
}

/** The value of a parameter; null when it is malformed. */
function parseValue(text: string): string | null {
  if (quotedString.test(text)) return unquote(text);
  return plainValue.test(text) ? text : null;
}

export function printParameters(parameters: Parameters): string {
  return [...parameters]
    .map(([name, value]) => `;${name}${value === undefined ? '' : `=${printValue(value)}`}`)
    .join('');
}

/** Prints hosts and tokens as they are, and everything else in quotes. */
function printValue(value: string): string {
  return /^[A-Za-z0-9\-.!%*_+`'~[\]:@/?&$=]+$/.test(value) ? value : quote(value);
}

export function isQuoted(text: string): boolean {
  return quotedString.test(text);
}

/** The contents of a quoted string, with its escapes resolved. */
export function unquote(text: string): string {
  return text.slice(1, -1).replaceAll(/\\(.)/gs, '$1');
}

export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Parses a whole number up to `most`; undefined for anything else. */
export function parseWhole(text: string | undefined, most = 0xffff_ffff): number | undefined {
  if (text === undefined || !/^\d{1,20}$/.test(text)) return undefined;
  const value = Number(text);
  return value <= most ? value : undefined;
}
