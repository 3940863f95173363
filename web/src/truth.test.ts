// Nothing that is unknown looks like none: what was read from the server is a `Read` (data/lists/read.ts), and no source goes
// around it. Each rule is shown to find a planted breach.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type AnyNode, type CallExpression, parse } from 'acorn';
import { fullAncestor } from 'acorn-walk';
import { transformSync } from 'esbuild';

const root = fileURLToPath(new URL('.', import.meta.url));
const queries = 'data/lists/use-read.ts';
const querying = /\b(use(?:Suspense)?(?:Infinite)?Quer(?:y|ies)|QueryObserver)\b/;
const aside = new Set(['getQueryData', 'fetchQuery', 'ensureQueryData', 'getQueriesData']);

/** Who reads without a query, and who tells what is known of it. */
const readers: Readonly<Record<string, string>> = {
  'data/live-alarms.ts': 'lists with states of their own, data/lists/list-reader.ts',
  'data/saved-views.ts': 'reads what it changes',
  'pages/alarms/asking/comment-dialog.tsx': 'sends',
  'pages/history/download-history.ts': 'a file, not a screen',
  'pages/statistics/read-statistics.ts': 'called by queries of use-statistics.ts',
  'pages/statistics/download-statistics.ts': 'a file, not a screen',
};
const comparisons = new Set(['===', '!==', '<', '>', '<=', '>=']);

function breachesIn(file: string, source: string): readonly string[] {
  const loader = file.endsWith('x') ? 'tsx' : 'ts';
  const kept = { compilerOptions: { verbatimModuleSyntax: true } };
  const { code } = transformSync(source, { loader, jsx: 'automatic', target: 'node24', tsconfigRaw: kept });
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const found: string[] = [];
  const isOpened = new Set<string>();
  const isChosen = new Set<string>();
  fullAncestor(program, (node: AnyNode) => {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'Identifier') return;
    if (opens(node.init ?? undefined, 'when')) isOpened.add(node.id.name);
    if (opens(node.init ?? undefined, 'choices')) isChosen.add(node.id.name);
  });
  const isOf = (node: AnyNode, names: ReadonlySet<string>, method: string): boolean =>
    names.has(rootName(node)) || opens(node, method);
  fullAncestor(program, (node: AnyNode, _: unknown, ancestors: readonly AnyNode[]) => {
    const parent = ancestors.at(-2);
    if (node.type === 'ImportDeclaration' && node.source.value === '@tanstack/react-query' && file !== queries)
      for (const { local } of node.specifiers)
        if (querying.test(local.name)) found.push(`${local.name} outside of ${queries}`);
    if (node.type === 'ImportDeclaration' && node.source.value === '@tocsin/client' && !(file in readers))
      for (const { local } of node.specifiers)
        if (/^(get|list|explain)[A-Z]/.test(local.name) && !/\buseRead\w*\(/.test(code))
          found.push(`${local.name} is read without a query`);
    if (node.type === 'MemberExpression' && node.property.type === 'Identifier' && aside.has(node.property.name))
      found.push(`${node.property.name} takes an answer out of the cache`);
    if (node.type === 'Property' && isNamed(node.key, 'unread') && isNone(answerOf(node.value)))
      found.push('what is unread is shown as none');
    if (node.type === 'LogicalExpression' && node.operator !== '&&' && isNone(node.right))
      if (isOf(node.left, isOpened, 'when')) found.push('what is unread becomes none');
    if (node.type === 'CallExpression' && isCallOf(node, 'name')) {
      const otherwise = node.arguments[1];
      if (otherwise?.type === 'Literal' && /^\d/.test(String(otherwise.value)))
        found.push('an unread name is a figure');
    }
    if (node.type === 'MemberExpression' && (isNamed(node.property, 'length') || isNamed(node.property, 'size')))
      if (isOf(node.object, isChosen, 'choices') && !isCompared(parent)) found.push('choices are counted');
  });
  return found.map((what) => `${file}: ${what}`);
}

function isCompared(parent: AnyNode | undefined): boolean {
  return parent?.type === 'BinaryExpression' && comparisons.has(parent.operator);
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

function isCallOf({ callee }: CallExpression, method: string): boolean {
  return callee.type === 'MemberExpression' && isNamed(callee.property, method);
}

/** Whether the value of an expression is that of `read.when(…)` or `read.choices(…)`, or was made of it. */
function opens(node: AnyNode | undefined, method: string): boolean {
  if (node?.type === 'ChainExpression') return opens(node.expression, method);
  if (node?.type === 'MemberExpression') return opens(node.object, method);
  if (node?.type !== 'CallExpression') return false;
  return isCallOf(node, method) || (node.callee.type === 'MemberExpression' && opens(node.callee.object, method));
}

function rootName(node: AnyNode): string {
  if (node.type === 'ChainExpression') return rootName(node.expression);
  if (node.type === 'MemberExpression') return rootName(node.object);
  if (node.type === 'CallExpression') return node.callee.type === 'Super' ? '' : rootName(node.callee);
  return node.type === 'Identifier' ? node.name : '';
}

/** What a function returns, if that is all it does. */
function answerOf(node: AnyNode): AnyNode {
  return node.type === 'ArrowFunctionExpression' && node.expression ? (node.body as AnyNode) : node;
}

/** None, zero, false and nothing. */
function isNone(node: AnyNode): boolean {
  if (node.type === 'ArrayExpression') return node.elements.length === 0;
  if (node.type === 'NewExpression')
    return ['Map', 'Set'].includes(rootName(node.callee)) && node.arguments.length === 0;
  return node.type === 'Literal' && [0, '', '0', false].includes(node.value as never);
}

test('nothing that is unknown becomes none, zero or an empty list', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && !file.startsWith('data/lists/read.ts'),
  );
  assert.ok(files.length > 200);
  const breaches = files.flatMap((file) => breachesIn(file, readFileSync(`${root}/${file}`, 'utf8')));
  assert.deepEqual(breaches, []);
});

for (const [rule, source] of [
  ['a query of its own', "import { useQuery } from '@tanstack/react-query';"],
  ['an answer out of the cache', "queries.getQueryData(['users']);"],
  [
    'a list that is read without a query',
    "import { listUsers } from '@tocsin/client';\nvoid listUsers().then(setUsers);",
  ],
  ['unread as an empty list', 'const all = users.when({ known: (value) => value, unread: () => [] });'],
  ['unread as zero', 'const count = users.when({ known: ({ size }) => size, unread: () => 0 });'],
  [
    'unread that becomes none',
    'const all = users.when({ known: (v) => v, unread: () => undefined });\nshow(all ?? []);',
  ],
  ['unread that becomes zero', 'show(users.when({ known: (v) => v, unread: () => undefined })?.size ?? 0);'],
  ['a figure in place of a name', "show(users.name(({ size }) => String(size), '0'));"],
  ['choices that are counted', 'const all = users.choices((known) => known.values());\nshow(all.length);'],
] as const)
  test(`${rule} is found`, () => {
    assert.equal(breachesIn('pages/planted.tsx', source).length, 1);
  });
