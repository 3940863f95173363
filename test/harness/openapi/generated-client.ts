// Makes TypeScript clients of an OpenAPI document by two published generators, each with a program that calls every
// operation with the arguments of its example; the compiler checks both, so that an example must fit the generated types.

import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { generateSource } from 'oazapfts';
import { generateApi } from 'swagger-typescript-api';
import type { Located } from './example-calls.ts';

/** What became of a call: of a refusal, `data` is its problem. */
export type Called = { readonly status: number; readonly data: unknown };
/** The program beside a generated client. */
export type Program = {
  use(url: string, token: string): void;
  readonly calls: Readonly<Record<string, () => Promise<Called>>>;
  /** Problems that were read by the type that the client gives them, by status. */
  refusals(): Promise<Readonly<Record<number, { readonly code: string; readonly title: string }>>>;
};

type Generator = {
  /** Writes `api.ts` into the folder. */
  readonly generate: (url: string, folder: string) => Promise<void>;
  readonly opening: string;
  /** The expression that calls an operation. */
  readonly call: (located: Located) => string;
};

const code = (value: unknown): string => JSON.stringify(value);

function valuesOf({ operation }: Located, where: readonly string[]): readonly (readonly [string, string])[] {
  return operation.parameters
    .filter((parameter) => parameter.required && where.includes(parameter.in))
    .map(({ name, example }) => [name, code(example)]);
}

function bodyOf({ operation }: Located): readonly string[] {
  const { requestBody } = operation;
  if (requestBody === undefined) return [];
  const [content] = Object.values(requestBody.content);
  return [requestBody.content['*/*'] === undefined ? code(content?.example) : "new File(['a file'], 'a.txt')"];
}

const oazapfts: Generator = {
  generate: async (url, folder) => writeFile(join(folder, 'api.ts'), await generateSource(url)),
  opening: `import * as api from './api.ts';
import type { Problem } from './api.ts';

export function use(url: string, token: string): void {
  api.defaults.baseUrl = url;
  api.defaults.headers = { Authorization: \`Bearer \${token}\` };
}

export async function refusals() {
  const found: Record<number, Problem> = {};
  const stranger = await api.listAlarms({}, { headers: { Authorization: '' } });
  if (stranger.status === 401) found[401] = stranger.data;
  const unknown = await api.getAlarm(4_000_000_000);
  if (unknown.status === 404) found[404] = unknown.data;
  const malformed = await api.createTeam({ name: '' });
  if (malformed.status === 400) found[400] = malformed.data;
  const impossible = await api.createTeam({ name: 'Nobody', members: [{ userId: 4_000_000_000 }] });
  if (impossible.status === 422) found[422] = impossible.data;
  const large = await api.createTeam({ name: 'x'.repeat(300_000) });
  if (large.status === 413) found[413] = large.data;
  return found;
}

const called = (made: Promise<{ status: number; data?: unknown }>) => made.then(({ status, data }) => ({ status, data }));
`,
  call: (located) => {
    const values = valuesOf(located, ['path', 'query', 'header']).map(([, value]) => value);
    return `api.${located.operation.operationId}(${[...values, ...bodyOf(located)].join(', ')})`;
  },
};

const swaggerTypescriptApi: Generator = {
  generate: async (url, folder) => {
    await generateApi({ url, output: folder, fileName: 'api.ts', silent: true, generateUnionEnums: true });
    const file = join(folder, 'api.ts');
    await writeFile(file, (await readFile(file, 'utf8')).replace('// @ts-nocheck', ''));
  },
  opening: `import { Api, type HttpResponse, type Problem } from './api.ts';

let api = new Api<unknown>();
export function use(url: string, token: string): void {
  api = new Api({ baseUrl: url, baseApiParams: { headers: { Authorization: \`Bearer \${token}\` } } });
}

export async function refusals() {
  const found: Record<number, Problem> = {};
  const note = (refused: HttpResponse<unknown, Problem>) => {
    found[refused.status] = refused.error;
  };
  await api.api.listAlarms({}, { headers: { Authorization: '' } }).catch(note);
  await api.api.getAlarm(4_000_000_000).catch(note);
  await api.api.createTeam({ name: '' }).catch(note);
  await api.api.createTeam({ name: 'Nobody', members: [{ userId: 4_000_000_000 }] }).catch(note);
  await api.api.createTeam({ name: 'x'.repeat(300_000) }).catch(note);
  return found;
}

const called = (made: Promise<HttpResponse<unknown, unknown>>) =>
  made.then(
    // It does not read what is neither JSON nor a known kind of file: the caller does.
    async (response) => ({ status: response.status, data: response.data ?? (await response.text()) }),
    (refused) => {
      if (refused instanceof Error) throw refused;
      return { status: Number(refused.status), data: refused.error };
    },
  );
`,
  call: (located) => {
    const { operation } = located;
    const inPath = valuesOf(located, ['path']).map(([, value]) => value);
    const inQuery = valuesOf(located, ['query']).map(([name, value]) => `${code(name)}: ${value}`);
    const inHeader = valuesOf(located, ['header']).map(([name, value]) => `${code(name)}: ${value}`);
    const hasQuery = operation.parameters.some((parameter) => parameter.in === 'query');
    // It puts what must be given first.
    const isBodyFirst = operation.requestBody?.required === true && inQuery.length === 0;
    const query = hasQuery && !isBodyFirst ? [`{ ${inQuery.join(', ')} }`] : [];
    const headers = inHeader.length === 0 ? [] : [`{ headers: { ${inHeader.join(', ')} } }`];
    const given = [...inPath, ...query, ...bodyOf(located), ...headers];
    return `api.${located.path.split('/')[1]}.${operation.operationId}(${given.join(', ')})`;
  },
};

export const generators = { oazapfts, 'swagger-typescript-api': swaggerTypescriptApi };

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'esnext',
  module: 'nodenext',
  lib: ['esnext', 'dom'],
  types: [],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
};

/** Generates a client and its program, and returns what the compiler says of them, and the program. */
export async function generatedProgram(
  t: TestContext,
  { generate, opening, call }: Generator,
  url: string,
  operations: readonly Located[],
): Promise<{ readonly complaints: string; readonly load: () => Promise<Program> }> {
  // Within the project, so that it finds the generator's runtime.
  await mkdir('.cache', { recursive: true });
  const folder = await mkdtemp(join(process.cwd(), '.cache', 'generated-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await generate(url, folder);
  const calls = operations.map((located) => `  ${located.operation.operationId}: () => called(${call(located)}),`);
  await writeFile(join(folder, 'program.ts'), `${opening}\nexport const calls = {\n${calls.join('\n')}\n};\n`);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch((error) => error);
  return {
    complaints: stdout,
    load: async () => {
      const outfile = join(folder, 'program.js');
      await build({
        entryPoints: [join(folder, 'program.ts')],
        outfile,
        bundle: true,
        format: 'esm',
        platform: 'node',
      });
      return import(pathToFileURL(outfile).href);
    },
  };
}
