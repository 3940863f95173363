// Media files that alarms refer to by name: the allowed names, and type detection from content. Pure.

export const mediaTypes = [
  'audio/wav',
  'audio/mpeg',
  'audio/ogg',
  'audio/flac',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
  'text/plain',
] as const;

export type MediaType = (typeof mediaTypes)[number];

/** Metadata of a media file. */
export type MediaFile = {
  readonly name: string;
  readonly type: MediaType;
  /** Size in bytes. */
  readonly size: number;
  /** Milliseconds since 1970, UTC. */
  readonly lastChange: number;
};

export const largestMediaFile = 4 * 1024 * 1024;

/** Limit of all files together, so that a runaway script cannot fill the disk that alarms are written to. */
export const largestMediaStore = 1024 * 1024 * 1024;

/** Completes a sentence that begins with "must be". */
export const mediaNameRule =
  'a file name of 1 to 128 letters, digits, dots, hyphens and underscores that does not begin with a dot, has no two dots in a row and is no device of Windows, such as CON';

const deviceOfWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * Whether the name is allowed. The store uses it only as a key; the rule also makes it safe where the file is saved.
 */
export function isMediaName(text: string): boolean {
  return /^[\w.-]{1,128}$/.test(text) && !text.startsWith('.') && !text.includes('..') && !deviceOfWindows.test(text);
}

/** Detects the type from the content, ignoring the name; undefined if the content is not an accepted type. */
export function mediaTypeOf(bytes: Uint8Array): MediaType | undefined {
  if (endsAsArchive(bytes)) return undefined;
  const claimed = signatures.find(([, fits]) => fits(bytes))?.[0];
  if (claimed === 'application/pdf') return claimed;
  if (holdsPdf(bytes)) return undefined;
  const text = plainText(bytes);
  if (claimed !== undefined) return text === undefined ? claimed : undefined;
  return text === undefined || isMoreThanText(text) ? undefined : 'text/plain';
}

/** Types detected by their first bytes; anything else can only be text. */
const signatures: readonly (readonly [type: MediaType, fits: (bytes: Uint8Array) => boolean])[] = [
  ['audio/wav', (bytes) => has(bytes, 0, 'RIFF') && has(bytes, 8, 'WAVE')],
  ['audio/mpeg', (bytes) => hasId3Tag(bytes) || hasMp3Frames(bytes)],
  ['audio/ogg', (bytes) => has(bytes, 0, 'OggS\0\x02')],
  ['audio/flac', (bytes) => has(bytes, 0, 'fLaC') && ((bytes[4] ?? 1) & 0x7f) === 0 && has(bytes, 5, '\0\0\x22')],
  ['image/png', (bytes) => has(bytes, 0, '\x89PNG\r\n\x1a\n\0\0\0\rIHDR')],
  ['image/jpeg', (bytes) => has(bytes, 0, '\xff\xd8\xff')],
  ['image/gif', (bytes) => has(bytes, 0, 'GIF87a') || has(bytes, 0, 'GIF89a')],
  ['image/webp', (bytes) => has(bytes, 0, 'RIFF') && has(bytes, 8, 'WEBPVP8')],
  ['application/pdf', (bytes) => has(bytes, 0, '%PDF-1.') || has(bytes, 0, '%PDF-2.')],
];

/** Whether `bytes` contains the text at offset `at`, one byte per character. */
function has(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** Accepts ID3 versions 2.2 to 2.4 with a size in which no byte has its top bit set. */
function hasId3Tag(bytes: Uint8Array): boolean {
  const [version = 0, revision = 0xff, , ...size] = bytes.subarray(3, 10);
  const isSized = size.length === 4 && size.every((byte) => byte < 0x80);
  return has(bytes, 0, 'ID3') && version >= 2 && version <= 4 && revision !== 0xff && isSized;
}

/** Requires two consecutive frames, because the eleven sync bits of one frame also occur in much other data. */
function hasMp3Frames(bytes: Uint8Array): boolean {
  const length = mp3FrameLength(bytes, 0);
  return length !== undefined && mp3FrameLength(bytes, length) !== undefined;
}

const kilobits = {
  mpeg1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** Returns the length in bytes of the layer III frame at `at`; undefined if there is none. */
function mp3FrameLength(bytes: Uint8Array, at: number): number | undefined {
  const [sync = 0, kind = 0, rates = 0] = bytes.subarray(at, at + 3);
  if (sync !== 0xff || (kind & 0xe6) !== 0xe2) return undefined;
  const version = (kind >> 3) & 3;
  const isMpeg1 = version === 3;
  const kilobit = kilobits[isMpeg1 ? 'mpeg1' : 'mpeg2'][(rates >> 4) - 1];
  const fullRate = [44_100, 48_000, 32_000][(rates >> 2) & 3];
  const divisor = [4, undefined, 2, 1][version];
  if (kilobit === undefined || fullRate === undefined || divisor === undefined) return undefined;
  return Math.floor(((isMpeg1 ? 144_000 : 72_000) * kilobit) / (fullRate / divisor)) + ((rates >> 1) & 1);
}

/**
 * ZIP readers start at the end of a file, so an archive can be appended to any picture. Its last record is 22 bytes and
 * a comment.
 */
function endsAsArchive(bytes: Uint8Array): boolean {
  const earliest = Math.max(0, bytes.length - 22 - 0xffff);
  for (let at = bytes.length - 22; at >= earliest; at--) {
    if (has(bytes, at, 'PK\x05\x06\0\0\0\0')) return true;
  }
  return false;
}

/** PDF readers accept a document that begins anywhere in the first 1,024 bytes. */
function holdsPdf(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 1_024)).includes('%PDF-');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 without control characters other than tabs and line ends; undefined for any other content. */
function plainText(bytes: Uint8Array): string | undefined {
  try {
    const text = utf8.decode(bytes);
    return /[^\P{Cc}\t\n\r]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * Detects markup, scripts, PostScript and RTF. We would serve them as text/plain with nosniff, but files are also
 * mailed and saved, where a program may detect the type by content; every marker by which browsers recognise HTML and
 * XML begins with `<`.
 */
function isMoreThanText(text: string): boolean {
  return /^\s*(?:<|#!|%!|\{\\rtf)/i.test(text);
}
