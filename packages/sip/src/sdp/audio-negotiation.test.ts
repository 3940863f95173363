// Offers and answers: codecs, telephone events, hold, refused streams, versions and malformed descriptions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/harness/fast-check.ts';
import { soak } from '../../test/harness/soak.ts';
import { AudioNegotiation } from './audio-negotiation.ts';
import { parseDescription, printDescription, SdpError } from './session-description.ts';

function negotiation(address = '192.0.2.1'): AudioNegotiation {
  return new AudioNegotiation({ address, port: 4000 }, '77');
}

function description(...lines: readonly string[]): string {
  return ['v=0', 'o=peer 1 1 IN IP4 192.0.2.9', 's=-', 'c=IN IP4 192.0.2.9', 't=0 0', ...lines, ''].join('\r\n');
}

/** The description that SIPp's scenarios usually hold: events under 96. */
const likeSipp = description(
  'm=audio 6000 RTP/AVP 8 96',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:96 telephone-event/8000',
  'a=fmtp:96 0-15',
);

test('an offer names both laws of G.711, telephone events and 20 ms', () => {
  assert.equal(
    negotiation().offer(),
    [
      'v=0',
      'o=- 77 1 IN IP4 192.0.2.1',
      's=-',
      'c=IN IP4 192.0.2.1',
      't=0 0',
      'm=audio 4000 RTP/AVP 8 0 101',
      'a=rtpmap:8 PCMA/8000',
      'a=rtpmap:0 PCMU/8000',
      'a=rtpmap:101 telephone-event/8000',
      'a=fmtp:101 0-15',
      'a=ptime:20',
      'a=sendrecv',
      '',
    ].join('\r\n'),
  );
});

test('events are sent under the type that the peer declared, and taken under that and ours', () => {
  const ours = negotiation();
  ours.offer();
  const agreement = ours.accept(likeSipp);
  assert.equal(agreement.eventType, 96);
  assert.deepEqual([...agreement.receivedEventTypes], [101, 96]);
  assert.equal(agreement.codec, 'PCMA');
  assert.deepEqual(agreement.remote, { address: '192.0.2.9', port: 6000 });
});

test("an answer takes the offer's first law of G.711 and its payload types", () => {
  const offer = description(
    'm=audio 6000 RTP/AVP 9 97 8 120 121',
    'a=rtpmap:97 PCMU/8000',
    'a=rtpmap:120 telephone-event/16000',
    'a=rtpmap:121 TELEPHONE-EVENT/8000',
  );
  const { description: answer, agreement } = negotiation().answer(offer);
  assert.match(answer, /^m=audio 4000 RTP\/AVP 97 121\r$/m);
  assert.match(answer, /^a=rtpmap:97 PCMU\/8000\r$/m);
  assert.deepEqual([agreement.codec, agreement.codecType, agreement.eventType], ['PCMU', 97, 121]);
});

test('without telephone events in the offer there are none in the answer', () => {
  const { description: answer, agreement } = negotiation().answer(description('m=audio 6000 RTP/AVP 0'));
  assert.doesNotMatch(answer, /telephone-event/);
  assert.equal(agreement.eventType, undefined);
  assert.equal(agreement.receivedEventTypes.size, 0);
});

test('every stream of an offer is answered, and those we cannot do are refused in their place', () => {
  const offer = description(
    'm=video 5000 RTP/AVP 31',
    'm=audio 5002 RTP/SAVP 0',
    'm=audio 5004 RTP/AVP 18',
    'm=audio 5006 RTP/AVP 0',
    'c=IN IP4 192.0.2.77',
    'm=image 5008 udptl t38',
  );
  const ours = negotiation();
  const { description: answer, agreement } = ours.answer(offer);
  const streams = parseDescription(answer).media;
  assert.deepEqual(
    streams.map(({ kind, port }) => [kind, port]),
    [
      ['video', 0],
      ['audio', 0],
      ['audio', 0],
      ['audio', 4000],
      ['image', 0],
    ],
  );
  assert.deepEqual(agreement.remote, { address: '192.0.2.77', port: 5006 });
  // A later offer of ours keeps the five streams in their order.
  assert.deepEqual(
    parseDescription(ours.offer()).media.map(({ port }) => port),
    [0, 0, 0, 4000, 0],
  );
});

for (const [name, lines, sends, receives, direction] of [
  ['sendonly', ['m=audio 6000 RTP/AVP 8', 'a=sendonly'], false, true, 'recvonly'],
  ['recvonly', ['m=audio 6000 RTP/AVP 8', 'a=recvonly'], true, false, 'sendonly'],
  ['inactive', ['m=audio 6000 RTP/AVP 8', 'a=inactive'], false, false, 'inactive'],
  ['inactive for the session', ['a=inactive', 'm=audio 6000 RTP/AVP 8'], false, false, 'inactive'],
  ['the address 0.0.0.0', ['m=audio 6000 RTP/AVP 8', 'c=IN IP4 0.0.0.0'], false, true, 'recvonly'],
] as const) {
  test(`an offer on hold by ${name} is answered ${direction}`, () => {
    const { description: answer, agreement } = negotiation().answer(description(...lines));
    assert.deepEqual([agreement.sends, agreement.receives], [sends, receives]);
    assert.match(answer, new RegExp(`^a=${direction}\\r$`, 'm'));
  });
}

