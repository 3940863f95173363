// Media, the files that alarms refer to by name: which names there can be, and of what type bytes are. Pure.

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

/** A file of the media store, without its content. */
export type MediaFile = {
  readonly name: string;
  readonly type: MediaType;
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since 1970, UTC. */
  readonly lastChange: number;
};

export const largestMediaFile = 4 * 1024 * 1024;

/** All files together: a script that runs wild must not fill the disk that alarms are written to. */
export const largestMediaStore = 1024 * 1024 * 1024;

/** To follow "must be". */
export const mediaNameRule =
  'a file name of 1 to 128 letters, digits, dots, hyphens and underscores that does not begin with a dot, has no two dots in a row and is no device of Windows, such as CON';

const deviceOfWindows = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Whether there can be a file of this name. It is only ever a key; the rule also keeps it harmless where it is saved. */
export function isMediaName(text: string): boolean {
  return /^[\w.-]{1,128}$/.test(text) && !text.startsWith('.') && !text.includes('..') && !deviceOfWindows.test(text);
}

/** The type of what the bytes are, whatever they are called; undefined when it is none that is taken. */
export function mediaTypeOf(bytes: Uint8Array): MediaType | undefined {
  if (endsAsArchive(bytes)) return undefined;
  const claimed = signatures.find(([, fits]) => fits(bytes))?.[0];
  if (claimed === 'application/pdf') return claimed;
  if (holdsPdf(bytes)) return undefined;
  const text = plainText(bytes);
  if (claimed !== undefined) return text === undefined ? claimed : undefined;
  return text === undefined || isMoreThanText(text) ? undefined : 'text/plain';
}

/** What is told by its first bytes; text is what remains. */
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

/** Whether the text, one byte a character, stands at that place. */
function has(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes[at + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}

/** Versions 2.2 to 2.4, and a size in which no byte has its top bit. */
function hasId3Tag(bytes: Uint8Array): boolean {
  const [version = 0, revision = 0xff, , ...size] = bytes.subarray(3, 10);
  const isSized = size.length === 4 && size.every((byte) => byte < 0x80);
  return has(bytes, 0, 'ID3') && version >= 2 && version <= 4 && revision !== 0xff && isSized;
}

/** Two frames in a row: the eleven bits by which one begins are found in too much else. */
function hasMp3Frames(bytes: Uint8Array): boolean {
  const length = mp3FrameLength(bytes, 0);
  return length !== undefined && mp3FrameLength(bytes, length) !== undefined;
}

const kilobits = {
  mpeg1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** The length in bytes of the layer III frame that begins at `at`; undefined when none does. */
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

/** A ZIP is read from its end, so one can hang on any picture; its last record is 22 bytes and a comment. */
function endsAsArchive(bytes: Uint8Array): boolean {
  const earliest = Math.max(0, bytes.length - 22 - 0xffff);
  for (let at = bytes.length - 22; at >= earliest; at--) {
    if (has(bytes, at, 'PK\x05\x06\0\0\0\0')) return true;
  }
  return false;
}

/** Readers take a PDF that begins anywhere in the first 1,024 bytes. */
function holdsPdf(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 1_024)).includes('%PDF-');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text, when the bytes are UTF-8 without control characters other than tabs and line ends. */
function plainText(bytes: Uint8Array): string | undefined {
  try {
    const text = utf8.decode(bytes);
    return /[^\P{Cc}\t\n\r]/u.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * Markup, scripts, PostScript, RTF. We would serve it as text/plain with nosniff, but a file is also mailed and saved, and
 * there a program may go by its look; every mark by which browsers tell HTML and XML from text begins with `<`.
 */
function isMoreThanText(text: string): boolean {
  return /^\s*(?:<|#!|%!|\{\\rtf)/i.test(text);
}
