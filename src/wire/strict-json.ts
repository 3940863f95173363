// Strict JSON parser: a scan before JSON.parse refuses input that JSON.parse accepts, and reports the position.

import { AppError, attempt, type FieldError } from '../errors.ts';
import { exactDigits, isRounded } from './exact-number.ts';
import { allItemTexts } from './json-outline.ts';

export type ParsedJson = {
  readonly value: unknown;
  /** Paths of numbers written with a point or an exponent: 1.0 and 1e3 are integers once parsed, but not as written. */
  readonly writtenAsFraction: readonly string[];
};

type PathSegment = string | number;
type Scan = {
  readonly text: string;
  at: number;
  readonly path: PathSegment[];
  readonly writtenAsFraction: string[];
  /** Set where mistakes that can be put right are noted instead of refused. */
  readonly mended?: FieldError[];
  /** Whether a number is written that JSON.parse would make another one of. */
  hasRounded?: boolean;
};

const maxNesting = 32;
const maxPathLength = 200;
const numberPattern = /-?(?:0|[1-9]\d*)((?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
const simpleEscapes: ReadonlySet<number> = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));
const words = ['true', 'false', 'null'];

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Parses `text`; throws an AppError that names the field, or the line and column, of the error. */
export function parseJson(text: string): ParsedJson {
  const fields = quickFieldCount(text);
  if (fields !== undefined) {
    const value = tryParse(text);
    if (value !== undefined && allowedFields(value) === fields) return { value, writtenAsFraction: [] };
  }
  return parseCarefully(text);
}

/** JSON of an intake, and what had to be put right in it. */
export type MendedJson = { readonly value: unknown; readonly mended: readonly FieldError[] };

/**
 * Parses the JSON of an intake: of a field that is given twice the last value counts, and characters that no database
 * stores become U+FFFD. A number that would become another one, as 12345678901234567890 and 1e400 would, is the text that was
 * sent. Refuses only what is no JSON, is nested too deep or has a forbidden name.
 */
export function parseIntakeJson(text: string): MendedJson {
  const fields = quickFieldCount(text);
  if (fields !== undefined) {
    const value = tryParse(text);
    if (value !== undefined && allowedFields(value) === fields) return { value, mended: [] };
  }
  const mended: FieldError[] = [];
  const scan: Scan = { text, at: 0, path: [], writtenAsFraction: [], mended };
  scanWhole(scan);
  if (scan.hasRounded) return { value: JSON.parse(text, exactValue), mended };
  return { value: mended.length === 0 ? JSON.parse(text) : JSON.parse(text, storableValue), mended };
}

function exactValue(key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  if (typeof value === 'number') return source !== undefined && isRounded(source) ? source : value;
  return storableValue(key, value);
}

function storableValue(_key: string, value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  if (entries.every(([key]) => isStorable(key))) return value;
  return Object.fromEntries(entries.map(([key, entry]) => [storableText(key), entry]));
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function storableText(text: string): string {
  return isStorable(text) ? text : text.toWellFormed().replaceAll('\0', '\ufffd');
}

/**
 * Parses the items of a list separately, so that an invalid item is refused alone. Returns undefined if `text` is not a
 * list; throws if it is not JSON at all.
 */
export function parseItems(text: string): readonly (ParsedJson | AppError)[] | undefined {
  const whole = attempt(() => parseJson(text));
  if (whole instanceof AppError) {
    if (!Array.isArray(tryParse(text))) throw whole;
    return allItemTexts(text).map((item) => attempt(() => parseJson(item)));
  }
  if (!Array.isArray(whole.value)) return undefined;
  const fractions = Map.groupBy(whole.writtenAsFraction, (path) => path.slice(0, path.indexOf(']') + 1));
  return whole.value.map((value, index) => {
    const own = fractions.get(`[${index}]`) ?? [];
    return { value, writtenAsFraction: own.map((path) => path.slice(path.indexOf(']') + 2)) };
  });
}

/** As parseItems, for an intake. */
export function parseIntakeItems(text: string): readonly (MendedJson | AppError)[] | undefined {
  const whole = attempt(() => parseIntakeJson(text));
  if (whole instanceof AppError) {
    if (!Array.isArray(tryParse(text))) throw whole;
    return allItemTexts(text).map((item) => attempt(() => parseIntakeJson(item)));
  }
  if (!Array.isArray(whole.value)) return undefined;
  const mended = Map.groupBy(whole.mended, ({ field }) => field.slice(0, field.indexOf(']') + 1));
  return whole.value.map((value, index) => {
    const own = mended.get(`[${index}]`) ?? [];
    return {
      value,
      mended: own.map(({ field, message }) => ({ field: field.slice(field.indexOf(']') + 2) || 'body', message })),
    };
  });
}

/** Whether `text` is JSON, also if this parser refuses it. */
export function isJson(text: string): boolean {
  return tryParse(text) !== undefined;
}

/**
 * Counts the fields written in `text`; undefined if it needs the careful scan because of its depth, a unicode escape, a
 * fraction or a long number. Measured for a body of 600 bytes on top of JSON.parse: careful scan 9 µs, quick scan and count 2.5 µs.
 */
function quickFieldCount(text: string): number | undefined {
  let fields = 0;
  let depth = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = plainStringEnd(text, at);
      if (at < 0) return undefined;
    } else if (code === colon) fields++;
    else if (code === openBrace || code === openBracket) {
      if (++depth > maxNesting) return undefined;
    } else if (code === closeBrace || code === closeBracket) depth--;
    else if (!isDigit(code)) {
      if (code === point) return undefined;
      digits = 0;
    } else if (++digits > exactDigits || isExponent(text.charCodeAt(at + 1))) return undefined;
  }
  return fields;
}

