// Reads request bodies: accepted content types, UTF-8 decoding, JSON or form parsing.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import { type MendedJson, type ParsedJson, parseIntakeJson, parseJson } from '../wire/strict-json.ts';
import { contentEncoding, decodeIntake, decodeStrictly, unpackBody } from './body-encoding.ts';
import type { BodyType } from './route.ts';

const absent: () => ParsedJson = () => ({ value: {}, writtenAsFraction: [] });

/** Refuses a body by its headers, before any byte of it is read. */
export function checkContentType(headers: IncomingHttpHeaders, accepted: readonly BodyType[] | 'any'): void {
  contentEncoding(headers['content-encoding']);
  const given = headers['content-type'];
  if (accepted === 'any' || given === undefined) return;
  const type = mediaType(given);
  if (!accepted.some((candidate) => candidate === type)) {
    throw new AppError('unsupported-media-type', `Send the body as ${accepted.join(' or ')}.`);
  }
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
    if (error !== undefined) {
      done(error);
      return;
    }
    const bytes = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    const encoding = contentEncoding(request.headers['content-encoding']);
    if (encoding === undefined) done(null, bytes);
    else unpackBody(bytes, encoding, limit, done);
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
  const text = decodeStrictly(bytes, contentType);
  const isForm = mediaType(contentType ?? '') === 'application/x-www-form-urlencoded';
  return isForm ? { value: readForm(text), writtenAsFraction: [] } : parseJson(text);
}

/** Parses the body of an intake, whatever its content type. */
export function readIntakeBody(bytes: Buffer, contentType: string | undefined): MendedJson {
  return bytes.length === 0 ? { value: {}, mended: [] } : parseIntakeJson(decodeIntake(bytes, contentType));
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

/** Returns the media type in lower case; every kind of JSON is `application/json`. Parameters are ignored. */
function mediaType(header: string): string {
  if (header === 'application/json') return header;
  const type = (header.split(';', 1)[0] ?? '').trim().toLowerCase();
  return type === '' || type === 'text/json' || /^application\/[^;]+\+json$/.test(type) ? 'application/json' : type;
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
