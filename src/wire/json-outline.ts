// Looks at JSON before it is parsed: finds the items of a list, and refuses what would take too long to parse. Both are
// generators that pause after every slice of the text.

import { AppError } from '../errors.ts';

/** The fields that one object may have. */
const maxKeys = 10_000;

/**
 * The characters that one value may have outside of its strings: as many as a body of the usual limit. Larger bodies are
 * allowed for the sound or the items in them, not for more fields and numbers.
 */
const maxOutsideStrings = 256 * 1024;

/** A body with fewer characters cannot have an object with too many fields: each has two quotes, a colon, a value and a comma. */
export const harmlessLength = 5 * maxKeys - 1;

const maxNesting = 32;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Throws if one object has too many fields, or the text has too much outside of its strings. Yields after each slice. */
export function* checkOutline(text: string, slice: number): Generator<undefined, void> {
  const keys = new Uint32Array(maxNesting + 1);
  let depth = 0;
  let outside = 0;
  let isInString = false;
  let pauseAt = slice;
  for (let at = 0; at < text.length; at++) {
    if (at >= pauseAt) {
      pauseAt += slice;
      yield undefined;
    }
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at++;
      else if (code === quote) isInString = false;
      continue;
    }
    if (++outside > maxOutsideStrings) throw tooLarge('The body has too much in it beside its texts.');
    if (code === quote) isInString = true;
    else if (code === colon) {
      const count = (keys[depth] ?? 0) + 1;
      if (count > maxKeys) throw tooLarge(`An object in the body has more than ${maxKeys} fields.`);
      keys[depth] = count;
    } else if (code === openBrace || code === openBracket) {
      // The parser refuses it here, too.
      if (++depth > maxNesting) return;
      keys[depth] = 0;
    } else if (code === closeBrace || code === closeBracket) depth = Math.max(0, depth - 1);
  }
}

/** As checkOutline, without a pause. */
export function checkWholeOutline(text: string): void {
  checkOutline(text, text.length).next();
}

function tooLarge(sentence: string): AppError {
  return new AppError('body-too-large', sentence);
}

/**
 * Yields the source texts of the items of a list, and undefined after each slice. Returns whether `text` has the form of a
 * list; it is valid JSON if all items are too.
 */
export function* itemTexts(text: string, slice: number): Generator<string | undefined, boolean> {
  let depth = 0;
  let begin = 0;
  let hasItems = false;
  let isInString = false;
  let pauseAt = slice;
  for (let at = 0; at < text.length; at++) {
    if (at >= pauseAt) {
      pauseAt += slice;
      yield undefined;
    }
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === backslash) at++;
      else if (code === quote) isInString = false;
      continue;
    }
    if (depth === 0 && code !== openBracket && !isSpace(code)) return false;
    if (code === quote) isInString = true;
    else if (code === openBrace || code === openBracket) {
      if (++depth === 1) begin = at + 1;
    } else if (code === comma && depth === 1) {
      yield text.slice(begin, at);
      hasItems = true;
      begin = at + 1;
    } else if ((code === closeBrace || code === closeBracket) && --depth === 0) {
      const last = text.slice(begin, at);
      if (hasItems || last.trim() !== '') yield last;
      return code === closeBracket && text.slice(at + 1).trim() === '';
    }
  }
  return false;
}

/** The items of a list as one array. */
export function allItemTexts(text: string): readonly string[] {
  return [...itemTexts(text, text.length)].filter((item) => item !== undefined);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
