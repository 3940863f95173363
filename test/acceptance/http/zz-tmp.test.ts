import { test } from 'node:test';
import type { OpenApiDocument } from '../../../src/http/openapi/document.ts';
import { examplePassword, exampleRequest, inTurn, operationsOf } from '../../harness/openapi/example-calls.ts';
import { startTestApp } from '../../harness/site/app.ts';
import { DatabaseSync } from 'node:sqlite';
import { globSync } from 'node:fs';
test('tmp', async (t) => {
  const app = await startTestApp(t, 'sqlite', { overrides: { TOCSIN_ADMIN_PASSWORD: examplePassword } });
  const document = (await app.request('GET', '/api/v1/openapi.json')).body as OpenApiDocument;
  const operations = operationsOf(document);
  const signIn = operations.find(({ operation }) => operation.operationId === 'signIn');
  const send = async (located: any, token: any) => {
    const { address, body } = exampleRequest(located);
    return app.request(located.method, address, { token, body });
  };
  const token = ((await send(signIn, undefined)).body as any).access_token;
  for (const located of inTurn(operations)) {
    if (located.operation.operationId === 'signOut') continue;
    const { status, text } = await send(located, token);
    const db = globSync(`${app.environment.TOCSIN_DATA_DIR}/*.db`)[0] ?? globSync(`${app.environment.TOCSIN_DATA_DIR}/**/*.{db,sqlite}`)[0];
    const rows = db === undefined ? [] : new DatabaseSync(db, { readOnly: true }).prepare('select id, cause_id, kind, list, target_kind, target_id, call_id, state, round, ended_by from call_causes limit 3').all();
    console.log(located.operation.operationId, status, JSON.stringify(rows));
  }
});
