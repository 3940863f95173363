// The OpenAPI document and the reference page describe exactly the served routes; health and metrics endpoints.

import assert from 'node:assert/strict';
import diagnostics from 'node:diagnostics_channel';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { Gauge } from 'prom-client';
import { type TSchemaOptions, Type } from 'typebox';
import { scopes } from '../../../src/domain/access/access.ts';
import { AppError, errorCodes } from '../../../src/errors.ts';
import type { DocumentSchema } from '../../../src/http/openapi/components.ts';
import { type OpenApiDocument, openApiDocument } from '../../../src/http/openapi/document.ts';
import { defineRoute, fileBody, fileResponse } from '../../../src/http/route.ts';
import { serveMetrics } from '../../../src/routes/health.ts';
import { choice, maxUint, uint } from '../../../src/wire/paging.ts';
import { bearer, type EdgeServer, edgeServer } from '../../harness/server/edge-server.ts';

async function documentOf(server: EdgeServer): Promise<OpenApiDocument> {
  const answer = await fetch(`${server.url}/api/v1/openapi.json`);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  return (await answer.json()) as OpenApiDocument;
}

function operationsOf({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

test('the OpenAPI document contains exactly the served routes', async (t) => {
  const served: string[] = [];
  const watch = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
      if (method !== 'HEAD') served.push(`${method} ${url.replace('(^\\d+$)', '')}`);
    });
  diagnostics.subscribe('fastify.initialization', watch);
  const server = await edgeServer(t, { basePath: '/base' });
  diagnostics.unsubscribe('fastify.initialization', watch);
  const document = await documentOf(server);
  const described = operationsOf(document).map(
    ({ path, method }) => `${method.toUpperCase()} /base${path.replace(/\{(\w+)\}/g, ':$1')}`,
  );
  assert.ok(served.length > 8);
  const isPage = (route: string) => /^GET \/base\/(docs|swagger)\b/.test(route);
  assert.deepEqual(described.toSorted(), served.filter((route) => !isPage(route)).toSorted());
  assert.equal(served.filter(isPage).length, 7);
  assert.deepEqual(document.servers, [{ url: '/base' }]);
});

test('the document has the shape of OpenAPI 3.1', async (t) => {
  const document = await documentOf(await edgeServer(t));
  assert.equal(document.openapi, '3.1.0');
  const operations = operationsOf(document);
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  const written = JSON.stringify(document);
  for (const [, name = ''] of written.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    assert.ok(document.components.schemas[name] !== undefined, name);
  }
  for (const { path, operation } of operations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = operation.parameters.filter((parameter) => parameter.in === 'path');
    assert.deepEqual(
      declared.map(({ name }) => name),
      inPath,
    );
    assert.ok(declared.every(({ required }) => required));
    assert.ok(['public', 'signed-in', ...scopes].includes(operation['x-scope']), path);
    assert.equal(operation.security.length, operation['x-scope'] === 'public' ? 0 : 2);
    for (const [status, answer] of Object.entries(operation.responses)) {
      assert.match(status, /^\d{3}$/);
      assert.ok(answer.description.length > 0);
    }
  }
  const list = document.paths['/api/v1/stations']?.get;
  assert.deepEqual(
    list?.parameters.map(({ name }) => name),
    ['offset', 'limit', 'sort', 'search', 'stationId'],
  );
  assert.deepEqual(Object.keys(list?.responses ?? {}), ['200', '400', '401', '403', '422', '500', '503']);
});

