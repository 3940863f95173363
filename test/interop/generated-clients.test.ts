// Clients that published generators make of the OpenAPI documents compile under `strict`, call every operation and read
// every refusal.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { OpenApiDocument } from '../../src/http/openapi/document.ts';
import {
  examplePassword,
  inTurn,
  operationsOf,
  refusedExamples,
  statusOfExample,
} from '../harness/openapi/example-calls.ts';
import { generatedProgram, generators } from '../harness/openapi/generated-client.ts';
import { startTestApp } from '../harness/site/app.ts';

const made = [
  { generator: 'oazapfts', document: 'openapi.json' },
  { generator: 'swagger-typescript-api', document: 'openapi-3.0.json' },
] as const;

for (const { generator, document: name } of made) {
  test(`a client made of ${name} by ${generator} compiles, calls every operation and reads every refusal`, async (t) => {
    const app = await startTestApp(t, 'sqlite', { overrides: { TOCSIN_ADMIN_PASSWORD: examplePassword } });
    const { body } = await app.request('GET', `/api/v1/${name}`);
    const operations = inTurn(operationsOf(body as OpenApiDocument));
    assert.ok(operations.length > 140);
    const { complaints, load } = await generatedProgram(
      t,
      generators[generator],
      `${app.url}/api/v1/${name}`,
      operations,
    );
    assert.equal(complaints, '', 'the compiler finds nothing');
    const program = await load();
    const signIn = async () => program.use(app.url, await app.signIn('admin', examplePassword));
    await signIn();
    const refused: Record<string, number> = {};
    for (const { operation } of operations) {
      const { operationId, responses } = operation;
      // The session of the other calls has been ended by then.
      if (operationId === 'signOut') await signIn();
      const { status, data } = (await program.calls[operationId]?.()) ?? { status: 0, data: undefined };
      const declared = responses[status];
      assert.ok(declared, `${operationId} answers ${status}, which is not documented`);
      if (declared.content !== undefined) assert.notEqual(data ?? undefined, undefined, `${operationId}: no data`);
      if (status < 300) continue;
      refused[operationId] = statusOfExample(operationId, status);
      const problem = data as { readonly code: unknown; readonly status: unknown };
      assert.deepEqual([typeof problem.code, problem.status], ['string', status], operationId);
    }
    assert.deepEqual(refused, refusedExamples);

    await signIn();
    const refusals = await program.refusals();
    assert.deepEqual(
      Object.entries(refusals).map(([status, { code, title }]) => [status, code, title.length > 0]),
      [
        ['400', 'invalid-input', true],
        ['401', 'not-signed-in', true],
        ['404', 'not-found', true],
        ['413', 'body-too-large', true],
        ['422', 'unprocessable', true],
      ],
    );
  });
}

/** NSwag makes the client while the project is built. */
const nswagProject = `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net8.0</TargetFramework>
    <RollForward>LatestMajor</RollForward>
    <ImplicitUsings>enable</ImplicitUsings>
  </PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Newtonsoft.Json" Version="13.0.3" />
    <PackageReference Include="NSwag.ApiDescription.Client" Version="14.2.0" />
    <OpenApiReference Include="openapi-3.0.json" CodeGenerator="NSwagCSharp" Namespace="Tocsin" ClassName="TocsinClient"
      Options="/UseBaseUrl:false /GenerateExceptionClasses:true" />
  </ItemGroup>
</Project>
`;

const nswagProgram = `using Tocsin;
var http = new HttpClient { BaseAddress = new Uri(args[0]) };
http.DefaultRequestHeaders.Add("Authorization", "Bearer " + args[1]);
var client = new TocsinClient(http);
var id = await client.SendAlarmAsync(null, null, new AlarmBody { Path = "Pump 7", Priority = 1 });
var alarm = await client.GetAlarmAsync(id);
try { await client.GetAlarmAsync(4000000000); }
catch (ApiException<Problem> refused) { Console.WriteLine($"sent {alarm.Name} {refused.Result.Code}"); }
`;

const hasDotnet = spawnSync('dotnet', ['--version']).status === 0;

test('a client made of openapi-3.0.json by NSwag compiles, sends an alarm and reads it and a refusal', {
  skip: hasDotnet ? false : 'dotnet is not installed: the C# client of NSwag is not tried',
}, async (t) => {
  const app = await startTestApp(t, 'sqlite', { overrides: { TOCSIN_ADMIN_PASSWORD: examplePassword } });
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-nswag-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const { text } = await app.request('GET', '/api/v1/openapi-3.0.json');
  await writeFile(join(folder, 'openapi-3.0.json'), text);
  await writeFile(join(folder, 'client.csproj'), nswagProject);
  await writeFile(join(folder, 'Program.cs'), nswagProgram);
  const { stdout } = await promisify(execFile)(
    'dotnet',
    ['run', '--', app.url, await app.signIn('admin', examplePassword)],
    {
      cwd: folder,
    },
  );
  assert.match(stdout, /^sent Pump 7 not-found$/m);
});
