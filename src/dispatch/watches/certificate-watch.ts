// Serves a renewed certificate without a restart: reads its files again at intervals, and keeps the former pair when the new one
// cannot be used.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { PollingLoop } from '../polling-loop.ts';

const pollEveryMs = 30_000;

type CertificateFiles = { readonly certFile: string; readonly keyFile: string };
export type CertificatePair = { readonly cert: Buffer; readonly key: Buffer };

type CertificateWatchParts = {
  readonly files: CertificateFiles;
  /** The pair that is served at first. */
  readonly served: CertificatePair;
  readonly serve: (renewed: CertificatePair) => void;
  readonly onRenewed: () => void;
  /** Called once for each content of the files that cannot be used. */
  readonly onUnusable: (error: unknown) => void;
};

export async function readCertificate({ certFile, keyFile }: CertificateFiles): Promise<CertificatePair> {
  const [cert, key] = await Promise.all([readFile(certFile), readFile(keyFile)]);
  return { cert, key };
}

/**
 * Polls instead of watching the files: notifications differ by system and file system, and certificates are often symbolic
 * links that are replaced. A pair of which only one file is new yet does not match, and is looked at again with the next poll.
 */
export function watchCertificate({ files, served, serve, onRenewed, onUnusable }: CertificateWatchParts): PollingLoop {
  let seen = textOf(served);
  const look = async (): Promise<void> => {
    let text = 'unreadable';
    try {
      const found = await readCertificate(files);
      text = textOf(found);
      if (text === seen) return;
      refuseUnusable(found);
      serve(found);
      onRenewed();
    } catch (error) {
      if (text !== seen) onUnusable(error);
    }
    seen = text;
  };
  return new PollingLoop(pollEveryMs, look, onUnusable);
}

/** OpenSSL takes a key of another kind than the certificate's without a word, and then serves neither. */
function refuseUnusable(pair: CertificatePair): void {
  createSecureContext(pair);
  if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key)))
    throw new Error('the private key does not belong to the certificate');
}

function textOf({ cert, key }: CertificatePair): string {
  return `${cert}\n${key}`;
}
