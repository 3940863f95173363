// The HTTP edge over real sockets: parsing, refusals, security headers, logging, and robustness against garbage.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bearer, type EdgeServer, edgeServer, rawExchange } from '../../harness/server/edge-server.ts';

const json = { 'content-type': 'application/json' };
const writing = { ...bearer('writer'), ...json };

type Problem = {
  type: string;
  status: number;
  code: string;
  detail: string;
  requestId: string;
  errors?: { field: string }[];
};

async function post(
  server: EdgeServer,
  body: string | URLSearchParams | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = writing,
): Promise<Response> {
  return fetch(`${server.url}/api/v1/stations`, { method: 'POST', headers, body });
}

test('responses are JSON, including bare numbers, strings and booleans', async (t) => {
  const server = await edgeServer(t);
  const made = await post(server, '{"name":"North","priority":3,"place":{"latitude":48.1}}');
  assert.deepEqual([made.status, await made.text()], [200, '42']);
  assert.match(made.headers.get('content-type') ?? '', /^application\/json/);
  const login = await fetch(`${server.url}/api/v1/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'ana', password: 'right' }),
  });
  assert.deepEqual([login.status, await login.text()], [200, 'true']);
  const name = await fetch(`${server.url}/api/v1/name`);
  assert.equal(await name.json(), '"127.0.0.1"');
  assert.equal(name.headers.get('tocsin-warnings'), '???set-cookie: a=b');
  assert.equal(name.headers.get('set-cookie'), null);
  const removed = await fetch(`${server.url}/api/v1/stations/1`, {
    method: 'DELETE',
    headers: { ...bearer('reader'), ...json },
  });
  assert.deepEqual([removed.status, await removed.text()], [200, '']);
});

test('a list returns the offset and limit that were applied', async (t) => {
  const server = await edgeServer(t);
  const cases: [string, object][] = [
    ['', { offset: 0, limit: 1000, total: 1 }],
    ['?limit=5000&offset=3&sort=+id&unknown=1', { offset: 3, limit: 1000, total: 1 }],
    ['?limit=0&sort=-id&search=%C3%A9t%C3%A9', { offset: 0, limit: 0, total: 1 }],
  ];
  for (const [query, paging] of cases) {
    const answer = await fetch(`${server.url}/api/v1/stations${query}`, { headers: bearer('reader') });
    assert.deepEqual(await answer.json(), { items: [{ id: 1 }], paging }, query);
  }
  assert.deepEqual(server.seen.at(-1), { limit: 0, sort: '-id', search: 'été' });
});

test('a bad request is refused with its status, code and field', async (t) => {
  const server = await edgeServer(t);
  const cases: [name: string, send: () => Promise<Response>, status: number, code: string, field?: string][] = [
    [
      'text/plain',
      () => post(server, '{}', { ...writing, 'content-type': 'text/plain' }),
      415,
      'unsupported-media-type',
    ],
    ['form', () => post(server, new URLSearchParams({ name: 'x' }), bearer('writer')), 415, 'unsupported-media-type'],
    [
      'unknown charset',
      () => post(server, '{}', { ...writing, 'content-type': 'application/json; charset=klingon' }),
      415,
      'unsupported-media-type',
    ],
    ['broken type', () => post(server, '{}', { ...writing, 'content-type': 'json' }), 415, 'unsupported-media-type'],
    [
      'unknown encoding',
      () => post(server, '{}', { ...writing, 'content-encoding': 'zstd' }),
      415,
      'unsupported-media-type',
    ],
    ['broken gzip', () => post(server, '{}', { ...writing, 'content-encoding': 'gzip' }), 400, 'malformed-json'],
    [
      'too large when unpacked',
      () => post(server, gzipSync(`{"name":"${'x'.repeat(300_000)}"}`), { ...writing, 'content-encoding': 'gzip' }),
      413,
      'body-too-large',
    ],
    ['too large', () => post(server, `{"name":"${'x'.repeat(262_144)}"}`), 413, 'body-too-large'],
    ['far too large', () => post(server, 'x'.repeat(20_000_000)), 413, 'body-too-large'],
    ['syntax', () => post(server, '{"name":}'), 400, 'malformed-json'],
    ['not UTF-8', () => post(server, Buffer.from('7b226e616d65223a22ff227d', 'hex')), 400, 'malformed-json'],
    ['duplicate', () => post(server, '{"name":"a","name":"b"}'), 400, 'invalid-input', 'name'],
    ['proto', () => post(server, '{"name":"a","__proto__":{}}'), 400, 'invalid-input', '__proto__'],
    ['deep', () => post(server, '['.repeat(200_000)), 400, 'invalid-input', '[0]'.repeat(32)],
    ['NUL', () => post(server, '{"name":"a\\u0000"}'), 422, 'unprocessable', 'name'],
    ['NUL in a field name', () => post(server, '{"name":"a","x\\u0000":1}'), 422, 'unprocessable', 'body'],
    ['missing', () => post(server, '{}'), 400, 'invalid-input', 'name'],
    ['empty', () => post(server, ''), 400, 'invalid-input', 'name'],
    ['fraction', () => post(server, '{"name":"a","priority":1e3}'), 400, 'invalid-input', 'priority'],
    [
      'nested',
      () => post(server, '{"name":"a","contacts":[{"id":1},{"id":-1}]}'),
      400,
      'invalid-input',
      'contacts[1].id',
    ],
    ...['limit=0x10', 'limit=%205', 'limit=1e3', 'limit=1&limit=2', 'limit=-1'].map(
      (query): [string, () => Promise<Response>, number, string, string] => [
        query,
        () => fetch(`${server.url}/api/v1/stations?${query}`, { headers: bearer('reader') }),
        400,
        'invalid-input',
        'limit',
      ],
    ),
    [
      'unknown repeated',
      () => fetch(`${server.url}/api/v1/stations?x=1&x=2`, { headers: bearer('reader') }),
      400,
      'invalid-input',
      'x',
    ],
    [
      'odd id',
      () => fetch(`${server.url}/api/v1/stations/1e1`, { method: 'DELETE', headers: bearer('reader') }),
      404,
      'not-found',
    ],
    [
      'long id',
      () => fetch(`${server.url}/api/v1/stations/${'1'.repeat(300)}`, { method: 'DELETE', headers: bearer('reader') }),
      404,
      'not-found',
    ],
    [
      'bad escape',
      () => fetch(`${server.url}/api/v1/stations/%zz`, { method: 'DELETE', headers: bearer('reader') }),
      400,
      'invalid-input',
    ],
    [
      'form twice',
      () =>
        fetch(`${server.url}/api/v1/auth/login`, {
          method: 'POST',
          body: new URLSearchParams('username=a&username=b'),
        }),
      400,
      'invalid-input',
      'username',
    ],
  ];
  for (const [name, send, status, code, field] of cases) {
    const answer = await send();
    assert.equal(answer.headers.get('content-type'), 'application/problem+json', name);
    const problem = (await answer.json()) as Problem;
    assert.deepEqual([answer.status, problem.status, problem.code], [status, status, code], name);
    assert.equal(problem.errors?.[0]?.field, field, name);
    assert.equal(problem.type, `/docs#error-${code}`, name);
    assert.match(problem.requestId, /^[0-9a-f-]{36}$/, name);
  }
  assert.deepEqual(server.seen, [], 'no handler saw any of it');
  assert.deepEqual(server.log(), [], 'refusals are not logged');
});

