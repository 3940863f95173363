// The rules of direction between the rooms of src/, as one table and a pure function that names every breach.

import { posix } from 'node:path';

/**
 * Room → the rooms it may import. A room is a folder of src/, or a file directly in it without its `.ts`.
 * `everything` marks the wiring, which nobody imports but the wiring.
 */
export const mayImport: Readonly<Record<string, readonly string[] | 'everything'>> = {
  domain: [],
  errors: [],
  config: ['errors', 'setting-values'],
  'setting-values': [],
  clock: [],
  version: [],
  access: ['domain', 'store', 'operations', 'errors', 'clock'],
  metrics: ['store'],
  'house-keeping': ['store', 'operations', 'clock'],
  wire: ['domain', 'errors'],
  store: ['domain', 'errors'],
  operations: ['domain', 'store', 'errors'],
  // The simulator's network is the store.
  channels: ['domain', 'store', 'operations', 'errors', 'clock'],
  dispatch: ['domain', 'store', 'channels', 'operations', 'clock'],
  api: ['domain', 'wire', 'store', 'operations', 'access', 'errors'],
  signalr: ['errors'],
  hub: ['domain', 'wire', 'signalr', 'store', 'operations', 'clock'],
  main: 'everything',
  app: 'everything',
  'open-store': 'everything',
  'store-worker': 'everything',
  cli: 'everything',
};

/** What only the wiring may import, so that the rest knows the port alone. */
const drivers = ['src/store/sqlite/', 'src/store/postgres/'];

/** The packages the domain may use, both free of clocks and input: civil time, and a parser of calendars. */
const domainPackages = ['temporal-polyfill', 'ical.js'];

/** What would let the domain know the time, chance or the process it runs in. */
const impurities: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Date.now', /\bDate\s*\.\s*now\b/],
  ['new Date()', /\bnew\s+Date\b(?!\s*\(\s*[^\s)])/],
  ['Math.random', /\bMath\s*\.\s*random\b/],
  ['performance', /(?<![.\w$])performance\b(?!\s*\??:)/],
  ['process', /(?<![.\w$])process\b(?!\s*\??:)/],
  ['setTimeout', /(?<![.\w$])setTimeout\b/],
];

type Source = {
  readonly path: string;
  readonly text: string;
  /** The text without comments and string contents. */
  readonly code: string;
  /** The files it imports, as paths from the root. */
  readonly files: readonly string[];
  /** The packages it imports, `node:…` among them. */
  readonly packages: readonly string[];
};

