// Unpacks compressed request bodies, and decodes bytes to text by the declared charset.

import { isUtf8 } from 'node:buffer';
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { ownTurn } from './own-turn.ts';

type Unpacked = (error: Error | null, bytes?: Buffer) => void;
type Unpack = (bytes: Buffer, options: ZlibOptions, done: (error: Error | null, result: Buffer) => void) => void;

const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: inflate,
  br: brotliDecompress as Unpack,
};

/** The encodings a body may have, in words. */
const encodings = 'gzip, deflate or br';

/** Returns the name of the body's encoding; undefined if it is not encoded, or in a way that is not known. */
export function contentEncoding(header: string | undefined): string | undefined {
  const name = nameOf(header);
  return Object.hasOwn(unpackers, name) ? name : undefined;
}

function nameOf(header: string | undefined): string {
  return header?.trim().toLowerCase() ?? '';
}

/** Throws on an encoding that is not known. */
export function checkEncoding(header: string | undefined): void {
  const name = nameOf(header);
  if (name === '' || name === 'identity' || Object.hasOwn(unpackers, name)) return;
  throw new AppError('unsupported-media-type', `Send the body as it is, or with Content-Encoding ${encodings}.`);
}

/** A body that unpacks to more than this many times its length is refused as an attack. */
const maxExpansion = 100;
/** Up to this unpacked length the ratio is not checked: a list of similar alarms, packed well, unpacks to several hundred times its length. */
const harmlessBytes = 2 ** 20;

/** Unpacks a body on a thread of Node's own; the limit counts for what it unpacks to. */
export function unpackBody(bytes: Buffer, encoding: string, limit: number, done: Unpacked): void {
  const mostExpanded = Math.max(harmlessBytes, maxExpansion * bytes.length);
  unpackers[encoding]?.(bytes, { maxOutputLength: Math.min(limit, mostExpanded) }, (error, result) => {
    if (error === null) done(null, result);
    else if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      done(
        new AppError(
          'body-too-large',
          mostExpanded < limit ? expandsTooMuch : 'The body is larger than this address takes.',
        ),
      );
    else done(new AppError('malformed-json', `The body is not valid ${encoding}.`, { cause: error }));
  });
}

const expandsTooMuch = `The body unpacks to more than ${maxExpansion} times its length.`;

/** Returns the charset that a content type declares, in lower case; undefined if it declares none. */
export function charsetOf(contentType: string | undefined): string | undefined {
  const declared = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType ?? '');
  return (declared?.[1] ?? declared?.[2])?.trim().toLowerCase();
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a body; refuses bytes that are no UTF-8 and charsets that are not known. */
export function decodeStrictly(bytes: Buffer, contentType: string | undefined): string {
  const charset = charsetOf(contentType);
  if (charset !== undefined && !isUtf8Name(charset)) return knownDecoder(charset).decode(bytes);
  try {
    return strictUtf8.decode(bytes);
  } catch (cause) {
    throw notUtf8(cause);
  }
}

function knownDecoder(charset: string): InstanceType<typeof TextDecoder> {
  const decoder = decoderOf(charset);
  if (decoder === undefined) throw new AppError('unsupported-media-type', `The charset ${charset} is not known.`);
  return decoder;
}

function notUtf8(cause: unknown): AppError {
  return new AppError('malformed-json', 'The body is not valid UTF-8.', { cause });
}

// US-ASCII is a subset of UTF-8.
function isUtf8Name(charset: string): boolean {
  return charset === 'utf-8' || charset === 'utf8' || charset === 'us-ascii';
}

/**
 * Decodes the body of an intake: by its byte order mark or declared charset, else as UTF-8 in which every byte that belongs to no valid
 * sequence is read as Windows-1252, because old sources mix both.
 */
export function decodeIntake(bytes: Buffer, contentType: string | undefined): string {
  const charset = markedCharset(bytes) ?? charsetOf(contentType);
  const decoder = charset === undefined || isUtf8Name(charset) ? undefined : decoderOf(charset);
  if (decoder !== undefined) return decoder.decode(bytes);
  const text = isUtf8(bytes) ? bytes.toString('utf8') : decodeMixed(bytes);
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Returns the charset that a byte order mark says; the name utf-16 alone would be read as utf-16le. */
function markedCharset(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : undefined;
}

const windows1252 = new TextDecoder('windows-1252');
const codes = Uint16Array.from({ length: 256 }, (_, byte) => windows1252.decode(Uint8Array.of(byte)).charCodeAt(0));

/** Written as UTF-16 into one buffer: adding up strings took 1.5 s for 8 MB. */
function decodeMixed(bytes: Buffer): string {
  // No sequence has more bytes than characters, and none makes more than one character of a byte.
  const text = Buffer.allocUnsafe(2 * bytes.length);
  let end = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length <= 1) end = text.writeUInt16LE(length === 1 ? (bytes[at] ?? 0) : (codes[bytes[at] ?? 0] ?? 0), end);
    else end += text.write(bytes.toString('utf8', at, at + length), end, 'utf16le');
    at += Math.max(1, length);
  }
  return text.toString('utf16le', 0, end);
}

/** Decodes one piece after another; the last call without one. */
type PieceDecoder = (piece?: Buffer) => string;

/**
 * Decodes a long body, as decodeIntake or decodeStrictly would, in slices between which other work runs.
 */
export async function decodeInSlices(
  bytes: Buffer,
  contentType: string | undefined,
  isIntake: boolean,
  slice: number,
): Promise<string> {
  const decode = isIntake ? intakePieces(bytes, contentType) : strictPieces(contentType);
  const pieces: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = wholeSequences(bytes, from + slice);
    pieces.push(decode(bytes.subarray(from, to)));
    from = to;
    await ownTurn();
  }
  pieces.push(decode());
  const text = pieces.join('');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Returns the last index up to `at` that does not lie within a UTF-8 sequence. */
function wholeSequences(bytes: Buffer, at: number): number {
  if (at >= bytes.length) return bytes.length;
  for (let back = 0; back < 4; back++) if (((bytes[at - back] ?? 0) & 0xc0) !== 0x80) return at - back;
  return at;
}

function intakePieces(bytes: Buffer, contentType: string | undefined): PieceDecoder {
  const charset = markedCharset(bytes) ?? charsetOf(contentType);
  const decoder = charset === undefined || isUtf8Name(charset) ? undefined : decoderOf(charset);
  if (decoder !== undefined) return streamed(decoder);
  return isUtf8(bytes) ? streamed(new TextDecoder()) : (piece) => (piece === undefined ? '' : decodeMixed(piece));
}

function strictPieces(contentType: string | undefined): PieceDecoder {
  const charset = charsetOf(contentType);
  if (charset !== undefined && !isUtf8Name(charset)) return streamed(knownDecoder(charset));
  const decode = streamed(new TextDecoder('utf-8', { fatal: true }));
  return (piece) => {
    try {
      return decode(piece);
    } catch (cause) {
      throw notUtf8(cause);
    }
  };
}

function streamed(decoder: InstanceType<typeof TextDecoder>): PieceDecoder {
  return (piece) => (piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true }));
}

/** Returns the length of the valid UTF-8 sequence at an index; 0 if there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const second = bytes[at + 1] ?? 0;
  // Longer forms of shorter sequences, surrogates, and numbers beyond Unicode are not valid.
  const isOdd =
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second > 0x9f) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second > 0x8f);
  if (isOdd) return 0;
  for (let next = at + 1; next < at + length; next++) if (((bytes[next] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}
