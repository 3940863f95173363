// Tests the conversion of the OpenAPI document to 3.0.3, keyword by keyword and as a whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { uint } from '../../wire/paging.ts';
import { defineRoute, fileResponse } from '../route.ts';
import { openApiDocument } from './document.ts';
import { openApi30, schema30 } from './version-30.ts';

test('a list of types becomes one type, nullable when null is among them', () => {
  assert.deepEqual(schema30({ type: ['integer', 'null'], minimum: 1 }), {
    type: 'integer',
    nullable: true,
    minimum: 1,
  });
  assert.deepEqual(schema30({ type: ['string', 'null'], enum: ['a', null] }), {
    type: 'string',
    nullable: true,
    description: 'One of `a`; there may be others later.',
  });
  assert.throws(() => schema30({ type: ['integer', 'string'] }), /integer, string/);
});

test('a choice of a reference or null is nullable', () => {
  const $ref = '#/components/schemas/A';
  const schemas = { A: { type: 'object' } };
  assert.deepEqual(schema30({ anyOf: [{ $ref }, { type: 'null' }], default: 1 }, schemas), {
    default: 1,
    type: 'object',
    nullable: true,
    allOf: [{ $ref }],
  });
  assert.throws(() => schema30({ anyOf: [{ type: 'object' }, { type: 'null' }] }), /choice with null/);
});

test('a response that is an id or an object has no type, which would fail after the request was carried out', () => {
  const anyOf = [{ type: 'integer' }, { $ref: '#/components/schemas/A' }];
  assert.deepEqual(schema30({ anyOf }), { description: 'a value of the type `integer`, or an object `A`.' });
});

test('lists of texts are open, with the known values in words, and of numbers closed', () => {
  const described = { type: 'string', enum: ['a'], description: '`a`: first.', 'x-enum-descriptions': ['first'] };
  assert.deepEqual(schema30(described), { type: 'string', description: '`a`: first.' });
  assert.deepEqual(schema30({ type: 'string', const: 'a' }), { type: 'string' });
  assert.deepEqual(schema30({ type: 'integer', enum: [1, 2] }), { type: 'integer', enum: [1, 2] });
});

test('a reference with something beside it is wrapped, because 3.0 would ignore what is beside it', () => {
  assert.deepEqual(schema30({ $ref: '#/a' }), { $ref: '#/a' });
  assert.deepEqual(schema30({ $ref: '#/a', default: 'all' }), { allOf: [{ $ref: '#/a' }], default: 'all' });
});

test('const becomes enum, examples one example, other content a binary string; nested schemas are converted too', () => {
  assert.deepEqual(schema30({ type: 'boolean', const: true }), { type: 'boolean', enum: [true] });
  assert.deepEqual(schema30({ type: 'string', examples: ['a', 'b'] }), { type: 'string', example: 'a' });
  assert.deepEqual(schema30({ contentMediaType: 'application/octet-stream' }), { type: 'string', format: 'binary' });
  const inner = { type: ['number', 'null'] };
  const converted = { type: 'number', nullable: true };
  assert.deepEqual(schema30({ type: 'object', properties: { a: inner }, items: inner, additionalProperties: inner }), {
    type: 'object',
    items: converted,
    properties: { a: converted },
    additionalProperties: converted,
  });
});

test('the whole document is converted: parameters, bodies, headers, answers, components and the licence', () => {
  const id = uint({ examples: [7] });
  const route = defineRoute({
    method: 'POST',
    path: '/a/:id',
    scope: 'public',
    tag: 'Demo',
    operationId: 'makeA',
    summary: 'Demo',
    params: Type.Object({ id }),
    body: Type.Object({ note: Type.Optional(Type.String()) }, { title: 'ABody' }),
    responses: { 200: Type.Literal(true), 202: fileResponse },
    fileTypes: ['image/png'],
    responseHeaders: { 'X-Note': 'A note.' },
    refusals: [],
    handle: async () => true as const,
  });
  const document = openApiDocument([route], { version: '1', basePath: '' });
  const before = JSON.stringify(document);
  const converted = JSON.parse(JSON.stringify(openApi30(document)));
  assert.equal(JSON.stringify(document), before, 'the document that is converted stays as it is');
  assert.equal(converted.openapi, '3.0.3');
  assert.deepEqual(Object.keys(converted.info.license), ['name', 'url']);
  const operation = converted.paths['/a/{id}'].post;
  assert.equal(operation.parameters[0].schema.example, 7);
  assert.deepEqual(converted.components.schemas.ABody.properties.note, { type: 'string', nullable: true });
  assert.deepEqual(operation.responses['200'].content['application/json'].schema, { type: 'boolean', enum: [true] });
  assert.equal(converted.components.schemas.Bytes.format, 'binary');
});
