// Everything that a request can make large has a bound in the OpenAPI document, which is also what requests are checked against.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generatedDocuments } from '../../../scripts/generated-documents.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

type Schema = { readonly [key: string]: unknown };
type Operation = {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
};
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

const boundedFormats = ['date-time', 'date', 'time', 'uuid', 'binary'];

/** The places in the bodies and queries of all operations where a text, a list, a map or a whole number has no bound. */
function unbounded(document: Document): readonly string[] {
  const found = new Set<string>();
  const resolve = (schema: Schema): Schema => {
    if (typeof schema.$ref !== 'string') return schema;
    const keys = schema.$ref.split('/').slice(1);
    return keys.reduce((part, key) => part[key.replaceAll('~1', '/')] as Schema, document as unknown as Schema);
  };
  const walk = (given: Schema, path: string, above: readonly Schema[]): void => {
    const schema = resolve(given);
    if (above.includes(schema) || 'const' in schema || 'enum' in schema) return;
    const within = [...above, schema];
    const each = (key: string): readonly Schema[] => (schema[key] as readonly Schema[] | undefined) ?? [];
    for (const part of [...each('anyOf'), ...each('oneOf'), ...each('allOf')]) walk(part, path, within);
    const is = (type: string): boolean => [schema.type].flat().includes(type);
    const lacks = (...keys: readonly string[]): boolean => keys.every((key) => !(key in schema));
    if (is('string') && lacks('maxLength', 'pattern') && !boundedFormats.includes(String(schema.format)))
      found.add(path);
    if (is('array') && lacks('maxItems')) found.add(path);
    if (is('integer') && lacks('maximum', 'exclusiveMaximum')) found.add(path);
    if (typeof schema.items === 'object') walk(schema.items as Schema, `${path}[]`, within);
    for (const [name, part] of Object.entries(schema.properties ?? {})) walk(part as Schema, `${path}.${name}`, within);
    const others = schema.additionalProperties ?? Object.values(schema.patternProperties ?? {})[0];
    if (typeof others !== 'object' || others === null) return;
    if (lacks('maxProperties')) found.add(path);
    walk(others as Schema, `${path}.*`, within);
  };
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, { parameters = [], requestBody }] of Object.entries(operations)) {
      for (const { schema } of Object.values(requestBody?.content ?? {})) walk(schema, `${method} ${path}`, []);
      // Headers are bounded together by the server.
      for (const { in: place, name, schema } of parameters)
        if (place !== 'header') walk(schema, `${method} ${path}?${name}`, []);
    }
  return [...found];
}

test('every text, list, map and whole number of a request has a bound', async () => {
  const text = (await generatedDocuments()).get('docs/openapi.json') ?? '';
  assert.deepEqual(unbounded(JSON.parse(text) as Document), []);
  const planted = JSON.parse(text.replaceAll('"maxProperties":', '"x-not":')) as Document;
  assert.ok(unbounded(planted).includes('put /api/v1/callpolicy.texts'), 'a bound that is missing is found');
});

testOnAnyStore('a refusal says the bound: too many texts by language in the call policy', async (t, kind) => {
  const site = await startSite(t, kind);
  const texts = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`x${n}`, { opening: 'a' }]));
  const { status, body } = await site.request('PUT', '/callpolicy', { priorities: [], texts });
  assert.equal(status, 400);
  assert.match(JSON.stringify(body), /texts must be an object of at most 100 entries/);
});

testOnAnyStore('an alarm with too many names is taken all the same, and what was not is said', async (t, kind) => {
  const site = await startSite(t, kind);
  const names = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`x${n}`, 'a']));
  const { status, headers } = await site.request('POST', '/alarms', { path: 'Pump', alarmMessage: 'hot', names });
  assert.equal(status, 200);
  assert.match(headers.get('tocsin-warnings') ?? '', /names/);
});
