// Parses one message; what is malformed becomes a value that says whether it can be answered, never an exception.

import { declaredLength, type Head, parseHead, valuesOf } from './head.ts';
import { fieldKey, HeaderFields } from './header-fields.ts';
import { messageLimit, type SipMessage } from './message.ts';
import { isUri, type NameAddress, parseNameAddress, parseNameAddresses } from './name-address.ts';
import { isToken, parseWhole } from './tokens.ts';
import { parseUri } from './uri.ts';
import { parseVias, type Via } from './via.ts';

/** The values of a malformed request, as they came, that a response to it needs. */
export type Answerable = {
  readonly status: 400 | 505;
  readonly vias: readonly Via[];
  readonly from: string;
  readonly to: string;
  readonly callId: string;
  readonly cseq: string;
};

export type Malformed = { readonly kind: 'malformed'; readonly reason: string; readonly answerable?: Answerable };

export type Parsed = SipMessage | Malformed;

/** A reason to refuse the message, thrown and caught within this file. */
class Refusal extends Error {
  readonly status: 400 | 505;

  constructor(reason: string, status: 400 | 505 = 400) {
    super(reason);
    this.status = status;
  }
}

/** Parses the bytes of one datagram, or of one message cut out of a stream; bytes beyond the declared length are ignored. */
export function parseMessage(bytes: Buffer): Parsed {
  const start = firstByteAfterLineEnds(bytes);
  const end = bytes.indexOf('\r\n\r\n', start, 'latin1');
  if (bytes.length > messageLimit) return { kind: 'malformed', reason: 'larger than 64 KiB' };
  if (end < 0) return { kind: 'malformed', reason: 'no empty line after the headers' };
  const head = parseHead(bytes.toString('utf8', start, end));
  if (head === undefined) return { kind: 'malformed', reason: 'a line is no header field' };
  try {
    return messageOf(head, bytes.subarray(end + 4));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const answerable = answerableOf(head, error.status);
    return { kind: 'malformed', reason: error.message, ...(answerable && { answerable }) };
  }
}

function firstByteAfterLineEnds(bytes: Buffer): number {
  let start = 0;
  while (bytes[start] === 0x0d || bytes[start] === 0x0a) start += 1;
  return start;
}

function messageOf(head: Head, rest: Buffer): SipMessage {
  const line = parseStartLine(head.startLine);
  const vias = listOf(head, 'via', parseVias);
  const cseq = cseqOf(head);
  const common = {
    vias,
    from: addressOf(head, 'from'),
    to: addressOf(head, 'to'),
    callId: callIdOf(head),
    cseq,
    headers: new HeaderFields(head.fields.filter(({ name }) => !ownFields.has(fieldKey(name)))),
    body: bodyOf(head, rest),
  };
  if (vias.length === 0) throw new Refusal('no Via');
  checkOtherFields(head);
  if (line.kind === 'response') return { ...line, ...common, headers: withoutOddContact(common.headers) };
  if (contactsOf(common.headers).some((contact) => !isContact(contact))) throw new Refusal('malformed contact');
  if (cseq.method !== line.method) throw new Refusal('the method of CSeq is another one');
  return { ...line, ...common, maxForwards: maxForwardsOf(head) };
}

/** The fields that a message has apart from its other headers. */
const ownFields = new Set(['via', 'from', 'to', 'call-id', 'cseq', 'max-forwards', 'content-length']);

type StartLine =
  | { readonly kind: 'request'; readonly method: string; readonly uri: string }
  | { readonly kind: 'response'; readonly status: number; readonly reason: string };

function parseStartLine(line: string): StartLine {
  // With `s`, because a phrase may have the line separators of Unicode; those of SIP are none of this line.
  const [, status, reason] = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/is.exec(line) ?? [];
  if (status !== undefined) return { kind: 'response', status: Number(status), reason: reason ?? '' };
  const [, method, uri, version] = /^(\S+) (\S+) (SIP\/\d+\.\d+)$/i.exec(line) ?? [];
  if (method === undefined || uri === undefined || version === undefined) throw new Refusal('malformed start line');
  if (version.toUpperCase() !== 'SIP/2.0') throw new Refusal('another version of SIP', 505);
  if (!isToken(method) || !isUri(uri)) throw new Refusal('malformed request line');
  // Headers in a request URI would be a second way to write the headers of this request.
  if (parseUri(uri)?.headers !== undefined) throw new Refusal('headers in the request URI');
  return { kind: 'request', method, uri };
}

