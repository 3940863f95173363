// Session descriptions (RFC 8866), parsed and printed: the parts that a telephone call needs; other lines are skipped.

import { isIP } from 'node:net';

export type Attribute = { readonly name: string; readonly value: string | undefined };

export type MediaDescription = {
  /** `audio`, `video`, `image`, … */
  readonly kind: string;
  /** Zero refuses or ends the stream. */
  readonly port: number;
  /** `RTP/AVP`, `RTP/SAVP`, `udptl`, … */
  readonly protocol: string;
  /** Payload types, for RTP. */
  readonly formats: readonly string[];
  /** The address of this stream; undefined: that of the session. */
  readonly address: string | undefined;
  readonly attributes: readonly Attribute[];
};

export type SessionDescription = {
  /** Of the `o=` line, as `version` and `origin`; empty and zero when it is missing or cannot be read, for nothing needs them. */
  readonly sessionId: string;
  readonly version: bigint;
  /** The address of the `o=` line, which names the session and is sent nothing. */
  readonly origin: string;
  /** The address of every stream that has none of its own. */
  readonly address: string | undefined;
  readonly attributes: readonly Attribute[];
  readonly media: readonly MediaDescription[];
};

/**
 * Thrown for a session description that cannot be used. `malformed`: it breaks the grammar (SIP answers 400);
 * `notAcceptable`: it offers or answers nothing that we can do (SIP answers 488).
 */
export class SdpError extends Error {
  readonly kind: 'malformed' | 'notAcceptable';

  constructor(kind: 'malformed' | 'notAcceptable', message: string) {
    super(message);
    this.name = 'SdpError';
    this.kind = kind;
  }
}

const mostCharacters = 65_536;
const mostStreams = 32;
const mostFormats = 128;

type DraftMedia = Omit<MediaDescription, 'address' | 'attributes'> & {
  address: string | undefined;
  attributes: Attribute[];
};
type Draft = {
  sessionId: string;
  version: bigint;
  origin: string;
  address: string | undefined;
  attributes: Attribute[];
  media: DraftMedia[];
};

/**
 * Parses a description; throws an SdpError that names the line. Line ends may be CR LF, as they should be, or LF. Lines that
 * are no `letter=value` are skipped like those of unknown letters: the person at the telephone is to be spoken to.
 */
export function parseDescription(text: string): SessionDescription {
  if (text.length > mostCharacters) throw malformed(`it has more than ${mostCharacters} characters`);
  const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
  if (lines[0]?.trim() !== 'v=0') throw malformed('it does not begin with v=0');
  const draft: Draft = {
    sessionId: '',
    version: 0n,
    origin: '',
    address: undefined,
    attributes: [],
    media: [],
  };
  for (const line of lines.slice(1)) readLine(draft, line);
  return draft;
}

function readLine(draft: Draft, line: string): void {
  const value = line.slice(2).trim();
  if (line[1] !== '=') return;
  const media = draft.media.at(-1);
  switch (line[0]) {
    case 'o':
      readOrigin(draft, value);
      break;
    case 'c':
      (media ?? draft).address = connectionAddress(value);
      break;
    case 'a':
      (media ?? draft).attributes.push(attributeOf(value));
      break;
    case 'm':
      if (draft.media.length >= mostStreams) throw malformed(`it has more than ${mostStreams} streams`);
      draft.media.push(mediaOf(value));
      break;
    default:
  }
}

function readOrigin(draft: Draft, value: string): void {
  const [, sessionId, version, address] = /^\S+ +(\S+) +(\d{1,20}) +IN +IP[46] +(\S+)$/i.exec(value) ?? [];
  if (sessionId === undefined || version === undefined || address === undefined) return;
  draft.sessionId = sessionId;
  draft.version = BigInt(version);
  draft.origin = address;
}

/**
 * Names of hosts are refused: nothing here resolves them. A time to live or a count of addresses after a slash belongs to
 * multicast, and is dropped.
 */
function connectionAddress(value: string): string {
  const [, family, address = ''] = /^IN +IP([46]) +([^\s/]+)(?:\/\S*)?$/i.exec(value) ?? [];
  if (family === undefined) throw malformed(`c=${shown(value)} is not "IN IP4 address" or "IN IP6 address"`);
  if (isIP(address) !== Number(family)) throw malformed(`c=${shown(value)} holds no IPv${family} address`);
  return address;
}

function attributeOf(value: string): Attribute {
  const colon = value.indexOf(':');
  if (colon < 0) return { name: value.toLowerCase(), value: undefined };
  return { name: value.slice(0, colon).trim().toLowerCase(), value: value.slice(colon + 1).trim() };
}

function mediaOf(value: string): DraftMedia {
  const [kind = '', portText = '', protocol = '', ...formats] = value.split(/ +/);
  const port = /^(\d{1,5})(?:\/\d{1,5})?$/.exec(portText)?.[1];
  if (port === undefined || Number(port) > 65_535 || !/^[\w/-]+$/.test(protocol) || !/^[\w-]+$/.test(kind))
    throw malformed(`m=${shown(value)} is not "kind port protocol formats"`);
  if (formats.length === 0 || formats.length > mostFormats || !formats.every((format) => /^[\w+.-]+$/.test(format)))
    throw malformed(`m=${shown(value)} has no list of formats`);
  return { kind: kind.toLowerCase(), port: Number(port), protocol, formats, address: undefined, attributes: [] };
}

function malformed(reason: string): SdpError {
  return new SdpError('malformed', `the session description is malformed: ${reason}`);
}

/** A piece of the peer's text that is safe in an error: printable and short. */
function shown(text: string): string {
  return text.slice(0, 60).replace(/[^\x20-\x7e]/g, '?');
}

export function printDescription({
  sessionId,
  version,
  origin,
  address,
  attributes,
  media,
}: SessionDescription): string {
  const lines = ['v=0', `o=- ${sessionId} ${version} IN ${withFamily(origin)}`, 's=-'];
  if (address !== undefined) lines.push(`c=IN ${withFamily(address)}`);
  lines.push('t=0 0', ...attributes.map(printAttribute));
  for (const stream of media) {
    lines.push(`m=${stream.kind} ${stream.port} ${stream.protocol} ${stream.formats.join(' ')}`);
    if (stream.address !== undefined) lines.push(`c=IN ${withFamily(stream.address)}`);
    lines.push(...stream.attributes.map(printAttribute));
  }
  return `${lines.join('\r\n')}\r\n`;
}

function printAttribute({ name, value }: Attribute): string {
  return value === undefined ? `a=${name}` : `a=${name}:${value}`;
}

function withFamily(address: string): string {
  return `IP${isIP(address) === 6 ? 6 : 4} ${address}`;
}