test('a body may begin with a byte order mark, name its charset and have other parameters', async (t) => {
  const server = await edgeServer(t);
  for (const parameters of ['; charset=utf-8', ';charset="UTF-8"', ';', ';odata=verbose', '; profile="a;b"']) {
    const type = `Application/JSON${parameters}`;
    const answer = await post(server, Buffer.from('\ufeff{"name":"é"}'), { ...writing, 'content-type': type });
    assert.equal(answer.status, 200, type);
  }
  assert.deepEqual(server.seen[0], { name: 'é' });
});

test('unknown fields are ignored, named in a header and logged', async (t) => {
  const server = await edgeServer(t);
  const answer = await post(
    server,
    '{"name":"a","nom":1,"température":2,"place":{"latitude":1,"lon\\r\\ng":2},"priority":null}',
  );
  assert.equal(answer.headers.get('tocsin-ignored-fields'), 'nom, temp%C3%A9rature, place.lon%0D%0Ag');
  assert.deepEqual(server.seen, [{ name: 'a', place: { latitude: 1 } }]);
  assert.deepEqual(
    server.log().map(({ level, msg }) => [level, msg]),
    [[30, 'unknown fields ignored']],
  );
  const keys = Array.from({ length: 9_000 }, (_, index) => `"key${index}":0`).join(',');
  const flooded = await post(server, `{"name":"a",${keys}}`);
  const named = flooded.headers.get('tocsin-ignored-fields') ?? '';
  assert.match(named, /^key0, key1, .*, key99, .*, \.\.\.$/, 'that there are more is said');
  assert.ok(named.length <= 1_010);
  assert.deepEqual(server.seen.at(-1), { name: 'a' });
});

