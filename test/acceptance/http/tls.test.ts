// TLS: version 1.3, and of 1.2 only suites with forward secrecy and authenticated encryption.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConnectionOptions, connect } from 'node:tls';
import { makeCertificate } from '../../harness/server/certificate.ts';
import { edgeServer } from '../../harness/server/edge-server.ts';
import { withoutProgram } from '../../harness/server/tools.ts';
import { startTestApp } from '../../harness/site/app.ts';

const skip = withoutProgram('openssl');

/** The protocol and suite that client and server agree on, or the code of the error. */
function handshake(port: number, options: ConnectionOptions): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
      resolve(`${socket.getProtocol()} ${socket.getCipher().standardName}`);
      socket.destroy();
    });
    socket.on('error', ({ code = 'error' }: NodeJS.ErrnoException) => resolve(code));
  });
}

const only = (version: 'TLSv1.1' | 'TLSv1.2', ciphers: string): ConnectionOptions => ({
  minVersion: version,
  maxVersion: version,
  // The client's own security level would refuse most of these.
  ciphers: `${ciphers}:@SECLEVEL=0`,
});

const accepted: readonly [suite: string, kind: 'rsa' | 'ec'][] = [
  ['ECDHE-RSA-AES128-GCM-SHA256', 'rsa'],
  ['ECDHE-RSA-AES256-GCM-SHA384', 'rsa'],
  ['ECDHE-RSA-CHACHA20-POLY1305', 'rsa'],
  ['ECDHE-ECDSA-AES128-GCM-SHA256', 'ec'],
  ['ECDHE-ECDSA-AES256-GCM-SHA384', 'ec'],
  ['ECDHE-ECDSA-CHACHA20-POLY1305', 'ec'],
];

/** Suites without forward secrecy, or without authenticated encryption, that Node would accept by default. */
const refused: readonly [suite: string, kind: 'rsa' | 'ec'][] = [
  ['AES128-GCM-SHA256', 'rsa'],
  ['AES256-GCM-SHA384', 'rsa'],
  ['AES128-SHA', 'rsa'],
  ['AES256-SHA256', 'rsa'],
  ['ECDHE-RSA-AES128-SHA256', 'rsa'],
  ['ECDHE-RSA-AES256-SHA384', 'rsa'],
  ['ECDHE-RSA-AES256-SHA', 'rsa'],
  ['ECDHE-ECDSA-AES128-SHA256', 'ec'],
  ['ECDHE-ECDSA-AES256-SHA', 'ec'],
];

test('TLS 1.3 is used, 1.2 with forward-secret AEAD suites, and nothing else', { skip }, async (t) => {
  const ports = {
    rsa: (await edgeServer(t, { tls: makeCertificate(t, 'rsa') })).port,
    ec: (await edgeServer(t, { tls: makeCertificate(t, 'ec') })).port,
  };
  assert.match(await handshake(ports.ec, {}), /^TLSv1.3 TLS_AES_/);
  for (const [suite, kind] of accepted)
    assert.match(await handshake(ports[kind], only('TLSv1.2', suite)), /^TLSv1.2 TLS_ECDHE_/, suite);
  for (const [suite, kind] of refused)
    assert.match(await handshake(ports[kind], only('TLSv1.2', suite)), /HANDSHAKE_FAILURE/, suite);
  for (const kind of ['rsa', 'ec'] as const)
    assert.match(await handshake(ports[kind], only('TLSv1.1', 'ALL')), /PROTOCOL_VERSION/, `TLS 1.1 with ${kind}`);
});

test('over TLS responses have the Strict-Transport-Security header', { skip }, async (t) => {
  const server = await edgeServer(t, { tls: makeCertificate(t, 'ec') });
  const header = await new Promise((resolve, reject) => {
    const request = get(`${server.url}/health/live`, { rejectUnauthorized: false, agent: false }, (answer) => {
      answer.resume();
      resolve(answer.headers['strict-transport-security']);
    });
    request.on('error', reject);
  });
  assert.equal(header, 'max-age=31536000');
});

/** The fingerprint of the certificate that a new connection gets. */
function fingerprint(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const port = Number(new URL(url).port);
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '');
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

test('a renewed certificate is served without a restart; one that cannot be used leaves the former, and the log says so', {
  skip,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-renewed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const store = ({ cert, key }: { readonly cert: Buffer | string; readonly key: Buffer | string }): void => {
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
  };
  const [first, second] = [makeCertificate(t, 'ec'), makeCertificate(t, 'rsa')];
  store(first);
  const overrides = { TOCSIN_TLS_CERT: certFile, TOCSIN_TLS_KEY: keyFile };
  const app = await startTestApp(t, 'sqlite', { overrides, expectErrors: true });
  const look = async (): Promise<readonly string[]> => {
    const before = app.logLines.length;
    await app.polled.certificate?.poll();
    return app.logLines.slice(before).map(({ msg }) => msg);
  };
  const unusable = 'the renewed certificate cannot be used; the former one is still served';
  const former = await fingerprint(app.url);
  assert.deepEqual(await look(), []);

  // Half of it has been written.
  store({ cert: second.cert, key: first.key });
  assert.deepEqual(await look(), [unusable]);
  assert.deepEqual(await look(), [], 'once is enough');
  assert.equal(await fingerprint(app.url), former);
  store({ cert: 'no certificate', key: second.key });
  assert.deepEqual(await look(), [unusable]);
  rmSync(certFile);
  assert.deepEqual(await look(), [unusable]);
  assert.equal(await fingerprint(app.url), former);

  store(second);
  assert.deepEqual(await look(), ['a renewed certificate is served']);
  const renewed = await fingerprint(app.url);
  assert.notEqual(renewed, former);
  assert.equal(renewed, new X509Certificate(second.cert).fingerprint256);
  const weak = only('TLSv1.2', 'AES128-SHA');
  assert.match(await handshake(Number(new URL(app.url).port), weak), /HANDSHAKE_FAILURE/, 'with the same limits');
});
