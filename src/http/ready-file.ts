// A public document as bytes that are made and compressed once: serving it costs no more than copying them to the socket.

import { createHash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { acceptsEncoding } from './compression.ts';

const encodings = ['br', 'gzip'] as const;

type Encoded = Readonly<Partial<Record<(typeof encodings)[number], Uint8Array>>>;

const asBrotli = promisify<Uint8Array, object, Buffer>(brotliCompress);
const asGzip = promisify<Uint8Array, Buffer>(gzip);

/** A handler returns it in place of what its route declares. */
export class ReadyFile {
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly etag: string;
  readonly #encoded: Encoded;

  private constructor(type: string, bytes: Uint8Array, encoded: Encoded) {
    this.type = type;
    this.bytes = bytes;
    this.etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    this.#encoded = encoded;
  }

  /** Compresses the bytes on threads of Node's own, unless a compressed copy is given. */
  static async of(type: string, content: string | Uint8Array, brotli?: Uint8Array): Promise<ReadyFile> {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const [br, gz] = await Promise.all([
      brotli ?? asBrotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
      asGzip(bytes),
    ]);
    const isSmaller = (encoded: Uint8Array): boolean => encoded.length < bytes.length;
    return new ReadyFile(type, bytes, { ...(isSmaller(br) ? { br } : {}), ...(isSmaller(gz) ? { gzip: gz } : {}) });
  }

  /** Sends the bytes as the client asks for them; status 304 without them if it has them already. */
  send(request: IncomingMessage, response: ServerResponse, headers: OutgoingHttpHeaders, status = 200): void {
    const all: OutgoingHttpHeaders = { 'cache-control': 'no-cache', ...headers, etag: this.etag };
    all.vary = headers.vary === undefined ? 'Accept-Encoding' : `${headers.vary}, Accept-Encoding`;
    if (status === 200 && request.headers['if-none-match']?.includes(this.etag)) {
      response.writeHead(304, all).end();
      return;
    }
    const encoding = encodings.find((name) => this.#encoded[name] !== undefined && acceptsEncoding(request, name));
    const sent = (encoding && this.#encoded[encoding]) ?? this.bytes;
    if (encoding !== undefined) all['content-encoding'] = encoding;
    response.writeHead(status, { ...all, 'content-type': this.type, 'content-length': String(sent.length) }).end(sent);
  }
}

/** A page for browsers that ask for an address where nothing is; undefined as long as it is not built. */
export type UnknownPage = {
  readonly headers: OutgoingHttpHeaders;
  readonly file: () => Promise<ReadyFile | undefined>;
};

/** Makes a file at its first use, and again when `version` changes or making it failed. */
export class ReadyOnce<V> {
  readonly #make: (version: V) => Promise<ReadyFile>;
  #made: { readonly version: V; readonly file: Promise<ReadyFile> } | undefined;

  constructor(make: (version: V) => Promise<ReadyFile>) {
    this.#make = make;
  }

  get(version: V): Promise<ReadyFile> {
    if (this.#made !== undefined && this.#made.version === version) return this.#made.file;
    const made = { version, file: this.#make(version) };
    this.#made = made;
    made.file.catch(() => {
      if (this.#made === made) this.#made = undefined;
    });
    return made.file;
  }
}
