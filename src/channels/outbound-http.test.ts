// Requests to private addresses are refused on the address that is connected to; a response is neither followed nor read
// beyond its limits.

import assert from 'node:assert/strict';
import type { LookupAddress, lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { postOutside, publicLookup, requestOutside } from './outbound-http.ts';

const strict = { allowsPrivate: false, allowsHttp: false, timeoutMs: 60_000, mostBytes: 100 };

for (const [url, reason] of [
  ['http://example.org/x', /only https/],
  ['https://127.1/x', /private network/],
  ['https://0x7f000001/x', /private network/],
  ['https://[::ffff:7f00:1]/x', /private network/],
  ['https://169.254.169.254/x', /private network/],
  ['https://localhost/x', /private network/],
  ['https://name:secret@example.org/', /must not hold a name/],
  ['https://:secret@example.org/', /must not hold a name/],
] as const)
  test(`a request to ${url} is refused`, () => assert.rejects(requestOutside({ url, ...strict }), reason));

/** A resolver whose answers change, as one that an attacker controls. */
function resolver(...answers: readonly (readonly LookupAddress[])[]): typeof lookup {
  let asked = 0;
  const answer = (_host: string, _options: object, callback: (error: null, found: readonly LookupAddress[]) => void) =>
    callback(null, answers[Math.min(asked++, answers.length - 1)] ?? []);
  return answer as unknown as typeof lookup;
}

const outside = { address: '93.184.216.34', family: 4 };
const inside = { address: '127.0.0.1', family: 4 };

/** The addresses that a connection would use, or the reason for which there is none. */
function addressesOf(lookupOf: ReturnType<typeof publicLookup>): unknown {
  let found: unknown;
  lookupOf('rebinding.example', { all: true }, (error, addresses) => {
    found = error?.message ?? addresses;
  });
  return found;
}

test('a name that is public when it is checked and private when it is connected to reaches nothing private', () => {
  const changing = publicLookup(resolver([outside], [inside]));
  assert.deepEqual(addressesOf(changing), [outside], 'the addresses that were checked are connected to');
  assert.match(String(addressesOf(changing)), /private network/);
  assert.deepEqual(addressesOf(publicLookup(resolver([inside, outside]))), [outside]);
});

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const inner = { ...strict, allowsPrivate: true, allowsHttp: true, headers: {}, body: '{}' };
const signal = new AbortController().signal;

test('a redirect is an answer and is not followed', async (t) => {
  const paths: unknown[] = [];
  const url = await serve(t, (request, response) => {
    paths.push(request.url);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  assert.equal((await postOutside({ ...inner, url, signal })).status, 302);
  assert.deepEqual(paths, ['/hook']);
});

test('a response that is too long, or does not come in time, is an error without its content', async (t) => {
  const long = await serve(t, (_request, response) => void response.end('secret'.repeat(100)));
  await assert.rejects(requestOutside({ ...inner, url: long }), { message: 'the answer has more than 100 bytes' });
  const never = await serve(t, () => {});
  await assert.rejects(postOutside({ ...inner, url: never, signal, timeoutMs: 50 }), { message: 'no answer in time' });
});

test('a connection that was made to a private address is not used for a request that may not go there', async (t) => {
  const url = (await serve(t, (_request, response) => void response.end())).replace('127.0.0.1', 'localhost');
  assert.equal((await postOutside({ ...inner, url, signal })).status, 200);
  await assert.rejects(postOutside({ ...inner, url, signal, allowsPrivate: false }), /private network/);
});

test('a message that was taken is not lost because of what follows the status: too long a page, or one that stalls', async (t) => {
  const long = await serve(t, (_request, response) => void response.end('page'.repeat(100_000)));
  assert.equal((await postOutside({ ...inner, url: long, signal })).status, 200);
  const stalled = await serve(t, (_request, response) => void response.writeHead(202).write('wait'));
  assert.equal((await postOutside({ ...inner, url: stalled, signal, timeoutMs: 5_000 })).status, 202);
});
