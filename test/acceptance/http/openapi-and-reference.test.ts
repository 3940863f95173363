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
import { referencePage } from '../../../src/http/docs/page.ts';
import { type OpenApiDocument, openApiDocument } from '../../../src/http/openapi.ts';
import { defineRoute, fileBody, fileResponse } from '../../../src/http/route.ts';
import { serveMetrics } from '../../../src/routes/health.ts';
import { uint } from '../../../src/wire/paging.ts';
import { bearer, type EdgeServer, edgeServer } from '../../harness/edge-server.ts';

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
  assert.deepEqual(described.toSorted(), served.toSorted());
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
    assert.equal(operation.security.length, operation['x-scope'] === 'public' ? 0 : 1);
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
  assert.deepEqual(Object.keys(list?.responses ?? {}), ['200', '400', '401', '403', '422', '500']);
});

test('the document is deterministic and refuses duplicate titles and operation ids', () => {
  const route = (path: string, title: string, answer: TSchemaOptions) =>
    defineRoute({
      method: 'GET',
      path,
      scope: 'public',
      tag: 'Demo',
      summary: 'Demo',
      responses: { 200: Type.Object({ id: uint(answer) }, { title }) },
      refusals: [],
      handle: async () => ({ id: 1 }),
    });
  const about = { version: '1', basePath: '' };
  const once = () => JSON.stringify(openApiDocument([route('/a', 'A', {}), route('/b', 'A', {})], about));
  assert.equal(once(), once());
  assert.throws(() => openApiDocument([route('/a', 'A', {}), route('/b', 'A', { default: 1 })], about), /title A/);
  assert.throws(() => openApiDocument([route('/a-b', 'A', {}), route('/a/b', 'A', {})], about), /getAB/);
  assert.throws(() => route('/a/:id', 'A', {}), /the path names \[id\], params \[\]/);
});

test('the reference page has every operation and every error, without scripts', async (t) => {
  const server = await edgeServer(t);
  const answer = await fetch(`${server.url}/docs`);
  const page = await answer.text();
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(answer.headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'self';/);
  for (const { operation } of operationsOf(await documentOf(server))) {
    assert.ok(page.includes(`id="${operation.operationId}"`), operation.operationId);
  }
  for (const code of Object.keys(errorCodes)) assert.ok(page.includes(`id="error-${code}"`), code);
  assert.doesNotMatch(page, /<script|<style| style=| on\w+=|undefined|\[object/);
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.includes(target), target);
  const style = await fetch(`${server.url}/docs/style.css`);
  assert.equal(style.headers.get('content-type'), 'text/css; charset=utf-8');
  assert.match(await style.text(), /prefers-color-scheme: dark/);
});

test('text in a route declaration is escaped on the reference page', () => {
  const evil = '"><script>alert(1)</script>';
  const route = defineRoute({
    method: 'POST',
    path: '/a',
    scope: 'public',
    tag: evil,
    summary: evil,
    description: evil,
    body: Type.Object({ [evil]: Type.String({ description: evil, examples: [evil] }) }),
    responses: { 200: Type.String({ description: evil }) },
    refusals: [],
    handle: async () => '',
  });
  assert.doesNotMatch(referencePage(openApiDocument([route], { version: evil, basePath: '' })), /<script/);
});

test('a file body or response is described as bytes, with each of its media types', () => {
  const route = defineRoute({
    method: 'PUT',
    path: '/file',
    scope: 'public',
    tag: 'Demo',
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
    'body-too-large',
    'unsupported-media-type',
    'unprocessable',
    'internal',
  ]);
  const page = referencePage(document);
  assert.match(page, /<small>audio\/wav, image\/png<\/small>/);
  assert.match(page, /<code>Bytes<\/code>/);
  assert.match(page, /--data-binary @FILE/);
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

test('headers that a route reads or sets are in the document and on the page', async () => {
  const text = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
  const document = JSON.parse(text) as OpenApiDocument;
  const headersOf = (method: string, path: string) => {
    const operation = document.paths[`/api/v1/alarms${path}`]?.[method];
    const sent = operation?.parameters.filter((parameter) => parameter.in === 'header' && !parameter.required);
    return [sent?.map(({ name }) => name), Object.keys(operation?.responses[200]?.headers ?? {})];
  };
  assert.deepEqual(headersOf('post', ''), [['Idempotency-Key'], ['Tocsin-Warnings']]);
  assert.deepEqual(headersOf('post', '/batch'), [['Idempotency-Key'], ['Tocsin-Warnings']]);
  assert.deepEqual(headersOf('get', ''), [['Accept-Language'], []]);
  assert.deepEqual(headersOf('get', '/{id}'), [['Accept-Language'], []]);
  assert.match(referencePage(document), /<code>Idempotency-Key<\/code><span class="optional">header</);
});