test('the version rises with every change and stays when nothing changed', () => {
  const ours = negotiation();
  const versions = [
    ours.offer(),
    ours.offer(),
    ours.offer('sendonly'),
    ours.answer(likeSipp).description,
    ours.offer(),
  ].map((text) => parseDescription(text).version);
  assert.deepEqual(versions, [1n, 1n, 2n, 3n, 4n]);
});

test('IPv6 addresses are printed and read', () => {
  const ours = negotiation('2001:db8::1');
  assert.match(ours.offer(), /^c=IN IP6 2001:db8::1\r$/m);
  const answer = 'v=0\no=x 1 1 IN IP6 ::1\ns=-\nc=IN IP6 2001:db8::2\nt=0 0\nm=audio 7000 RTP/AVP 8\n';
  assert.deepEqual(ours.accept(answer).remote, { address: '2001:db8::2', port: 7000 });
});

for (const [name, text, kind, reason] of [
  ['an empty text', '', 'malformed', /begin with v=0/],
  ['a web page', '<html></html>', 'malformed', /begin with v=0/],
  ['nothing but lines that are none', 'v=0\r\nhello\r\n', 'notAcceptable', /no audio stream/],
  ['a port out of range', description('m=audio 70000 RTP/AVP 8'), 'malformed', /not "kind port protocol formats"/],
  ['no formats', description('m=audio 6000 RTP/AVP'), 'malformed', /no list of formats/],
  ['a host name', description('m=audio 6000 RTP/AVP 8', 'c=IN IP4 a.example'), 'malformed', /no IPv4 address/],
  ['no audio', description('m=video 6000 RTP/AVP 31'), 'notAcceptable', /no audio stream/],
  ['a refused stream', description('m=audio 0 RTP/AVP 8'), 'notAcceptable', /no audio stream/],
  ['SRTP', description('m=audio 6000 RTP/SAVP 8'), 'notAcceptable', /RTP\/SAVP/],
  ['other codecs', description('m=audio 6000 RTP/AVP 18 9'), 'notAcceptable', /G\.711/],
  ['multicast', description('m=audio 6000 RTP/AVP 8', 'c=IN IP4 224.2.1.1/127'), 'notAcceptable', /multicast/],
  ['IPv6 in a call over IPv4', description('m=audio 6000 RTP/AVP 8', 'c=IN IP6 ::1'), 'notAcceptable', /IPv4/],
] as const) {
  test(`an offer with ${name} is refused with the reason`, () => {
    assert.throws(
      () => negotiation().answer(text),
      (error) => error instanceof SdpError && error.kind === kind && reason.test(error.message),
    );
  });
}

for (const [name, text] of [
  ['without an origin', likeSipp.replace(/^o=.*\r\n/m, '')],
  ['with an origin without a version', likeSipp.replace(/^o=.*$/m, 'o=peer 1 IN IP4 192.0.2.9')],
  ['with a version of 21 digits', likeSipp.replace(/^o=.*$/m, `o=peer 1 ${'9'.repeat(21)} IN IP4 192.0.2.9`)],
  ['with a line that is none', likeSipp.replace('t=0 0', 'hello\r\nt=0 0')],
  ['with the profile AVPF', likeSipp.replace('RTP/AVP', 'RTP/AVPF')],
  ['that refuses our stream and adds one of its own', likeSipp.replace('m=', 'm=audio 0 RTP/AVP 8\r\nm=')],
] as const) {
  test(`an answer ${name} is taken`, () => {
    const ours = negotiation();
    ours.offer();
    assert.deepEqual(ours.accept(text).remote, { address: '192.0.2.9', port: 6000 });
  });
}

test('an offer with the profile AVPF is answered with it', () => {
  const { description: answer } = negotiation().answer(likeSipp.replace('RTP/AVP', 'RTP/AVPF'));
  assert.match(answer, /^m=audio 4000 RTP\/AVPF 8 96\r$/m);
});

test('an answer that refuses the audio is told apart', () => {
  const ours = negotiation();
  ours.offer();
  assert.throws(() => ours.accept(description('m=audio 0 RTP/AVP 8')), /the other side refused/);
  assert.throws(() => ours.accept(description('m=video 6000 RTP/AVP 31')), /does not answer the audio/);
});

/** Texts that resemble a description, with pieces of lines in any order. */
const almostDescriptions = fc
  .array(
    fc.oneof(
      fc.constantFrom(...likeSipp.split('\r\n'), 'm=audio', 'c=IN IP6 ::', 'a=rtpmap:', 'o=- - - IN IP4 -', 'b=AS:64'),
      fc.string({ unit: 'binary', maxLength: 30 }),
    ),
    { maxLength: 12 },
  )
  .map((lines) => ['v=0', ...lines].join('\r\n'));

test('any text is either a description, which prints and parses to itself, or an SdpError', () => {
  fc.assert(
    fc.property(fc.oneof(almostDescriptions, fc.string({ unit: 'binary', maxLength: 300 })), (text) => {
      try {
        negotiation().answer(text);
      } catch (error) {
        if (!(error instanceof SdpError)) throw error;
        return;
      }
      const parsed = parseDescription(text);
      assert.deepEqual(parseDescription(printDescription(parsed)), parsed);
    }),
    { numRuns: soak(2_000) },
  );
});
