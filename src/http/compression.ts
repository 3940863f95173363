// Compresses responses that are long enough, when the client asks for it.

import type { IncomingMessage } from 'node:http';
import { brotliCompress, constants, deflate, gzip } from 'node:zlib';

/** Shorter responses fit into one packet anyway. */
const leastLength = 1_024;

type Encoding = 'br' | 'gzip' | 'deflate';
type Compressed = (error: Error | null, bytes: Buffer) => void;

/** Fast settings: compressing runs on Node's own threads, of which there are few. */
const compressors: Readonly<Record<Encoding, (text: string, done: Compressed) => void>> = {
  br: (text, done) => brotliCompress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }, done),
  gzip: (text, done) => gzip(text, { level: 4 }, done),
  deflate: (text, done) => deflate(text, { level: 4 }, done),
};

/** Returns the encoding for a response of this length; undefined if it is sent as it is. */
export function responseEncoding({ method, headers }: IncomingMessage, length: number): Encoding | undefined {
  if (headers['accept-encoding'] === undefined || length <= leastLength || method === 'HEAD') return undefined;
  return (['br', 'gzip', 'deflate'] as const).find((name) => acceptsEncoding({ headers }, name));
}

export function acceptsEncoding({ headers }: Pick<IncomingMessage, 'headers'>, name: Encoding): boolean {
  return isAccepted(String(headers['accept-encoding'] ?? ''), name);
}

function isAccepted(header: string, name: Encoding): boolean {
  return header.split(',').some((part) => {
    const [coding = '', ...parameters] = part.toLowerCase().split(';');
    const isRefused = parameters.some((parameter) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(parameter));
    return coding.trim() === name && !isRefused;
  });
}

/** Compresses a text; the text itself is sent if that fails. */
export function compress(text: string, encoding: Encoding, done: (bytes: Buffer | undefined) => void): void {
  compressors[encoding](text, (error, bytes) => done(error === null ? bytes : undefined));
}