function listOf<T>(head: Head, name: string, parse: (text: string) => T[] | undefined): T[] {
  return valuesOf(head, name).flatMap((value) => {
    const parsed = parse(value);
    if (parsed === undefined) throw new Refusal(`malformed ${name}`);
    return parsed;
  });
}

function single(head: Head, name: string): string {
  const [value, ...others] = valuesOf(head, name);
  if (value === undefined || others.length > 0) throw new Refusal(`${name} must be there once`);
  return value;
}

function addressOf(head: Head, name: string): NameAddress {
  const address = parseNameAddress(single(head, name));
  if (address === undefined) throw new Refusal(`malformed ${name}`);
  return address;
}

function callIdOf(head: Head): string {
  const value = single(head, 'call-id');
  if (!/^[\x21-\x7e]{1,1024}$/.test(value)) throw new Refusal('malformed call-id');
  return value;
}

function cseqOf(head: Head): { number: number; method: string } {
  const [, digits, method] = /^(\d+)\s+(\S+)$/.exec(single(head, 'cseq')) ?? [];
  const number = parseWhole(digits, 0x7fff_ffff);
  if (number === undefined || method === undefined || !isToken(method)) throw new Refusal('malformed cseq');
  return { number, method };
}

/** RFC 2543 had no Max-Forwards; absent, it is the default of 70. */
function maxForwardsOf(head: Head): number {
  if (valuesOf(head, 'max-forwards').length === 0) return 70;
  const value = parseWhole(single(head, 'max-forwards'), 255);
  if (value === undefined) throw new Refusal('malformed max-forwards');
  return value;
}

function bodyOf(head: Head, rest: Buffer): Buffer {
  const length = declaredLength(head);
  if (length === 'absent') return rest;
  if (length === 'malformed' || length > rest.length) throw new Refusal('malformed content-length');
  return rest.subarray(0, length);
}

const onceAtMost = ['content-type', 'expires', 'session-expires', 'min-se', 'retry-after', 'min-expires'];

/** Refuses fields that are used later and that two readers could understand in two ways. */
function checkOtherFields(head: Head): void {
  for (const name of onceAtMost) if (valuesOf(head, name).length > 1) throw new Refusal(`${name} is there twice`);
  for (const name of ['route', 'record-route']) listOf(head, name, parseNameAddresses);
  const expires = valuesOf(head, 'expires')[0];
  if (expires !== undefined && parseWhole(expires) === undefined) throw new Refusal('malformed expires');
}

/** An answer whose Contact cannot be used is taken without it: a telephone must not ring on because nobody has heard it answer. */
function withoutOddContact(headers: HeaderFields): HeaderFields {
  return contactsOf(headers).every(isContact) ? headers : headers.without('Contact');
}

function contactsOf(headers: HeaderFields): readonly string[] {
  return headers.getAll('Contact').filter((value) => value !== '*');
}

function isContact(value: string): boolean {
  const addresses = parseNameAddresses(value);
  return addresses?.every(({ parameters }) => isWholeOrAbsent(parameters.get('expires'))) ?? false;
}

function isWholeOrAbsent(text: string | undefined): boolean {
  return text === undefined || parseWhole(text) !== undefined;
}

/** A response can be made for a request with readable Vias and the other four fields once each; none is made for an ACK. */
function answerableOf(head: Head, status: 400 | 505): Answerable | undefined {
  const [via] = valuesOf(head, 'via');
  const vias = via === undefined ? undefined : parseVias(valuesOf(head, 'via').join(','));
  const [from, to, callId, cseq] = ['from', 'to', 'call-id', 'cseq'].map((name) => valuesOf(head, name)[0]);
  if (vias === undefined || !from || !to || !callId || !cseq) return undefined;
  if (/^SIP\//i.test(head.startLine) || /^ACK\b/.test(head.startLine) || /\bACK$/.test(cseq)) return undefined;
  return { status, vias, from, to, callId, cseq };
}
