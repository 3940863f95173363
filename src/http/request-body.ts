// Reads request bodies: accepted content types, UTF-8 decoding, JSON or form parsing.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import { type ParsedJson, parseJson } from '../wire/strict-json.ts';
import type { BodyType } from './route.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const absent: () => ParsedJson = () => ({ value: {}, writtenAsFraction: [] });

/** Refuses a body by its headers, before any byte of it is read. */
export function checkContentType(headers: IncomingHttpHeaders, accepted: readonly BodyType[] | 'any'): void {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('unsupported-media-type', 'Send the body uncompressed, without a Content-Encoding header.');
  }
  if (accepted === 'any') return;
  const given = headers['content-type'];
  if (given === undefined && isEmpty(headers)) return;
  const type = mediaType(given ?? '');
  if (!accepted.some((candidate) => candidate === type)) {
    throw new AppError('unsupported-media-type', `Send the body as ${accepted.join(' or ')}, in UTF-8.`);
  }
}

function isEmpty(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/** Collects the bytes of a body. A body that arrives in one chunk, as most do, is not copied. */
export function gatherBody(
  request: IncomingMessage,
  limit: number,
  done: (error: Error | null, bytes?: Buffer) => void,
): void {
  if (Number(request.headers['content-length']) > limit) {
    done(tooLarge());
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  let isDone = false;
  const end = (error?: Error): void => {
    if (isDone) return;
    isDone = true;
    if (error === undefined) done(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    else done(error);
  };
  request.on('data', (piece: Buffer) => {
    length += piece.length;
    if (length > limit) end(tooLarge());
    else chunks.push(piece);
  });
  request.on('end', end);
  request.on('error', end);
}

function tooLarge(): AppError {
  return new AppError('body-too-large', 'The body is larger than this address takes.');
}

/** Parses a body; an empty one counts as an object without fields. */
export function readBody(bytes: Buffer, contentType: string | undefined): ParsedJson {
  if (bytes.length === 0) return absent();
  const text = decode(bytes);
  const isForm = mediaType(contentType ?? '') === 'application/x-www-form-urlencoded';
  return isForm ? { value: readForm(text), writtenAsFraction: [] } : parseJson(text);
}

/**
 * A 64-bit fingerprint of a body. It need not be cryptographic, because nobody gains from a collision; SHA-256 of the
 * parsed body took a tenth of a request.
 */
export function fingerprintOf(bytes: Uint8Array): string {
  let one = 0x811c9dc5;
  let other = 0x41c6ce57;
  // Indexing is four times as fast as for-of over the bytes.
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    one = Math.imul(one ^ byte, 0x9e3779b1);
    other = Math.imul(other ^ byte, 0x5f356495);
  }
  return `${one}.${other}`;
}

// An unclosed quotation extends to the end, so that no header causes long backtracking.
const partOfType = /(?:[^;"]|"(?:[^"\\]|\\.?)*(?:"|$))+/g;
// US-ASCII is a subset of UTF-8.
const otherCharset = /^\s*charset\s*=(?!\s*"?(?:utf-?8|us-ascii)"?\s*$)/;

/** Returns the media type in lower case; '' if the charset is not UTF-8. Other parameters are ignored. */
function mediaType(header: string): string {
  if (header === 'application/json') return header;
  const lower = header.toLowerCase();
  const isOther = lower.match(partOfType)?.some((part) => otherCharset.test(part)) ?? false;
  return isOther ? '' : (lower.split(';', 1)[0] ?? '').trim();
}

export function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new AppError('malformed-json', 'The body is not valid UTF-8.', { cause });
  }
}

function readForm(text: string): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [field, value] of new URLSearchParams(text)) {
    const message = fields.has(field) ? 'is given more than once' : 'must not hold a NUL character';
    if (fields.has(field) || value.includes('\0')) {
      throw new AppError('invalid-input', `${field} ${message}.`, { errors: [{ field, message }] });
    }
    fields.set(field, value);
  }
  return Object.fromEntries(fields);
}
