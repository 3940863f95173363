// Both OpenAPI documents are clean by the recommended rules of Redocly.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generatedDocuments } from '../../../scripts/generated-documents.ts';
import type { OpenApiDocument } from '../../../src/http/openapi/document.ts';
import { openApi30 } from '../../../src/http/openapi/version-30.ts';
import { unnamedRepeats } from '../../harness/openapi/unnamed-repeats.ts';

const redocly = fileURLToPath(new URL('../../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

/** Rules of the set `recommended` that are switched off. */
const exceptions = {
  // `/health/live`, `/health/ready`, `/health/calling` and the documents themselves refuse nobody.
  'operation-4xx-response': 'off',
};

type Lint = { readonly problems: readonly { readonly ruleId: string; readonly message: string }[] };

test('the OpenAPI document has no mistake that the linter knows, in 3.1 and in 3.0', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-lint-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'redocly.yaml'), JSON.stringify({ extends: ['recommended'], rules: exceptions }));
  const text = (await generatedDocuments()).get('docs/openapi.json') ?? '';
  const older = JSON.stringify(openApi30(JSON.parse(text) as OpenApiDocument));
  // One mistake is put in, which the linter must find.
  const files = { '3.1.json': text, '3.0.json': older.replace('"operationId":"listAlarms",', '') };
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const args = [redocly, 'lint', ...Object.keys(files), '--format=json', '--max-problems=1000'];
  const options = { cwd: folder, env: environment, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch((error) => error);
  // One JSON text for each document.
  const texts: string[] = stdout.split(/(?<=^\})(?=\{)/m);
  assert.equal(texts.length, 2);
  const problems = texts.map((one) =>
    (JSON.parse(one) as Lint).problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
  );
  assert.deepEqual(
    problems,
    [[], ['operation-operationId: Operation object should contain `operationId` field.']],
    'nothing but the mistake that was put in',
  );
});

test('generated types have names: no enumeration or object is repeated without one, in 3.1 and in 3.0', async () => {
  const text = (await generatedDocuments()).get('docs/openapi.json') ?? '';
  const document = JSON.parse(text) as OpenApiDocument;
  assert.deepEqual(unnamedRepeats(document), []);
  assert.deepEqual(unnamedRepeats(openApi30(document)), []);
});

test('the check of names finds a repeated enumeration and a response without a name', () => {
  const sorted = (operationId: string, schema: object) => ({
    operationId,
    parameters: [{ name: 'sort', schema: { type: 'string', enum: ['+id', '-id'], description: operationId } }],
    responses: { 200: { content: { 'application/json': { schema } } } },
  });
  const named = { $ref: '#/components/schemas/Page' };
  const planted = (...operations: readonly object[]) => ({
    paths: { '/a': { ...operations } },
    components: { schemas: {} },
  });
  const twice = [sorted('listA', named), sorted('listB', named)];
  assert.deepEqual(unnamedRepeats(planted(...twice)), []);
  const without = { type: 'object', properties: { id: { type: 'integer' } } };
  assert.deepEqual(unnamedRepeats(planted(...twice, sorted('listC', without))), [
    'listC 200 has no name',
    'the same without a name: listA?sort, listB?sort, listC?sort',
  ]);
});