/** Every breach of the rules in `files` (path from the root → text), one sentence each; empty when there is none. */
export function breaches(files: ReadonlyMap<string, string>): string[] {
  const sources = [...files].map(([path, text]) => sourceOf(path, text));
  const production = sources.filter(({ path }) => path.startsWith('src/') && !isTest(path));
  return [
    ...sources.flatMap(formBreaches),
    ...production.flatMap(roomBreaches),
    ...production.flatMap(directionBreaches),
    ...production.flatMap(environmentBreaches),
    ...production.flatMap(purityBreaches),
    ...cycles(sources),
  ];
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

function roomOf(path: string): string {
  return (path.split('/')[1] ?? '').replace(/\.ts$/, '');
}

function formBreaches({ path, text }: Source): string[] {
  const found: string[] = [];
  if (posix.basename(path) === 'index.ts') found.push(`${path} is a barrel: import the file itself`);
  const opening = /^(?:#!.*\n)?((?:\/\/ .*\n)+|\/\*\* [\s\S]*?\*\/)/.exec(text)?.[1] ?? '';
  if (!/\w.*[.?!]/s.test(opening)) found.push(`${path} does not open with a comment of one sentence`);
  return found;
}

function roomBreaches({ path }: Source): string[] {
  return Object.hasOwn(mayImport, roomOf(path)) ? [] : [`${path} is in no room: add "${roomOf(path)}" to the table`];
}

function directionBreaches({ path, files }: Source): string[] {
  return files.flatMap((target) => {
    const reason = refusal(path, target);
    return reason === undefined ? [] : [`${path} imports ${target}: ${reason}`];
  });
}

/** Why the production file `path` may not import the file `target`; undefined when it may. */
function refusal(path: string, target: string): string | undefined {
  const room = roomOf(path);
  const targetRoom = roomOf(target);
  const allowed = mayImport[room] ?? [];
  if (!target.startsWith('src/') || isTest(target)) return 'it is not part of the server';
  if (target === 'src/app.ts' && room !== 'main' && room !== 'cli') return 'only main.ts, cli and tests do';
  if (allowed === 'everything') return undefined;
  const driver = drivers.find((folder) => target.startsWith(folder));
  if (driver !== undefined && !path.startsWith(driver)) return 'only the wiring imports a driver';
  return targetRoom === room || allowed.includes(targetRoom) ? undefined : `${room} may not import ${targetRoom}`;
}

function environmentBreaches({ path, code }: Source): string[] {
  if (path === 'src/config.ts' || path === 'src/main.ts' || !/\bprocess\s*\.\s*env\b/.test(code)) return [];
  return [`${path} reads process.env: only src/config.ts does`];
}

function purityBreaches({ path, code, packages }: Source): string[] {
  if (roomOf(path) !== 'domain') return [];
  const foreign = packages.filter((name) => !domainPackages.includes(name));
  const impure = impurities.filter(([, pattern]) => pattern.test(code));
  return [
    ...foreign.map((name) => `${path} imports ${name}: domain imports no package`),
    ...impure.map(([name]) => `${path} uses ${name}: domain is pure`),
  ];
}

/** One sentence per import that closes a circle; types count too, for a circle of types cannot be read in order either. */
function cycles(sources: readonly Source[]): string[] {
  const importsOf = new Map(sources.map(({ path, files }) => [path, files]));
  const finished = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) found.push(`cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`);
    if (trail.includes(path) || finished.has(path)) return;
    for (const target of importsOf.get(path) ?? []) visit(target, [...trail, path]);
    finished.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return found;
}

function sourceOf(path: string, text: string): Source {
  const { code, strings } = scan(text);
  // `from "…"`, `import "…"` and `import("…")`; the scan has put each string's number between its quotes.
  const found = code.matchAll(/(?<![.\w$])(?:from\s*|import\s*\(?\s*)"(\d+)"/g);
  const specifiers = [...found].map((match) => strings[Number(match[1])] ?? '');
  const isFile = (specifier: string) => specifier.startsWith('.');
  return {
    path,
    text,
    code,
    files: specifiers.filter(isFile).map((specifier) => posix.join(posix.dirname(path), specifier)),
    packages: specifiers.filter((specifier) => !isFile(specifier)),
  };
}

const regExpMayFollow = /(?:^|[=(,:;[{}!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else))\s*$/;
const regExpLiteral = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
const runOfCode = /[^'"`/{}]+/y;
const plainToken = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
const templateText = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;

/** The text with comments and regular expressions blanked and each string replaced by its quoted number. */
function scan(text: string): { code: string; strings: string[] } {
  const strings: string[] = [];
  const openBraces: ('block' | 'template')[] = [];
  let code = '';
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const token = pattern.exec(text)?.[0];
    at += token?.length ?? 0;
    return token;
  };
  const skipTemplateText = (): void => {
    if (take(templateText)?.endsWith('${')) openBraces.push('template');
    code += ' ';
  };
  while (at < text.length) {
    code += take(runOfCode) ?? '';
    const token = take(plainToken) ?? (regExpMayFollow.test(code.slice(-20)) ? take(regExpLiteral) : undefined);
    if (token !== undefined) {
      const isString = token.startsWith("'") || token.startsWith('"');
      code += isString ? `"${strings.push(token.slice(1, -1)) - 1}"` : ' ';
      continue;
    }
    const character = text[at++] ?? '';
    if (character === '`') skipTemplateText();
    else if (character === '}' && openBraces.pop() === 'template') skipTemplateText();
    else code += character;
    if (character === '{') openBraces.push('block');
  }
  return { code, strings };
}
