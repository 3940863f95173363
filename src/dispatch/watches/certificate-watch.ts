// Serves a renewed certificate without a restart: reads its files again at intervals, and keeps the former pair when the new one
// cannot be used.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
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

export function readCertificate({ certFile, keyFile }: CertificateFiles): CertificatePair {
  return { cert: readFileSync(certFile), key: readFileSync(keyFile) };
}

/**
 * Polls, because what is told of a change differs by system and file system, and certificates are often links that are
 * replaced. A pair of which only one file is new yet does not match, and is looked at again with the next poll.
 */
export function watchCertificate({ files, served, serve, onRenewed, onUnusable }: CertificateWatchParts): PollingLoop {
  let seen = textOf(served);
  const look = async (): Promise<void> => {
    let text = 'unreadable';
    try {
      const found = readCertificate(files);
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