test('the token is checked first, then the path, the scope and the body', async (t) => {
  const server = await edgeServer(t);
  const nowhere = (headers: Record<string, string>) =>
    fetch(`${server.url}/api/v1/nothing`, { method: 'POST', headers, body: '{' });
  assert.equal((await nowhere(json)).status, 401);
  assert.equal((await nowhere(writing)).status, 404);
  const bodies = new Set<string>();
  for (const authorization of [undefined, 'Bearer', 'Bearer unknown', 'Basic cmVhZGVy', 'Bearer reader x', 'reader']) {
    const headers: Record<string, string> = {
      'content-type': 'text/plain',
      ...(authorization ? { authorization } : {}),
    };
    const answer = await post(server, '{', headers);
    assert.equal(answer.status, 401, authorization);
    const expected = authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"';
    assert.equal(answer.headers.get('www-authenticate'), expected, authorization);
    bodies.add((await answer.text()).replace(/[0-9a-f-]{36}/, ''));
  }
  assert.equal(bodies.size, 1, 'the same body for all');
  const forbidden = await post(server, '{', { ...bearer('reader'), 'content-type': 'text/plain' });
  assert.deepEqual(
    [forbidden.status, ((await forbidden.json()) as Problem).detail.includes('directory:write')],
    [403, true],
  );
  const anyCase = await post(server, '{"name":"a"}', { ...json, authorization: 'bEARER   writer' });
  assert.equal(anyCase.status, 200);
});

test('headers that are too large are 431', async (t) => {
  const server = await edgeServer(t);
  for (const filling of [`X-Filling: ${'x'.repeat(20_000)}`, 'X-Filling: x\r\n'.repeat(2_000).trimEnd()]) {
    const answer = await rawExchange(server.port, `GET /api/v1/name HTTP/1.1\r\nHost: a\r\n${filling}\r\n\r\n`);
    assert.match(answer, /^HTTP\/1.1 431 Request Header Fields Too Large\r\n[\s\S]*"code":"headers-too-large"/);
  }
});