test('the document is deterministic and refuses duplicate titles and operation ids', () => {
  const route = (path: string, title: string, answer: TSchemaOptions, operationId = path.slice(1)) =>
    defineRoute({
      method: 'GET',
      path,
      scope: 'public',
      tag: 'Demo',
      operationId,
      summary: 'Demo',
      responses: { 200: Type.Object({ id: uint(answer) }, { title }) },
      refusals: [],
      handle: async () => ({ id: 1 }),
    });
  const about = { version: '1', basePath: '' };
  const once = () => JSON.stringify(openApiDocument([route('/a', 'A', {}), route('/b', 'A', {})], about));
  assert.equal(once(), once());
  assert.throws(() => openApiDocument([route('/a', 'A', {}), route('/b', 'A', { maximum: 1 })], about), /title A/);
  assert.throws(() => openApiDocument([route('/a', 'A', {}), route('/b', 'A', {}, 'a')], about), /operation id a$/);
  assert.throws(() => route('/a/:id', 'A', {}), /the path names \[id\], params \[\]/);
});

test('the document names its schemas, numbers have a format, and a body takes null for what is optional', () => {
  const about = { version: '1', basePath: '' };
  const mode = choice(
    [
      ['all', 'everybody'],
      ['turn', 'the next one'],
    ],
    { title: 'Mode', description: 'Whom to call.' },
  );
  const inner = Type.Object({ x: Type.Number() }, { title: 'Inner' });
  const body = Type.Object(
    {
      id: uint(),
      small: Type.Optional(Type.Integer({ minimum: 0, maximum: 3 })),
      mode: Type.Optional(Type.Enum(mode.enum, { ...mode, default: 'all' })),
      inner: Type.Optional(inner),
      list: Type.Optional(Type.Array(inner, { 'x-null-entries': 'ignored' })),
      other: Type.Optional(Type.Union([uint(), Type.Null()])),
      names: Type.Optional(Type.Record(Type.String(), Type.String())),
    },
    { title: 'DemoBody' },
  );
  const route = defineRoute({
    method: 'POST',
    path: '/a',
    scope: 'public',
    tag: 'Demo',
    operationId: 'a',
    summary: 'Demo',
    body,
    responses: { 200: Type.Object({ mode, other: Type.Optional(uint()) }, { title: 'Demo' }) },
    refusals: [],
    handle: async () => ({ mode: 'all' as const }),
  });
  const { components, paths } = openApiDocument([route], about);
  const { schemas } = components;
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  assert.deepEqual(paths['/a']?.post?.requestBody?.content['application/json']?.schema, ref('DemoBody'));
  const uintSchema = { type: 'integer', minimum: 0, maximum: maxUint, format: 'int64' };
  assert.deepEqual(schemas.DemoBody?.properties, {
    id: uintSchema,
    small: { type: ['integer', 'null'], minimum: 0, maximum: 3, format: 'int32' },
    mode: { anyOf: [ref('Mode'), { type: 'null' }], default: 'all' },
    inner: { anyOf: [ref('Inner'), { type: 'null' }] },
    list: { type: ['array', 'null'], items: { anyOf: [ref('Inner'), { type: 'null' }] } },
    other: { ...uintSchema, type: ['integer', 'null'] },
    names: { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } },
  });
  assert.deepEqual(schemas.Demo?.properties, { mode: ref('Mode'), other: uintSchema });
  assert.deepEqual(schemas.Mode, {
    type: 'string',
    enum: ['all', 'turn'],
    title: 'Mode',
    description: 'Whom to call. `all`: everybody; `turn`: the next one.',
    'x-enum-descriptions': ['everybody', 'the next one'],
  });
});

test('every operation and property of the interface is described, and every operation has a readable name', async () => {
  const text = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
  const document = JSON.parse(text) as OpenApiDocument;
  const { schemas } = document.components;
  const operations = operationsOf(document);
  for (const { path, method, operation } of operations) {
    const { operationId, parameters } = operation;
    assert.match(operationId, /^[a-z][A-Za-z0-9]+$/, `${method} ${path}`);
    assert.doesNotMatch(operationId, /^(post|put)|By[A-Z]/, `${method} ${path}`);
    for (const { name, description } of parameters) assert.ok(description, `${operationId} ${name}`);
    const contents = [
      operation.requestBody?.content,
      ...Object.values(operation.responses).map(({ content }) => content),
    ];
    for (const { schema } of contents.flatMap((content) => Object.values(content ?? {}))) check(schema, operationId);
  }
  assert.ok(Object.keys(schemas).length > 60);
  for (const [name, schema] of Object.entries(schemas)) {
    assert.ok(schema.description, name);
    check(schema, name);
  }
  function check(schema: DocumentSchema, where: string): void {
    const named = schema.items ?? schema;
    const isNamed = where === named.title || Object.keys(named.properties ?? {}).length === 0;
    assert.ok(isNamed, `${where} has a schema without a name`);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const { $ref } = field.anyOf?.[0] ?? field;
      const description = field.description ?? schemas[$ref?.split('/').at(-1) ?? '']?.description;
      assert.ok(description, `${where}.${name} is not described`);
      if (typeof field.type === 'string' && ['integer', 'number'].includes(field.type)) assert.ok(field.format);
      check(field, `${where}.${name}`);
    }
  }
});