/** Returns the index of the closing quote; negative if the string has a unicode escape. */
function plainStringEnd(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === quote) return next;
    if (code === backslash && text.charCodeAt(++next) === 0x75) return -1;
  }
  return text.length;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Counts the fields of `value`; NaN if one has a forbidden name. Fewer than written means duplicates. */
function allowedFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let fields = 0;
  if (Array.isArray(value)) {
    for (const entry of value) fields += allowedFields(entry);
    return fields;
  }
  const object = value as Record<string, unknown>;
  for (const key in object) fields += isForbidden(key) ? Number.NaN : 1 + allowedFields(object[key]);
  return fields;
}

function parseCarefully(text: string): ParsedJson {
  const scan: Scan = { text, at: 0, path: [], writtenAsFraction: [] };
  scanWhole(scan);
  return { value: JSON.parse(text), writtenAsFraction: scan.writtenAsFraction };
}

function scanWhole(scan: Scan): void {
  readValue(scan, 0);
  if (!Number.isNaN(skipSpace(scan))) throw malformed(scan, 'nothing more');
}

/**
 * Prints a path such as `eventCondition.value` or `alarmActions[2].id`; `body` for the root. It is part of reasons that are
 * stored, so it has no characters that no database stores.
 */
function printPath(path: readonly PathSegment[]): string {
  let printed = '';
  for (const segment of path) {
    if (printed.length > maxPathLength) break;
    if (typeof segment === 'number') printed += `[${segment}]`;
    else printed += printed === '' ? segment : `.${segment}`;
  }
  return storableText(printed.slice(0, maxPathLength)) || 'body';
}

function readValue(scan: Scan, depth: number): void {
  const code = skipSpace(scan);
  if (code === quote) readString(scan, false);
  else if (code === openBrace) readObject(scan, depth + 1);
  else if (code === openBracket) readArray(scan, depth + 1);
  else if (code === minus || isDigit(code)) readNumber(scan);
  else readWord(scan);
}

function readObject(scan: Scan, depth: number): void {
  refuseDepth(scan, depth);
  scan.at++;
  if (skipSpace(scan) === closeBrace) {
    scan.at++;
    return;
  }
  const seen = new Set<string>();
  const level = scan.path.length;
  do {
    if (skipSpace(scan) !== quote) throw malformed(scan, 'a field name in double quotes');
    scan.path.length = level;
    const key = readString(scan, true);
    scan.path[level] = key;
    if (isForbidden(key)) throw refused(scan, 'is a name that is not allowed');
    if (seen.has(key)) repeated(scan);
    seen.add(key);
    if (skipSpace(scan) !== colon) throw malformed(scan, 'a colon');
    scan.at++;
    readValue(scan, depth);
  } while (hasNext(scan, closeBrace, 'a comma or a closing brace'));
  scan.path.length = level;
}

function repeated(scan: Scan): void {
  if (scan.mended === undefined) throw refused(scan, 'is given more than once');
  note(scan, 'is given more than once: the last value counts');
}

const maxNoted = 100;

function note({ mended = [], path }: Scan, message: string): void {
  if (mended.length < maxNoted) mended.push({ field: printPath(path), message });
}