test('a known path with another method returns 405 with the Allow header', async (t) => {
  const server = await edgeServer(t);
  const cases: [string, string, number, string | null][] = [
    ['PUT', '/api/v1/stations', 405, 'GET, HEAD, POST'],
    ['OPTIONS', '/api/v1/stations?x=1', 405, 'GET, HEAD, POST'],
    ['PROPFIND', '/api/v1/stations/7', 405, 'DELETE'],
    ['GET', '/api/v1/auth/login', 405, 'POST'],
    ['PATCH', '/api/v1/nothing', 404, null],
    ['GET', '/', 404, null],
    ['PUT', '/api/v1/stations/', 405, 'GET, HEAD, POST'],
    ['DELETE', '/API/v1/Stations', 405, 'GET, HEAD, POST'],
    ['HEAD', '/api/v1/name', 200, null],
    ['GET', '//api/v1///name//', 200, null],
  ];
  for (const [method, path, status, allow] of cases) {
    const answer = await fetch(`${server.url}${path}`, { method, headers: bearer('reader') });
    assert.deepEqual([answer.status, answer.headers.get('allow')], [status, allow], `${method} ${path}`);
    if (method === 'HEAD') assert.equal(await answer.text(), '');
  }
  assert.match(
    await rawExchange(server.port, 'TRACE /api/v1/name HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
    /^HTTP\/1.1 405 [\s\S]*allow: GET, HEAD/,
  );
});

test('every route is served below the base path only', async (t) => {
  const server = await edgeServer(t, { basePath: '/alertws' });
  assert.equal((await fetch(`${server.url}//api/v1/name`)).status, 200);
  assert.equal((await fetch(`http://127.0.0.1:${server.port}/api/v1/name`)).status, 404);
  const problem = (await (await fetch(`${server.url}/none`)).json()) as Problem;
  assert.equal(problem.type, '/alertws/docs#error-not-found');
  assert.match(await (await fetch(`${server.url}/docs`)).text(), /href="\/alertws\/docs\/style.css"/);
});

const security: readonly [string, RegExp][] = [
  ['content-security-policy', /default-src 'none'.*frame-ancestors 'none'/],
  ['x-content-type-options', /^nosniff$/],
  ['referrer-policy', /^no-referrer$/],
  ['cross-origin-opener-policy', /^same-origin$/],
  ['cache-control', /^no-store$/],
];

test('every response has the security headers', async (t) => {
  const server = await edgeServer(t);
  const remove = (id: number) =>
    fetch(`${server.url}/api/v1/stations/${id}`, { method: 'DELETE', headers: bearer('reader') });
  const answers = [
    [200, await fetch(`${server.url}/api/v1/name`)],
    [200, await fetch(`${server.url}/health/live`)],
    [401, await post(server, '{}', json)],
    [403, await post(server, '{}', { ...bearer('reader'), ...json })],
    [404, await fetch(`${server.url}/none`)],
    [404, await remove(404)],
    [405, await fetch(`${server.url}/docs`, { method: 'PUT' })],
    [413, await post(server, 'x'.repeat(300_000))],
    [400, await fetch(`${server.url}/%zz`)],
    [429, await remove(429)],
    [500, await remove(500)],
    [503, await remove(503)],
  ] as const;
  for (const [status, { status: got, headers }] of answers) {
    assert.equal(got, status);
    for (const [name, value] of security) assert.match(headers.get(name) ?? '', value, `${name} on ${status}`);
    for (const name of ['server', 'x-powered-by', 'strict-transport-security', 'access-control-allow-origin']) {
      assert.equal(headers.get(name), null, `${name} on ${status}`);
    }
  }
  assert.equal(answers[9][1].headers.get('retry-after'), '7');
  assert.equal(answers[11][1].headers.get('retry-after'), '1');
  const raw = await rawExchange(server.port, 'NONSENSE\r\n\r\n');
  for (const [name] of security) assert.match(raw, new RegExp(`\\n${name}: `), name);
});

test('a fault returns 500 without details and is logged once', async (t) => {
  const server = await edgeServer(t);
  const headers = { ...bearer('reader'), 'x-request-id': 'mine', 'request-id': 'mine' };
  const answer = await fetch(`${server.url}/api/v1/stations/500?access_token=hush`, { method: 'DELETE', headers });
  const told = await answer.text();
  assert.equal(answer.status, 500);
  assert.doesNotMatch(told, /SQLITE|SELECT|\/var|at .*:\d+|mine/);
  const lines = server.log();
  assert.equal(lines.length, 1);
  assert.deepEqual([lines[0]?.level, lines[0]?.requestId], [50, (JSON.parse(told) as Problem).requestId]);
  assert.match(JSON.stringify(lines), /SQLITE_BUSY/);
  assert.doesNotMatch(JSON.stringify(lines), /hush|reader/);
});

test('requests are logged at debug level, without query or token', async (t) => {
  const server = await edgeServer(t, { level: 'debug' });
  await (await fetch(`${server.url}/api/v1/stations?search=hush`, { headers: bearer('reader') })).text();
  while (server.log().length === 0) await new Promise(setImmediate);
  assert.deepEqual(
    server.log().map(({ msg }) => msg),
    ['answered'],
  );
  assert.doesNotMatch(JSON.stringify(server.log()), /hush|reader/);
});

test('malformed HTTP on the socket is refused and changes nothing', async (t) => {
  const server = await edgeServer(t);
  const start =
    'POST /api/v1/stations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer writer\r\nContent-Type: application/json\r\n';
  const cases: [string, string, RegExp][] = [
    [
      'both lengths',
      `${start}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
      /^HTTP\/1.1 400 /,
    ],
    ['two lengths', `${start}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}`, /^HTTP\/1.1 400 /],
    ['odd length', `${start}Content-Length: +2\r\n\r\n{}`, /^HTTP\/1.1 400 /],
    ['odd coding', `${start}Transfer-Encoding: gzip\r\n\r\n{}`, /^HTTP\/1.1 400 /],
    ['bad chunk', `${start}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, /^HTTP\/1.1 400 /],
    ['unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1.1 405 [\s\S]*allow: GET/],
    ['giant header', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, /^HTTP\/1.1 431 /],
    ['no host', 'GET /api/v1/name HTTP/1.1\r\nConnection: close\r\n\r\n', /^HTTP\/1.1 400 [\s\S]*nosniff/],
    [
      'two hosts',
      'GET /api/v1/name HTTP/1.1\r\nHost: a\r\nhost: a\r\nConnection: close\r\n\r\n',
      /^HTTP\/1.1 400 [\s\S]*nosniff[\s\S]*more than once/,
    ],
    ['bad header', 'GET / HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n', /^HTTP\/1.1 400 /],
    ['TLS on a plain port', '\x16\x03\x01\x02\x00\x01\x00\x01', /^HTTP\/1.1 40[05] /],
    [
      'odd expectation',
      'GET /api/v1/name HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n',
      /^HTTP\/1.1 200 /,
    ],
    ['absolute form', 'GET http://a/api/v1/name HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', /^HTTP\/1.1 200 /],
  ];
  for (const [name, bytes, expected] of cases) assert.match(await rawExchange(server.port, bytes), expected, name);
  // An incomplete request gets no response, neither while other requests are served nor when it disconnects.
  const askOthers = () => fetch(`${server.url}/health/live`);
  for (const half of ['Content-Le', 'Content-Length: 50\r\n\r\n{"name":']) {
    assert.equal(await rawExchange(server.port, `${start}${half}`, askOthers), '', half);
    assert.equal(await rawExchange(server.port, `${start}${half}`, async () => {}), '', half);
  }
  assert.deepEqual(server.seen, []);
  assert.deepEqual(server.log(), []);
  assert.equal((await fetch(`${server.url}/health/live`)).status, 200);
});

test('an endless upload is refused without being buffered', async (t) => {
  const server = await edgeServer(t);
  const before = process.memoryUsage().rss;
  const chunk = new Uint8Array(1_000_000);
  let sent = 0;
  const body = new ReadableStream({
    pull: (controller) => (sent++ < 200 ? controller.enqueue(chunk) : controller.close()),
  });
  const answer = await fetch(`${server.url}/api/v1/stations`, {
    method: 'POST',
    headers: writing,
    body,
    duplex: 'half',
  }).catch(() => undefined);
  assert.ok(answer === undefined || answer.status === 413);
  assert.ok(process.memoryUsage().rss - before < 150_000_000);
  assert.equal((await fetch(`${server.url}/health/live`)).status, 200);
});
