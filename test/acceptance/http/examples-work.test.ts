// Sends the example of every operation of the reference, as it stands in the OpenAPI document, to a new installation.

import assert from 'node:assert/strict';
import type { OpenApiDocument } from '../../../src/http/openapi/document.ts';
import {
  examplePassword,
  exampleRequest,
  inTurn,
  type Located,
  operationsOf,
  refusedExamples,
  statusOfExample,
} from '../../harness/openapi/example-calls.ts';
import { type Answer, startTestApp, type TestApp } from '../../harness/site/app.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

async function send(app: TestApp, located: Located, token: string | undefined): Promise<Answer> {
  const { address, body } = exampleRequest(located);
  const isFile = located.operation.requestBody?.content['*/*'] !== undefined;
  if (!isFile) return app.request(located.method, address, { token, body });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' };
  const response = await fetch(`${app.url}${address}`, { method: located.method, headers, body: 'a file' });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

testOnAnyStore('every example of the reference works when it is pasted', async (t, kind) => {
  const overrides = { TOCSIN_ADMIN_PASSWORD: examplePassword };
  const app = await startTestApp(t, kind, { overrides });
  const document = (await app.request('GET', '/api/v1/openapi.json')).body as OpenApiDocument;
  const operations = operationsOf(document);
  assert.ok(operations.length > 80);
  const signIn = operations.find(({ operation }) => operation.operationId === 'signIn');
  assert.ok(signIn);
  const newToken = async () => ((await send(app, signIn, undefined)).body as { access_token: string }).access_token;
  const token = await newToken();
  assert.ok(token, 'the example of signing in signs in');
  const found: Record<string, number> = {};
  for (const located of inTurn(operations)) {
    const { operationId, responses } = located.operation;
    // The session of the other requests has been ended by then.
    const { status, text } = await send(app, located, operationId === 'signOut' ? await newToken() : token);
    assert.ok(String(status) in responses, `${operationId} answers ${status}, which is not documented: ${text}`);
    if (status >= 300) found[operationId] = statusOfExample(operationId, status);
    if (status >= 300 && refusedExamples[operationId] === undefined) t.diagnostic(`${operationId}: ${status} ${text}`);
  }
  assert.deepEqual(found, refusedExamples);
});
