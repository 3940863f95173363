// Documents that anybody may read are made and compressed once, and a client that has one is told so.

import assert from 'node:assert/strict';
import { get, type IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type EdgeServer, edgeServer } from '../../harness/server/edge-server.ts';

const paths = [
  '/api/v1/openapi.json',
  '/api/v1/openapi-3.0.json',
  '/docs',
  '/docs/errors',
  '/docs/style.css',
  '/docs/start.js',
  '/docs/reference.js',
];

/** Asks without fetch, which would unpack the response. */
async function bytesOf(
  { url }: EdgeServer,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Pick<IncomingMessage, 'statusCode' | 'headers'> & { readonly bytes: Buffer }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get(`${url}${path}`, { headers }, resolve).on('error', reject),
  );
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { statusCode: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
}

for (const path of paths) {
  test(`${path} is sent compressed as the client asks, and not again while it is the same`, async (t) => {
    const server = await edgeServer(t);
    const plain = await bytesOf(server, path);
    assert.equal(plain.statusCode, 200);
    assert.equal(plain.headers['content-encoding'], undefined);
    const { etag = '' } = plain.headers;
    assert.match(etag, /^"[\w-]{43}"$/);
    for (const [encoding, unpack] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const packed = await bytesOf(server, path, { 'accept-encoding': encoding });
      assert.deepEqual([packed.headers['content-encoding'], packed.headers.etag], [encoding, etag]);
      assert.match(String(packed.headers.vary), /Accept-Encoding/);
      assert.ok(packed.bytes.length < plain.bytes.length);
      assert.ok(unpack(packed.bytes).equals(plain.bytes));
    }
    const again = await bytesOf(server, path, { 'if-none-match': `"other", W/${etag}` });
    assert.deepEqual([again.statusCode, again.bytes.length, again.headers.etag], [304, 0, etag]);
    assert.equal(again.headers['cache-control'], 'no-cache');
    for (const { headers } of [plain, again]) {
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/);
    }
  });
}

test('a document is made once, however many ask for it', async (t) => {
  const server = await edgeServer(t);
  const made = await Promise.all(
    Array.from({ length: 20 }, () => server.routes.find(({ path }) => path.endsWith('openapi.json'))?.handle(call)),
  );
  assert.equal(new Set(made).size, 1);
  assert.notEqual(made[0], undefined);
});

/** What the routes of documents read of a call. */
const call = { now: Date.now(), setHeader: () => {} } as never;
