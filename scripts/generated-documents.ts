// Generates the documents that are derived from code; test/docs.test.ts compares the files with them.

import { readFile } from 'node:fs/promises';
import { generateSource } from 'oazapfts';
import { Registry } from 'prom-client';
import { commands } from '../src/cli/commands.ts';
import { settings } from '../src/config.ts';
import { errorCodes, exitCodes } from '../src/errors.ts';
import { type OpenApiDocument, type Operation, openApiDocument } from '../src/http/openapi/document.ts';
import { routesOf } from '../src/routes/all-routes.ts';
import { tagMeanings } from '../src/routes/tags.ts';
import { version } from '../src/version.ts';

/** Returns each generated file with its whole text. */
export async function generatedDocuments(): Promise<ReadonlyMap<string, string>> {
  const operating = await readFile(new URL('../docs/operating.md', import.meta.url), 'utf8');
  const document = openApi();
  return new Map([
    ['docs/openapi.json', `${JSON.stringify(document, null, 2)}\n`],
    ['packages/client/src/api.ts', await clientApi(document)],
    ['packages/client/src/keyed-paths.ts', keyedPaths(document)],
    ['docs/errors.md', errorCatalogue()],
    ['docs/operating.md', withTable(withTable(operating, 'settings', settingsTable()), 'commands', commandsTable())],
  ]);
}

function openApi(): OpenApiDocument {
  // The routes are only described, never called, so their dependencies can be left out.
  const parts = { basePath: '', registry: new Registry() } as unknown as Parameters<typeof routesOf>[0];
  // One time for all, so that the file changes with the interface alone.
  const about = { version, basePath: '', tags: tagMeanings, now: Date.UTC(2026, 0) };
  return openApiDocument(routesOf(parts), about);
}

/**
 * Returns a function and types for each operation. The generator also takes a document, which its types do not say. Its
 * code is not checked, because it does not compile with `exactOptionalPropertyTypes`.
 */
async function clientApi(document: OpenApiDocument): Promise<string> {
  const source = await generateSource(structuredClone(document) as unknown as string, { optimistic: true });
  return `// A function and types for each operation of the interface; made by \`npm run docs\`, not by hand.\n// @ts-nocheck\n${source}`;
}

function keyedPaths({ paths }: OpenApiDocument): string {
  const isKeyed = ({ parameters = [] }: Operation) => parameters.some(({ name }) => name === 'Idempotency-Key');
  const keyed = Object.entries(paths).filter(([, { post }]) => post !== undefined && isKeyed(post));
  return `// The paths whose POST takes the header \`Idempotency-Key\`; made by \`npm run docs\`, not by hand.

export const keyedPaths: readonly string[] = [
${keyed.map(([path]) => `  '${path}',`).join('\n')}
];
`;
}

function errorCatalogue(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, { status, title, retryable }]) => `| \`${code}\` | ${status} | ${title} | ${retryable ? 'yes' : 'no'} |`,
  );
  const exits = Object.entries(exitCodes).map(([reason, code]) => `| ${code} | ${reason.replaceAll('-', ' ')} |`);
  return `# Errors

Generated from \`src/errors.ts\` by \`npm run docs\`; do not edit by hand.

## Refusals of the interface

Every refusal is \`application/problem+json\` (RFC 9457) with \`type\`, \`title\`, \`status\`, \`detail\`, \`code\` and \`requestId\`, and
\`errors\` (a list of \`field\` and \`message\`) when fields of the input are invalid. A refused sign-in has the form of OAuth 2
instead: \`error\` and \`error_description\`. "Retry" says whether the same request may succeed later without being changed.

| code | status | meaning | retry |
|---|---|---|---|
${rows.join('\n')}

## Exit codes of the program

| code | reason |
|---|---|
| 0 | success |
| 1 | a command was refused; the message gives the reason |
${exits.join('\n')}
`;
}

function settingsTable(): string {
  type SettingRow = { readonly default: string | undefined; readonly meaning: string; readonly secret?: true };
  const rows = Object.entries(settings).map(([name, setting]: [string, SettingRow]) => {
    const usual = setting.default === undefined ? '' : setting.default === '' ? 'empty' : `\`${setting.default}\``;
    return `| \`${name}\` | ${usual} | ${setting.meaning}${setting.secret ? ' (secret)' : ''} |`;
  });
  return ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

function commandsTable(): string {
  const rows = Object.values(commands).map(
    ({ usage, meaning }) => `| \`tocsin ${usage.replaceAll('|', '\\|')}\` | ${meaning} |`,
  );
  return ['| command | what it does |', '|---|---|', ...rows].join('\n');
}

/** Returns `text` with the part between the two marks of `name` replaced by `table`. */
function withTable(text: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to === -1) throw new Error(`docs/operating.md lacks the marks ${begin} and ${end}`);
  return `${text.slice(0, from)}${begin}\n${table}\n${text.slice(to)}`;
}
