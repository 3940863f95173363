// Finds regular expressions that take much longer than their text is long: with one of those, a text that somebody sends holds up
// everybody. recheck judges each once; those that it has found safe are kept in a list, because judging all takes a minute.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AnyNode, parse } from 'acorn';
import { full } from 'acorn-walk';
import { transformSync } from 'esbuild';
import { check } from 'recheck';

type Expression = { readonly file: string; readonly pattern: string; readonly flags: string };

/** Sorted lines such as `/^a+$/u`; what is not in it is judged. */
export const safeList = 'scripts/check/safe-expressions.txt';

const sources = ['src/**/*.ts', 'packages/{sip,signalr}/src/**/*.ts'];
const judgedWithinMs = 60_000;

/** Expressions that are not linear, or that recheck cannot judge, and why a text never gets long enough for that. */
const bounded: Readonly<Record<string, string>> = {
  '/^\\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\\s*(?:;\\s*q=([01](?:\\.\\d{0,3})?))?\\s*$/':
    'parts of 500 characters of a header',
  '/\\[[^\\]]*\\]/g': 'patterns in the files of the administrator',
  '/[*+|]|(?<!\\()\\?|\\{(\\d+)(,?)(\\d*)\\}/g': 'patterns in the files of the administrator',
  '/\\s+\\S*$/u': 'a text that was cut to what a call reads',
  '/\\.+$/': 'sentences of the command line',
  '/\\/+$/': 'a setting of the administrator',
  '/^[^\\p{L}]+|[^\\p{L}]+$/gu': 'passwords of at most 1,024 characters',
  '/\\r\\nContent-Type\\s*:\\s*application\\/sdp\\s*(?:;|\\r\\n|$)/i': 'begins at one header and reads on once',
  '/\\b(\\d{4})-(\\d{2})-(\\d{2})(?:[ T](\\d{2}:\\d{2})(?::\\d{2}(?:\\.\\d+)?)?(?:Z|[+-]\\d{2}:?\\d{2})?)?(?![\\d-])/g':
    'a text that was cut to what a call reads',
  '/\\ue000systemText ([^\\ue000]*)\\ue000([^\\ue000]*)\\ue000systemTextEnd\\ue000/g':
    'the marks are our own, and none stands in what others send',
  '/(?:\\+|tocsin\\.)([0-9a-z]{1,11}-[0-9a-f]{20})@/gi': 'at most 32 characters after each sign',
};

export function expressionsIn(file: string, typescript: string): readonly Expression[] {
  const { code } = transformSync(typescript, { loader: 'ts', target: 'node24' });
  const found: Expression[] = [];
  full(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (node: AnyNode) => {
    if (node.type === 'Literal' && node.regex) found.push({ file, ...node.regex });
  });
  return found;
}

/** Returns a complaint for each expression that is neither known as safe, nor bounded, nor judged as safe now. */
export async function slowExpressions(
  expressions: readonly Expression[],
  known: ReadonlySet<string>,
): Promise<readonly string[]> {
  const complaints: string[] = [];
  for (const expression of expressions) {
    const text = printed(expression);
    if (known.has(text) || Object.hasOwn(bounded, text)) continue;
    const { status } = await check(expression.pattern, expression.flags, { timeout: judgedWithinMs });
    if (status === 'safe') complaints.push(`${expression.file}: ${text} is safe: add it to ${safeList}`);
    else complaints.push(`${expression.file}: ${text} may take very long on some text (${status}): write it otherwise`);
  }
  return complaints;
}

/** Checks all sources below `root`, and that no entry of the lists is left over. */
export async function checkExpressions(root: string): Promise<readonly string[]> {
  const files = globSync(sources, { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const expressions = files.flatMap((file) => expressionsIn(file, readFileSync(join(root, file), 'utf8')));
  const known = readFileSync(join(root, safeList), 'utf8').trimEnd().split('\n');
  const present = new Set(expressions.map(printed));
  const gone = [...known, ...Object.keys(bounded)].filter((text) => !present.has(text));
  const complaints = await slowExpressions(expressions, new Set(known));
  return [...complaints, ...gone.map((text) => `${text} is in no source any more: take it out of the lists`)];
}

function printed({ pattern, flags }: Expression): string {
  return `/${pattern}/${flags}`;
}
