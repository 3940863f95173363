// Makes a certificate authority and a certificate of it for 127.0.0.1 and localhost; needs openssl.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missing } from './programs.ts';

export const opensslMissing = missing('openssl', 'openssl');

/** PEM texts. */
export type Certificate = { readonly ca: string; readonly cert: string; readonly key: string };

export function makeCertificate(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'sip-tls-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    openssl('req', '-x509', ...newKey, '-subj', '/CN=Test CA', '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2');
    openssl('req', ...newKey, '-subj', '/CN=localhost', '-keyout', 'key.pem', '-out', 'request.pem');
    writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
    const authority = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
    openssl('x509', '-req', '-in', 'request.pem', '-out', 'cert.pem', ...authority);
    const read = (name: string) => readFileSync(join(folder, name), 'utf8');
    return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
