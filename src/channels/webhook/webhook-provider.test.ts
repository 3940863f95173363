// A webhook posts what it promises, signed so that another program can verify it; its certificate must be valid.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from '../../../test/harness/server/certificate.ts';
import type { CallMessage, Progress } from '../../domain/calls/delivery.ts';
import { englishReason } from '../../domain/channels/words/catalogue.ts';
import { isSigned, signatureOf } from './signature.ts';
import { WebhookProvider } from './webhook-provider.ts';

const now = Date.UTC(2026, 10, 17, 12);
const clock = { now: () => now };
const secrets = { secret: 'a secret of the present', oldSecret: 'a secret of former times' };

const message: CallMessage = {
  attemptId: 17,
  userId: 3,
  firstName: 'Ana',
  language: 'fr',
  siteName: 'Waterworks',
  opening: '',
  closing: '',
  channel: 'webhook',
  address: '',
  priority: 1,
  text: 'Pump 1 is too hot — “42 °C”',
  texts: ['Pump 1 is too hot', 'A message'],
  items: [{ alarmId: 42 }, { causeId: 9 }],
  total: 2,
  stations: [],
  replyCode: '4711',
  isNews: false,
  isTest: false,
  isUnsure: false,
  hasNextProvider: false,
  providerId: 2,
  providerRef: undefined,
};

type Received = { readonly headers: IncomingMessage['headers']; readonly body: string };

async function receiver(t: TestContext, status: number, headers: Record<string, string> = {}) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(status, headers).end('{"answer":"take"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { received, port, url: `http://127.0.0.1:${port}/hook` };
}

function open(port: number, more: object = {}): WebhookProvider {
  return new WebhookProvider(
    { allowHttp: true, allowPrivate: true, ports: [port], hosts: [], ...more },
    secrets,
    clock,
  );
}

async function deliver(provider: WebhookProvider, url: string) {
  const reports: Progress[] = [];
  const report = (progress: Progress): void => void reports.push(progress);
  const delivery = await provider.deliver({ ...message, address: url }, report, new AbortController().signal);
  return { delivery, reports };
}

test('openssl verifies the signatures of what was posted, with the present and the former secret', async (t) => {
  const { received, port, url } = await receiver(t, 200);
  await deliver(open(port), url);
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  const [time = '', ...signatures] = String(headers['tocsin-signature']).split(',');
  assert.equal(time, `t=${now / 1000}`);
  const signed = `${time.slice(2)}.${body}`;
  const byOpenssl = (secret: string): string => {
    const output = execFileSync('openssl', ['dgst', '-sha256', '-hmac', secret], { input: signed, encoding: 'utf8' });
    return `v1=${output.trim().split(' ').at(-1)}`;
  };
  assert.deepEqual(signatures, [byOpenssl(secrets.secret), byOpenssl(secrets.oldSecret)]);
});

test('the body has the documented fields, and the attempt is the idempotency key', async (t) => {
  const { received, port, url } = await receiver(t, 202);
  const { delivery, reports } = await deliver(open(port), url);
  assert.deepEqual([delivery.kind, reports], ['delivered', [{ kind: 'accepted', ref: '17' }]]);
  assert.equal(received[0]?.headers['idempotency-key'], '17');
  assert.deepEqual(JSON.parse(received[0]?.body ?? ''), {
    version: 1,
    type: 'message',
    attempt: 17,
    time: '2026-11-17T12:00:00.000Z',
    site: 'Waterworks',
    test: false,
    priority: 1,
    person: { id: 3, firstName: 'Ana', language: 'fr' },
    text: message.text,
    items: [
      { alarmId: 42, text: 'Pump 1 is too hot' },
      { alarmId: null, text: 'A message' },
    ],
    total: 2,
    replyCode: '4711',
  });
});

