// Messages of the kinds that RFC 4475 describes as invalid, written anew: each is refused, and answered when that can be done.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMessage } from '../../src/message/parser.ts';
import { plainRequest, wire } from '../harness/wire.ts';

type Case = readonly [name: string, bytes: Buffer, status: 400 | 505 | 'dropped'];

const invite = 'INVITE sip:user@example.com SIP/2.0';
const responseLines = [
  'Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1',
  'From: <sip:a@example.com>;tag=1',
  'To: <sip:b@example.com>;tag=2',
  'Call-ID: 1',
];

const cases: readonly Case[] = [
  ['stray separators in Via', plainRequest(invite, { Via: 'SIP/2.0/UDP 192.0.2.15;;,;,,' }), 'dropped'],
  ['stray separators in Contact', plainRequest(invite, { Contact: '"" <> ;,"Joe" <sip:joe@example.org>;;;;' }), 400],
  ['a Content-Length beyond the datagram', plainRequest(invite, { 'Content-Length': '9999' }, 'v=0\r\n'), 400],
  ['a negative Content-Length', plainRequest(invite, { 'Content-Length': '-999' }, 'v=0\r\n'), 400],
  ['two Content-Lengths', plainRequest(invite, { 'Content-Length': '5' }, 'v=0\r\n', ['l: 3']), 400],
  ['a Content-Length with a list', plainRequest(invite, { 'Content-Length': '5, 5' }, 'v=0\r\n'), 400],
  [
    'numbers that overflow',
    plainRequest('REGISTER sip:example.com SIP/2.0', {
      CSeq: '36893488147419103232 REGISTER',
      'Max-Forwards': '300',
      Expires: '1'.repeat(41),
    }),
    400,
  ],
  ['a Max-Forwards beyond 255', plainRequest(invite, { 'Max-Forwards': '300' }), 400],
  ['an Expires beyond 32 bits', plainRequest(invite, { Expires: '10000000000' }), 400],
  [
    'a Contact that expires too late',
    plainRequest(invite, { Contact: '<sip:a@example.com>;expires=280297596632815' }),
    400,
  ],
  [
    'a response with a CSeq that overflows',
    wire(['SIP/2.0 503 Busy', ...responseLines, 'CSeq: 9292394834772304023312 OPTIONS']),
    'dropped',
  ],
  [
    'a response with a status of four digits',
    wire(['SIP/2.0 4294967301 better', ...responseLines, 'CSeq: 1 INVITE']),
    'dropped',
  ],
  [
    'a display name whose quote is not closed',
    plainRequest(invite, { To: '"Mr. J. User <sip:j.user@example.com>' }),
    400,
  ],
  ['a request URI in angle brackets', plainRequest('INVITE <sip:user@example.com> SIP/2.0'), 400],
  ['spaces in the request URI', plainRequest('INVITE sip:user@example.com; lr SIP/2.0'), 400],
  ['two spaces in the request line', plainRequest('INVITE  sip:user@example.com  SIP/2.0'), 400],
  ['a space at the end of the request line', plainRequest(`${invite} `), 400],
  [
    'escaped headers in the request URI',
    plainRequest('INVITE sip:user@example.com?Route=%3Csip:example.com%3E SIP/2.0'),
    400,
  ],
  [
    'a Contact with headers but without brackets',
    plainRequest(invite, { Contact: 'sip:user@example.com?Route=%3Csip:a%3E' }),
    400,
  ],
  [
    'spaces within the brackets of an address',
    plainRequest(invite, { To: '"Watson, Thomas" < sip:t.watson@example.org >' }),
    400,
  ],
  [
    'a display name that needs quotes',
    plainRequest(invite, { From: 'Bell, Alexander <sip:a.g.bell@example.com>;tag=43' }),
    400,
  ],
  ['another version of SIP', plainRequest('OPTIONS sip:user@example.com SIP/7.0'), 505],
  ['another method in CSeq', plainRequest('OPTIONS sip:user@example.com SIP/2.0', { CSeq: '8 INVITE' }), 400],
  [
    'another method in CSeq, both unknown',
    plainRequest('NEWMETHOD sip:user@example.com SIP/2.0', { CSeq: '8 OTHER' }),
    400,
  ],
  ['a CSeq without a method', plainRequest(invite, { CSeq: '8' }), 400],
  [
    'several values where one belongs',
    plainRequest(invite, {}, '', ['From: <sip:other@example.com>;tag=9', 't: <sip:c@d>']),
    400,
  ],
  ['two Max-Forwards', plainRequest(invite, {}, '', ['Max-Forwards: 5']), 400],
  ['two Content-Types', plainRequest(invite, { 'Content-Type': 'application/sdp' }, 'v=0', ['c: text/plain']), 400],
  ['no From', plainRequest(invite, { From: undefined }), 'dropped'],
  ['no Call-ID', plainRequest(invite, { 'Call-ID': undefined }), 'dropped'],
  ['no Via', plainRequest(invite, { Via: undefined }), 'dropped'],
  ['a header without a colon', plainRequest(invite, {}, '', ['this is no header']), 'dropped'],
  ['a lone LF in a header', plainRequest(invite, { Subject: 'a\nRoute: <sip:evil.example>' }), 'dropped'],
  ['a lone CR in a header', plainRequest(invite, { Subject: 'a\rRoute: <sip:evil.example>' }), 'dropped'],
  ['a NUL in a header', plainRequest(invite, { Subject: 'a\u0000b' }), 'dropped'],
  [
    'more headers than anybody needs',
    plainRequest(
      invite,
      {},
      '',
      Array.from({ length: 300 }, () => 'X: 1'),
    ),
    'dropped',
  ],
  ['more than 64 KiB', plainRequest(invite, {}, 'x'.repeat(66_000)), 'dropped'],
  [
    'a malformed ACK, which is never answered',
    plainRequest('ACK sip:user@example.com SIP/2.0', { 'Max-Forwards': '300' }),
    'dropped',
  ],
  ['nothing', Buffer.alloc(0), 'dropped'],
  ['line ends alone', Buffer.from('\r\n\r\n\r\n'), 'dropped'],
  ['a request without an end', Buffer.from(`${invite}\r\nVia: SIP/2.0/UDP a`), 'dropped'],
];

describe('an invalid message is refused', () => {
  for (const [name, bytes, status] of cases) {
    it(name, () => {
      const parsed = parseMessage(bytes);
      assert.ok(parsed.kind === 'malformed', JSON.stringify(parsed));
      assert.equal(parsed.answerable?.status ?? 'dropped', status, parsed.reason);
    });
  }
});
