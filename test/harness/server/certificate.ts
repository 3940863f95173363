// Makes a self-signed certificate for tests of TLS.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

const newKey = {
  ec: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
  rsa: ['-newkey', 'rsa:2048'],
} as const;

/** Returns the certificate and the key as PEM; needs openssl. */
export function makeCertificate(
  t: TestContext,
  kind: keyof typeof newKey,
): { readonly cert: Buffer; readonly key: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-tls-'));
  t.after(() => rm(folder, { recursive: true }));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const how = [...newKey[kind], '-nodes', '-subj', '/CN=localhost', '-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', ...how], { stdio: 'pipe' });
  return { cert: readFileSync(cert), key: readFileSync(key) };
}