test('the same document is served as OpenAPI 3.0.3, without keywords of 3.1', async (t) => {
  const server = await edgeServer(t, { basePath: '/base' });
  const answer = await fetch(`${server.url}/api/v1/openapi-3.0.json`);
  const text = await answer.text();
  const document = JSON.parse(text);
  assert.equal(document.openapi, '3.0.3');
  assert.deepEqual(Object.keys(document.paths), Object.keys((await documentOf(server)).paths));
  assert.doesNotMatch(text, /"(const|examples|patternProperties|contentMediaType|identifier)":|"type":(\[|"null")/);
});

test('/swagger and everything below it lead to the reference', async (t) => {
  const server = await edgeServer(t, { basePath: '/base' });
  for (const path of [
    '/swagger',
    '/swagger/',
    '/swagger/index.html',
    '/swagger/ui/index',
    '/swagger/v1/swagger.json',
  ]) {
    const answer = await fetch(`${server.url}${path}`, { redirect: 'manual' });
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/base/docs'], path);
  }
});

test('the reference page has no script of its own and allows scripts of this server alone', async (t) => {
  const server = await edgeServer(t, { basePath: '/base' });
  const answer = await fetch(`${server.url}/docs`);
  const page = await answer.text();
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  const policy = answer.headers.get('content-security-policy') ?? '';
  assert.match(policy, /^default-src 'none'; script-src 'self'; /);
  assert.match(policy, /; connect-src 'self'; /);
  assert.doesNotMatch(page, /<script>|<style| style=| on\w+=|undefined|\[object|https?:/);
  const sources = [...page.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, source = '']) => source);
  assert.ok(sources.length >= 5);
  for (const source of sources.filter((one) => !one.startsWith('data:'))) {
    assert.match(source, /^\/base\//);
    const file = await fetch(new URL(source, server.url));
    assert.equal(file.status, 200, source);
    await file.arrayBuffer();
  }
});

test('the library of the reference is sent once and then found unchanged', async (t) => {
  const { url } = await edgeServer(t);
  const library = await fetch(`${url}/docs/reference.js`);
  assert.equal(library.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.match(await library.text(), /createApiReference/);
  const etag = library.headers.get('etag') ?? '';
  const again = await fetch(`${url}/docs/reference.js`, { headers: { 'if-none-match': etag } });
  assert.deepEqual([again.status, await again.text()], [304, '']);
});

test('the page of errors has every error, at the address that refusals name', async (t) => {
  const server = await edgeServer(t);
  const page = await (await fetch(`${server.url}/docs/errors`)).text();
  for (const code of Object.keys(errorCodes)) assert.ok(page.includes(`id="error-${code}"`), code);
  assert.doesNotMatch(page, /<script|<style| style=|undefined|\[object/);
  const refusal = (await (await fetch(`${server.url}/nothing`)).json()) as { type: string };
  assert.equal(refusal.type, '/docs#error-not-found');
  assert.match(
    await (await fetch(`${server.url}/docs/start.js`)).text(),
    /'#error-'\).*'\/docs\/errors' \+ location\.hash/,
  );
  assert.match(await (await fetch(`${server.url}/docs/style.css`)).text(), /prefers-color-scheme: dark/);
});

test('a file body or response is described as bytes, with each of its media types', () => {
  const route = defineRoute({
    method: 'PUT',
    path: '/file',
    scope: 'public',
    tag: 'Demo',
    operationId: 'turnFile',
    summary: 'Turn a file around',
    body: fileBody,
    fileTypes: ['audio/wav', 'image/png'],
    responses: { 200: fileResponse },
    refusals: [],
    handle: async ({ body }) => ({ type: 'audio/wav', bytes: body.toReversed() }),
  });
  const document = openApiDocument([route], { version: '1', basePath: '' });
  const operation = document.paths['/file']?.put;
  const schema = { $ref: '#/components/schemas/Bytes' };
  assert.deepEqual(operation?.requestBody, { required: true, content: { '*/*': { schema } } });
  assert.deepEqual(operation?.responses[200]?.content, { 'audio/wav': { schema }, 'image/png': { schema } });
  assert.equal(document.components.schemas.Bytes?.type, undefined, 'not the text of a JSON string');
  assert.deepEqual(operation?.['x-refusals'], [
    'invalid-input',
    'request-timeout',
    'body-too-large',
    'unsupported-media-type',
    'unprocessable',
    'unavailable',
    'internal',
  ]);
});

test('/health/live returns live, and /health/ready returns 503 with the reason while nothing can be stored', async (t) => {
  const server = await edgeServer(t);
  assert.deepEqual(await (await fetch(`${server.url}/health/live`)).json(), { status: 'live' });
  const ready = await fetch(`${server.url}/health/ready`);
  const stored = { name: 'database', ok: true, detail: 'stores a row in 1 ms' };
  assert.deepEqual([ready.status, await ready.json()], [200, { status: 'ready', checks: [stored] }]);
  server.probed.error = new AppError('unavailable', 'The disk is full.');
  const missing = await fetch(`${server.url}/health/ready`);
  const failed = { name: 'database', ok: false, detail: 'The disk is full.' };
  assert.deepEqual([missing.status, await missing.json()], [503, { status: 'not-ready', checks: [failed] }]);
});

test('metrics need the scope admin, except on their own port', async (t) => {
  const server = await edgeServer(t);
  new Gauge({ name: 'tocsin_demo', help: 'A demo.', registers: [server.registry] }).set(5);
  assert.equal((await fetch(`${server.url}/metrics`)).status, 401);
  assert.equal((await fetch(`${server.url}/metrics`, { headers: bearer('reader') })).status, 403);
  const stats = await fetch(`${server.url}/metrics`, { headers: bearer('admin') });
  assert.match(stats.headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(await stats.text(), /^tocsin_demo 5$/m);
  const apart = await serveMetrics(server.registry, '127.0.0.1', 0);
  t.after(apart.close);
  assert.match(await (await fetch(`http://127.0.0.1:${apart.port}/metrics`)).text(), /^tocsin_demo 5$/m);
  assert.equal((await fetch(`http://127.0.0.1:${apart.port}/`)).status, 404);
});

test('headers that a route reads or sets are in the document', async () => {
  const text = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
  const document = JSON.parse(text) as OpenApiDocument;
  const headersOf = (method: string, path: string) => {
    const operation = document.paths[`/api/v1/alarms${path}`]?.[method];
    const sent = operation?.parameters.filter((parameter) => parameter.in === 'header' && !parameter.required);
    return [sent?.map(({ name }) => name), Object.keys(operation?.responses[200]?.headers ?? {})];
  };
  assert.deepEqual(headersOf('post', ''), [['Idempotency-Key', 'Prefer'], ['Tocsin-Warnings']]);
  assert.deepEqual(headersOf('post', '/batch'), [['Idempotency-Key', 'Prefer'], ['Tocsin-Warnings']]);
  assert.deepEqual(headersOf('get', ''), [['Accept-Language'], []]);
  assert.deepEqual(headersOf('get', '/{id}'), [['Accept-Language'], ['ETag']]);
});
