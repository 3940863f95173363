// Tests the reasons of providers: each has a sentence in every language, with all that it names, and foreign words are quoted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from '../../language.ts';
import { englishReason, providerReasonIn, wordedReason } from './catalogue.ts';
import {
  type ProviderReason,
  type ProviderReasonCode,
  type ReasonOf,
  storedReason,
  type WebhookAddressProblem,
} from './provider-reason.ts';

const place = 'mail.example:25';
const said = 'Busy here';
const why = { code: 'nothing-listens', place } as const;
const program = 'espeak-ng';

/** One of each code: the compiler names what is missing. */
const samples: { readonly [Code in ProviderReasonCode]: Omit<ReasonOf<Code>, 'code'> } = {
  said: { text: said },
  'name-unknown': { host: 'pbx.example' },
  'name-not-looked-up': { host: 'pbx.example' },
  'address-not-here': { address: '192.0.2.7' },
  'nothing-listens': { place },
  'no-way-there': { place },
  'connection-closed': { place },
  'certificate-expired': { place },
  'certificate-of-another': { place },
  'certificate-untrusted': { place },
  'no-tls': { place, advice: 'sip' },
  'no-response': { place },
  'mail-no-sign-in': { place },
  'mail-password': { status: 535 },
  'mail-wants-password': {},
  'mail-no-starttls': { place, status: 500 },
  'mail-too-large': {},
  'mail-sender-refused': { said },
  'mail-answered': { said },
  'mail-silent': { place },
  'mail-address-wrong': {},
  'mail-taken': { said },
  'mail-bounced': { status: '5.1.1' },
  'imap-password': { place },
  'imap-no-mailbox': { mailbox: 'INBOX/Tocsin' },
  'imap-silent': { place },
  'replies-unread': { why },
  'pbx-answered': { status: 486, said },
  'pbx-unreached': { why },
  'pbx-rang-nobody': {},
  'no-sound-port': { from: 12_000, to: 12_019 },
  'no-account-password': { user: '700' },
  'account-refused': { user: '700', status: 401, said },
  'no-session-description': {},
  'session-description': { said },
  mute: { why },
  'conversation-failed': { said },
  answered: { failures: [{ code: 'recording-not-played', name: 'fire.wav', said }] },
  'answered-without-pin': { failures: [{ code: 'vanished' }] },
  vanished: {},
  busy: {},
  rejected: {},
  'no-answer': {},
  'wrong-pin': {},
  'hung-up-without-key': {},
  'no-key': {},
  machine: {},
  'nobody-answered': { seconds: 30 },
  'code-read-out': {},
  'rang-in': {},
  'telephony-restarts': {},
  'ring-in-closed': { why },
  'ring-in-needs-port': {},
  'port-unusable': { port: 5060, said },
  'recording-not-played': { name: 'fire.wav', said },
  'voices-silent': { voices: [{ voice: 'fr-fr', why: { code: 'program-silent', program } }] },
  'program-silent': { program },
  'program-output': { program, said },
  'program-not-started': { program, said },
  'program-slow': { program, seconds: 15 },
  'program-wrote-too-much': { program, bytes: 1_000 },
  'program-ended': { program, end: '127', said },
  'program-missing': { program, looked: ['/usr/bin/say'] },
  'receiver-answered': { status: 503 },
  'receiver-took': { status: 202 },
  'receiver-unreached': { why },
  'outside-late': {},
  'outside-host-unknown': {},
  'outside-host-not-looked-up': {},
  'outside-nothing-there': {},
  'outside-cut': {},
  'outside-unreachable': {},
  'outside-only-https': {},
  'outside-credentials': {},
  'outside-private': {},
  'outside-private-webhook': {},
  'outside-certificate': { said: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  'outside-status': { status: 404 },
  'outside-large': { bytes: 65_536 },
  'webhook-address': { problem: 'port', port: 81, most: 2_048 },
  unserved: { why: 'down', channel: 'sms' },
  'not-accepted': {},
  'store-away': {},
  'internal-fault': {},
  'own-fault': {},
  cancelled: {},
  'unknown-end': {},
  'server-ended': {},
  'switched-off': {},
  'simulation-off': {},
  'provider-unknown': {},
  unusable: {},
  'kind-unknown': { kind: 'smpp' },
  'secret-missing': { name: 'secret' },
  'secret-of-another-key': { name: 'password' },
  'secret-damaged': { name: 'password' },
  'secret-short': { name: 'secret', least: 16 },
  'no-codes': { channel: 'pager' },
  'channel-failed': {},
  'simulator-dead': {},
  'simulator-dead-check': {},
  'no-such-number': {},
  shown: {},
  claimed: {},
};

const reasons = Object.entries(samples).map(([code, parameters]) => ({ code, ...parameters }) as ProviderReason);
/** What is a name or a number in every language. */
const named = (value: unknown): readonly string[] => {
  if (typeof value === 'number') return [String(value)];
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(named);
  if (value === null || typeof value !== 'object') return [];
  const { code: _, advice: __, problem: ___, ...rest } = value as Record<string, unknown>;
  return Object.values('most' in rest ? { port: rest.port } : rest).flatMap(named);
};

test('every reason has a sentence in every language, with the names and numbers that it is about', () => {
  for (const reason of reasons)
    for (const language of languages) {
      const sentence = providerReasonIn(language, reason);
      const what = `${language} ${reason.code}: ${sentence}`;
      assert.match(sentence, /\p{L}{2}/u, what);
      assert.doesNotMatch(sentence, /undefined|null|NaN|[{}]|\.$| {2}/, what);
      const { why: because, ...parameters } = reason as { readonly why?: unknown };
      const isCode = typeof because === 'string';
      for (const fact of named(isCode ? parameters : reason))
        assert.ok(sentence.includes(fact), `${what} names ${fact}`);
    }
});

test('no two languages share a sentence, and in French and German English words stand in quotes alone', () => {
  const words = /\b(the|is|are|has|of|by|and|nobody|answered|number|not|until|server|call|while|this|with)\b/;
  for (const reason of reasons) {
    const sentences = languages.map((language) => providerReasonIn(language, reason));
    const isQuote = reason.code === 'said';
    assert.equal(new Set(sentences).size, 3, `${reason.code}: ${sentences.join(' | ')}`);
    for (const language of ['fr', 'de'] as const) {
      const own = providerReasonIn(language, reason).replace(/«[^»]*»|„[^“]*“/g, '');
      assert.doesNotMatch(own, words, `${language} ${reason.code}`);
      if (!isQuote) assert.doesNotMatch(own, /Busy here/, `${language} ${reason.code}`);
    }
  }
});

test('every problem of an address, and every status with a meaning, is worded in each language', () => {
  const problems: readonly WebhookAddressProblem[] = [
    ...(['too-long', 'no-url', 'plain-http', 'scheme', 'credentials', 'fragment', 'private', 'host', 'port'] as const),
  ];
  const all: readonly ProviderReason[] = [
    ...problems.map((problem) => ({ code: 'webhook-address', problem, port: 81, most: 2_048 }) as const),
    ...[
      ...[302, 400, 401, 403, 404, 406, 407, 408, 410, 415, 421, 423, 480, 482, 483, 484, 485, 488, 491],
      ...[500, 501, 502, 503, 504, 513, 604, 606],
    ].map((status) => ({ code: 'pbx-answered', status, said: 'Forbidden' }) as const),
    ...[302, 401, 403, 404, 405, 410, 413, 429, 503].map((status) => ({ code: 'receiver-answered', status }) as const),
  ];
  for (const reason of all) {
    const sentences = languages.map((language) => providerReasonIn(language, reason));
    assert.equal(new Set(sentences).size, 3, sentences.join(' | '));
    for (const sentence of sentences)
      assert.doesNotMatch(sentence, /Forbidden/, 'a known status needs no words of the PBX');
  }
});

test('a stored reason is worded, and a sentence of an earlier version stays as it is', () => {
  const stored = storedReason({ code: 'pbx-answered', status: 486, said });
  assert.equal(englishReason(stored), 'the PBX answered 486: "Busy here"');
  assert.equal(wordedReason('de', stored), 'die Telefonanlage hat mit 486 geantwortet: „Busy here“');
  assert.equal(wordedReason('fr', 'the PBX answered 486: Busy here'), 'the PBX answered 486: Busy here');
  assert.equal(wordedReason('fr', '{"code":"'), '{"code":"');
  assert.equal(wordedReason('fr', '{"code":"of-a-newer-version"}'), 'of-a-newer-version');
});
