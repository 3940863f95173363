// Messages of the kinds that RFC 4475 describes as valid, written anew: each is understood in its right meaning.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SipMessage, SipRequest, SipResponse } from '../../src/message/message.ts';
import { parseNameAddress, parseNameAddresses } from '../../src/message/name-address.ts';
import { parseMessage } from '../../src/message/parser.ts';
import { descriptionOf } from '../../src/message/session-description.ts';
import { parseUri } from '../../src/message/uri.ts';
import { plainRequest, wire } from '../harness/wire.ts';

function understood(bytes: Buffer): SipMessage {
  const parsed = parseMessage(bytes);
  assert.ok(parsed.kind !== 'malformed', JSON.stringify(parsed));
  return parsed;
}

const request = (bytes: Buffer): SipRequest => {
  const message = understood(bytes);
  assert.ok(message.kind === 'request');
  return message;
};

const response = (bytes: Buffer): SipResponse => {
  const message = understood(bytes);
  assert.ok(message.kind === 'response');
  return message;
};

describe('a valid message', () => {
  it('may have odd white space, folded lines, compact names, any case and unknown headers', () => {
    const sdp = 'v=0\r\no=mark 29739 7272939 IN IP4 192.0.2.3\r\ns=-\r\n';
    const parsed = request(
      wire(
        [
          'INVITE sip:viv@crew.example;unknownparam SIP/2.0',
          'TO :',
          ' sip:viv@crew.example ;   tag    = 19a',
          'from   : "J Doe \\\\\\""       <sip:jd@example.com>',
          '  ;',
          '  tag = 98asjd8',
          'MaX-fOrWaRdS: 0068',
          'Call-ID: odd.ndaksdj@192.0.2.1',
          'cseq: 0009',
          '  INVITE',
          'Via  : SIP  /   2.0',
          ' /UDP',
          '    192.0.2.2;branch=390skdjuw',
          's :',
          'NewFangledHeader:   newfangled value',
          ' continued newfangled value',
          'UnknownHeaderWithUnusualValue: ;;,,;;,;',
          'Content-Type: application/sdp',
          'Route:',
          ' <sip:services.example.com;lr;unknownwith=value;unknown-no-value>',
          'v:  SIP  / 2.0  / TCP     spindle.example.com   ;',
          '  branch  =   z9hG4bK9ikj8  ,',
          ' SIP  /    2.0   / UDP  192.168.255.111   ; branch=',
          ' z9hG4bK30239',
          'm:"Quoted string \\"\\"" <sip:jd@example.com> ; newparam =',
          '      newvalue ;',
          '  secondparam ; q = 0.33',
          `l: ${sdp.length}`,
        ],
        sdp,
      ),
    );
    assert.equal(parsed.uri, 'sip:viv@crew.example;unknownparam');
    assert.equal(parsed.to.uri, 'sip:viv@crew.example');
    assert.equal(parsed.to.parameters.get('tag'), '19a');
    assert.equal(parsed.from.displayName, 'J Doe \\"');
    assert.equal(parsed.from.parameters.get('tag'), '98asjd8');
    assert.deepEqual(parsed.cseq, { number: 9, method: 'INVITE' });
    assert.equal(parsed.maxForwards, 68);
    assert.deepEqual(
      parsed.vias.map(({ protocol, host, parameters }) => [protocol, host, parameters.get('branch')]),
      [
        ['UDP', '192.0.2.2', '390skdjuw'],
        ['TCP', 'spindle.example.com', 'z9hG4bK9ikj8'],
        ['UDP', '192.168.255.111', 'z9hG4bK30239'],
      ],
    );
    assert.equal(parsed.headers.get('Subject'), '');
    assert.equal(parsed.headers.get('newfangledheader'), 'newfangled value continued newfangled value');
    const contact = parseNameAddress(parsed.headers.get('Contact') ?? '');
    assert.equal(contact?.displayName, 'Quoted string ""');
    assert.deepEqual(
      [...(contact?.parameters ?? [])],
      [
        ['newparam', 'newvalue'],
        ['secondparam', undefined],
        ['q', '0.33'],
      ],
    );
    assert.equal(descriptionOf(parsed), sdp);
  });

  it('may use every character of a token in methods, parameters and unquoted names', () => {
    const method = "!interesting-Method0123456789_*+`.%indeed'~";
    const parsed = request(
      plainRequest(
        `${method} sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*:&it+has=1,weird!*pas$wo~d_too.(doesn't-it)@example.com SIP/2.0`,
        {
          From: `token1~\` token2'+_ token3*%!.- <sip:mundane@example.com>;fromParam''~+*_!.-%="русский";tag=_token~1'+\`*%!-.`,
          To: `"a \\"quoted\\" name" <sip:1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*@example.com>`,
          Via: "SIP/2.0/TCP host1.example.com;branch=z9hG4bK-.!%66*_+`'~",
          'Call-ID': 'intmeth.word%ZK-!.*_+\'@word`~)(><:\\/"][?}{',
          CSeq: `139122385 ${method}`,
          "extensionHeader-!.%*+_`'~": 'something',
        },
      ),
    );
    assert.equal(parsed.method, method);
    const uri = parseUri(parsed.uri);
    assert.equal(uri?.user, "1_unusual.URI~(to-be!sure)&isn't+it$/crazy?,/;;*");
    assert.equal(uri?.password, "&it+has=1,weird!*pas$wo~d_too.(doesn't-it)");
    assert.equal(parsed.to.displayName, 'a "quoted" name');
    assert.equal(parsed.from.displayName, "token1~` token2'+_ token3*%!.-");
    assert.equal(parsed.from.parameters.get("fromparam''~+*_!.-%"), 'русский');
    assert.equal(parsed.from.parameters.get('tag'), "_token~1'+`*%!-.");
    assert.equal(parsed.callId, 'intmeth.word%ZK-!.*_+\'@word`~)(><:\\/"][?}{');
  });

  it('may have escapes in URIs, which are resolved in the user part alone', () => {
    const parsed = request(
      plainRequest('INVITE sip:sips%3Auser%40example.com@example.net SIP/2.0', {
        To: 'sip:%75se%72@example.com',
        Contact: '<sip:cal%6Cer@host5.example.net;%6C%72;n%61me=v%61lue%25%34%31>',
      }),
    );
    assert.equal(parseUri(parsed.uri)?.user, 'sips:user@example.com');
    assert.equal(parseUri(parsed.to.uri)?.user, 'user');
    const contact = parseUri(parseNameAddress(parsed.headers.get('Contact') ?? '')?.uri ?? '');
    assert.equal(contact?.user, 'caller');
    assert.equal(contact?.parameters.get('n%61me'), 'v%61lue%25%34%31');
  });

  it('may have escaped NULs, which are characters of the user and not the end of it', () => {
    const parsed = request(
      plainRequest('REGISTER sip:example.com SIP/2.0', {
        To: 'sip:null-%00-null@example.com',
        Contact: '<sip:%00@host5.example.com>, <sip:%00%00@host5.example.com>',
      }),
    );
    assert.equal(parseUri(parsed.to.uri)?.user, 'null-\u0000-null');
    const contacts = parseNameAddresses(parsed.headers.get('Contact') ?? '') ?? [];
    assert.deepEqual(
      contacts.map(({ uri }) => parseUri(uri)?.user),
      ['\u0000', '\u0000\u0000'],
    );
  });

  it('may have percent signs that are no escapes outside of URIs', () => {
    const parsed = request(
      plainRequest('RE%47IST%45R sip:registrar.example.com SIP/2.0', {
        To: '"%Z%45" <sip:resource@example.com>',
        CSeq: '29344 RE%47IST%45R',
      }),
    );
    assert.equal(parsed.method, 'RE%47IST%45R');
    assert.equal(parsed.to.displayName, '%Z%45');
  });

  it('may have no space between a display name and its address', () => {
    const parsed = request(
      plainRequest('OPTIONS sip:user@example.com SIP/2.0', { From: 'caller<sip:caller@example.com>;tag=3' }),
    );
    assert.equal(parsed.from.displayName, 'caller');
    assert.equal(parsed.from.uri, 'sip:caller@example.com');
  });

  it('may have very long values', () => {
    const name = 'I have a user name of extreme'.concat(' length'.repeat(200));
    const parsed = request(
      plainRequest(`INVITE sip:user@example.com SIP/2.0`, {
        To: `"${name}"<sip:user@example.com:6000;unknownparam1=very${'long'.repeat(20)}value>`,
        [`Unknown-Lon${'g'.repeat(500)}-Name`]: 'v'.repeat(3_000),
        Via: Array.from({ length: 34 }, (_, hop) => `SIP/2.0/TCP sip${hop}.example.com;branch=z9hG4bK${hop}`).join(
          ', ',
        ),
      }),
    );
    assert.equal(parsed.to.displayName, name);
    assert.equal(parsed.vias.length, 34);
  });

  it('is one request when a datagram holds two: bytes after the declared body are not looked at', () => {
    const first = plainRequest('REGISTER sip:example.com SIP/2.0');
    const second = plainRequest('INVITE sip:joe@example.com SIP/2.0');
    const parsed = request(Buffer.concat([first, second]));
    assert.equal(parsed.method, 'REGISTER');
    assert.equal(parsed.body.length, 0);
  });

  it('may have semicolons in the user part of a URI', () => {
    const parsed = request(plainRequest('OPTIONS sip:user;par=u%40example.net@example.com SIP/2.0'));
    const uri = parseUri(parsed.uri);
    assert.equal(uri?.user, 'user;par=u@example.net');
    assert.equal(uri?.host, 'example.com');
    assert.equal(uri?.parameters.size, 0);
  });

  it('may come over transports that nobody knows', () => {
    const via =
      'SIP/2.0/UDP t1.example.com;branch=z9hG4bKk1, SIP/2.0/SCTP t2.example.com;branch=z9hG4bKk2, SIP/2.0/UNKNOWN t3.example.com;branch=z9hG4bKk3';
    const parsed = request(plainRequest('OPTIONS sip:user@example.com SIP/2.0', { Via: via }));
    assert.deepEqual(
      parsed.vias.map(({ protocol }) => protocol),
      ['UDP', 'SCTP', 'UNKNOWN'],
    );
  });

  it('may have several bodies, one of them binary', () => {
    const body = [
      '--7a9cbec02ceef655',
      'Content-Type: application/octet-stream',
      '',
      '\u0000\u0001\u0082binary\r\n--not a boundary',
      '--7a9cbec02ceef655',
      'Content-Type: application/sdp',
      '',
      'v=0\r\ns=-',
      '--7a9cbec02ceef655--',
    ].join('\r\n');
    const parsed = request(
      plainRequest(
        'INVITE sip:user@example.com SIP/2.0',
        { 'Content-Type': 'multipart/mixed;boundary=7a9cbec02ceef655' },
        body,
      ),
    );
    assert.equal(descriptionOf(parsed), 'v=0\r\ns=-');
  });

  it('may be a response with an unusual phrase or with none', () => {
    const lines = [
      'Via: SIP/2.0/UDP 192.0.2.198;branch=z9hG4bK1',
      'From: <sip:a@example.com>;tag=1',
      'To: <sip:b@example.com>;tag=2',
      'Call-ID: unreason',
      'CSeq: 35 INVITE',
    ];
    const unusual = '= 2**3 * 5**2 но сто девяносто девять - простое \u2028 число';
    assert.equal(response(wire([`SIP/2.0 200 ${unusual}`, ...lines])).reason, unusual);
    assert.equal(response(wire(['SIP/2.0 100 ', ...lines])).reason, '');
    assert.equal(response(wire(['SIP/2.0 100', ...lines])).status, 100);
  });

  it('may have unknown schemes in From and To, and a Contact with an escaped header in brackets', () => {
    const parsed = request(
      plainRequest('REGISTER sip:example.com SIP/2.0', {
        To: '<isbn:2983792873>',
        From: '<http://www.example.com>;tag=3234233',
        Contact: '<sip:user@example.com?Route=%3Csip:sip.example.com%3E>',
      }),
    );
    assert.equal(parsed.to.uri, 'isbn:2983792873');
    assert.equal(
      parseUri(parseNameAddress(parsed.headers.get('Contact') ?? '')?.uri ?? '')?.headers,
      'Route=%3Csip:sip.example.com%3E',
    );
  });

  it('may have parameters of Contact inside and outside of the brackets', () => {
    const parsed = request(
      plainRequest('REGISTER sip:example.com SIP/2.0', { Contact: '<sip:+1972@gw.example;unknownparam=x>;expires=60' }),
    );
    const contact = parseNameAddress(parsed.headers.get('Contact') ?? '');
    assert.equal(contact?.parameters.get('expires'), '60');
    assert.equal(parseUri(contact?.uri ?? '')?.parameters.get('unknownparam'), 'x');
  });

  it('may be one of RFC 2543: without tags, branch and Max-Forwards', () => {
    const parsed = request(
      plainRequest('INVITE sip:UserB@example.com SIP/2.0', {
        Via: 'SIP/2.0/UDP iftgw.example.com',
        From: '<sip:+13035551111@ift.client.example.net;user=phone>',
        'Max-Forwards': undefined,
      }),
    );
    assert.equal(parsed.maxForwards, 70);
    assert.equal(parsed.from.parameters.get('tag'), undefined);
  });

  it('may have Max-Forwards 0', () => {
    assert.equal(request(plainRequest('OPTIONS sip:user@example.com SIP/2.0', { 'Max-Forwards': '0' })).maxForwards, 0);
  });
});