for (const [status, headers, expected] of [
  [500, {}, { retry: 'later', outcome: 'undeliverable' }],
  [429, { 'retry-after': '120' }, { retry: 'later', outcome: 'undeliverable', retryAfterSeconds: 120 }],
  [503, { 'retry-after': '86400' }, { retry: 'later', outcome: 'undeliverable', retryAfterSeconds: 300 }],
  [
    503,
    { 'retry-after': '99999999999999999999999' },
    { retry: 'later', outcome: 'undeliverable', retryAfterSeconds: 300 },
  ],
  [
    425,
    { 'retry-after': 'Tue, 17 Nov 2026 12:01:30 GMT' },
    { retry: 'later', outcome: 'undeliverable', retryAfterSeconds: 90 },
  ],
  [400, {}, { retry: 'never', outcome: 'undeliverable' }],
  [302, { location: '/other' }, { retry: 'never', outcome: 'undeliverable' }],
  [404, {}, { retry: 'never', outcome: 'badNumber' }],
] as const)
  test(`a receiver that answers ${status} is no fault of the provider`, async (t) => {
    const { port, url } = await receiver(t, status, headers);
    const { delivery, reports } = await deliver(open(port), url);
    const { reason, ...rest } = delivery as Extract<typeof delivery, { kind: 'failed' }>;
    assert.deepEqual([rest, reports], [{ kind: 'failed', ...expected }, []]);
    assert.match(reason, new RegExp(String(status)));
    assert.doesNotMatch(reason, /take/, 'nothing of the response is passed on');
  });

test('an address that may not be requested is a bad number, and one that nobody listens at is tried later', async (t) => {
  const { port, url } = await receiver(t, 200);
  const outcomeAt = async (provider: WebhookProvider, at: string) => {
    const { delivery } = await deliver(provider, at);
    return delivery.kind === 'failed' ? [delivery.outcome, delivery.retry, delivery.fault] : [];
  };
  assert.deepEqual(await outcomeAt(open(port, { allowPrivate: false }), url), ['badNumber', 'never', 'barred']);
  assert.deepEqual(await outcomeAt(open(port, { allowHttp: false }), url), ['badNumber', 'never', 'barred']);
  assert.deepEqual(await outcomeAt(open(1), 'http://127.0.0.1:1/'), ['undeliverable', 'later', undefined]);
});

test('a certificate that nobody vouches for is refused, and one of a known authority is accepted', async (t) => {
  const certificate = makeCertificate(t, 'ec');
  const server = createTlsServer(certificate, (_request, response) => void response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const url = `https://localhost:${port}/`;
  const { delivery } = await deliver(open(port), url);
  assert.match(delivery.kind === 'failed' ? englishReason(delivery.reason) : '', /certificate is not accepted/);
  const before = getCACertificates('default');
  t.after(() => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, certificate.cert.toString()]);
  assert.equal((await deliver(open(port), url)).delivery.kind, 'delivered');
});

test('a signature counts for five minutes, for its body alone, and with any of the secrets', () => {
  const body = Buffer.from('{"event":"answer"}');
  const known = [secrets.secret, secrets.oldSecret] as const;
  const signed = signatureOf(body, [secrets.oldSecret], now);
  assert.equal(isSigned(signed, body, known, now + 299_000), true);
  assert.equal(isSigned(signed, body, known, now + 301_000), false);
  assert.equal(isSigned(signed, body, known, now - 301_000), false);
  assert.equal(isSigned(signed, Buffer.from('{"event":"Answer"}'), known, now), false);
  assert.equal(isSigned(signatureOf(body, ['another secret'], now), body, known, now), false);
  for (const header of [undefined, '', 't=,v1=', `t=${now / 1000}`, 't=1e3,v1=00', `${signed.split(',')[1]}`])
    assert.equal(isSigned(header, body, known, now), false);
});

test('a provider without a secret, or with one that can be guessed, cannot be opened', () => {
  const settings = { allowHttp: false, allowPrivate: false, ports: [], hosts: [] };
  assert.throws(() => new WebhookProvider(settings, {}, clock), {
    message: '{"code":"secret-missing","name":"secret"}',
  });
  assert.throws(() => new WebhookProvider(settings, { secret: 'short' }, clock), /"secret-short".*16/);
});