function readArray(scan: Scan, depth: number): void {
  refuseDepth(scan, depth);
  scan.at++;
  if (skipSpace(scan) === closeBracket) {
    scan.at++;
    return;
  }
  const level = scan.path.length;
  let index = 0;
  do {
    scan.path[level] = index++;
    readValue(scan, depth);
  } while (hasNext(scan, closeBracket, 'a comma or a closing bracket'));
  scan.path.length = level;
}

function hasNext(scan: Scan, closing: number, expected: string): boolean {
  const code = skipSpace(scan);
  if (code !== comma && code !== closing) throw malformed(scan, expected);
  scan.at++;
  return code === comma;
}

/** Moves past a string; returns its content if it is a key or must be checked. */
function readString(scan: Scan, isKey: boolean): string {
  const { text } = scan;
  const start = scan.at;
  let hasEscape = false;
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
    if (code === backslash) {
      hasEscape = true;
      at = pastEscape(scan, at);
    } else if (code >= 0x20) at++;
    else {
      scan.at = at;
      throw malformed(scan, at < text.length ? 'control characters to be escaped' : 'a closing quote');
    }
  }
  scan.at = at + 1;
  if (hasEscape) return storable(scan, JSON.parse(text.slice(start, at + 1)), isKey);
  return isKey ? text.slice(start + 1, at) : '';
}

function pastEscape(scan: Scan, at: number): number {
  const { text } = scan;
  const escaped = text.charCodeAt(at + 1);
  if (simpleEscapes.has(escaped)) return at + 2;
  const isUnicode = escaped === 0x75 && [2, 3, 4, 5].every((next) => isHex(text.charCodeAt(at + next)));
  if (isUnicode) return at + 6;
  scan.at = at;
  throw malformed(scan, 'an escape that JSON knows');
}

// In a valid UTF-8 body these two can only come from an escape, and no database stores both of them.
function storable(scan: Scan, content: string, isKey: boolean): string {
  if (isStorable(content)) return content;
  if (scan.mended !== undefined) {
    note(scan, 'holds a NUL character or half of a surrogate pair, which became U+FFFD');
    return content;
  }
  const field = printPath(scan.path);
  const holder = isKey ? 'must not have a field whose name holds' : 'must not hold';
  const message = `${holder} a NUL character or half of a surrogate pair`;
  throw new AppError('unprocessable', `${field} ${message}.`, { errors: [{ field, message }] });
}

/** More than any batch of alarms with locations has. */
const maxFractions = 20_000;

function readNumber(scan: Scan): void {
  numberPattern.lastIndex = scan.at;
  const match = numberPattern.exec(scan.text);
  if (match === null) throw malformed(scan, 'a number');
  scan.at = numberPattern.lastIndex;
  if (scan.mended !== undefined) {
    scan.hasRounded ||= isRounded(match[0]);
    return;
  }
  if (match[1] === '') return;
  // The path of each is stored: without a limit, a body of nothing else would block the event loop.
  if (scan.writtenAsFraction.length >= maxFractions) {
    throw new AppError('invalid-input', `The body holds more than ${maxFractions} numbers with a fraction.`);
  }
  scan.writtenAsFraction.push(printPath(scan.path));
}

function readWord(scan: Scan): void {
  const word = words.find((candidate) => scan.text.startsWith(candidate, scan.at));
  if (word === undefined) throw malformed(scan, 'a value');
  scan.at += word.length;
}

// Comparing is faster than a Set here, because a key fresh from the text has no hash yet.
function isForbidden(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isHex = (code: number): boolean => isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66);
const isExponent = (code: number): boolean => code === 0x65 || code === 0x45;

/** Returns the code of the next character that is not white space; NaN at the end. */
function skipSpace(scan: Scan): number {
  let code = scan.text.charCodeAt(scan.at);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) code = scan.text.charCodeAt(++scan.at);
  return code;
}

function refuseDepth(scan: Scan, depth: number): void {
  if (depth > maxNesting) throw refused(scan, `is nested more than ${maxNesting} levels deep`);
}

function refused(scan: Scan, message: string): AppError {
  const field = printPath(scan.path);
  return new AppError('invalid-input', `${field} ${message}.`, { errors: [{ field, message }] });
}

function malformed({ text, at }: Scan, expected: string): AppError {
  let [line, lineBegin] = [1, 0];
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', lineBegin)) {
    line++;
    lineBegin = next + 1;
  }
  return new AppError('malformed-json', `Line ${line}, column ${at - lineBegin + 1}: expected ${expected}.`);
}
