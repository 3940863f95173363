// The import rules between the rooms of src/ and for packages/, as one table and a pure function that names every breach.

import { posix } from 'node:path';
import { schema } from '../../src/migrations/schema.ts';

/**
 * Room → the rooms it may import. A room is a folder of src/, or a file directly in it without its `.ts`; a path such as
 * `domain/access` allows that folder or file of a room alone. `@tocsin/…` is a package of packages/. `everything` marks
 * the wiring, which only wiring imports.
 */
export const mayImport: Readonly<Record<string, readonly string[] | 'everything'>> = {
  domain: [],
  errors: [],
  config: ['errors', 'config-values'],
  'config-values': [],
  clock: [],
  guard: [],
  version: [],
  wire: ['domain', 'errors'],
  store: ['errors'],
  // A migration fills the buckets of the history.
  migrations: ['store', 'domain/history/time-buckets'],
  operations: ['domain', 'store', 'errors'],
  access: ['domain', 'store', 'operations', 'errors', 'clock'],
  metrics: ['store'],
  channels: ['domain', 'errors', 'clock', 'guard', '@tocsin/sip'],
  dispatch: ['domain', 'store', 'channels', 'operations', 'access/revoked-keys-file', 'clock', 'errors', 'guard'],
  http: [
    'domain/access',
    'domain/html',
    'wire/date-time',
    'wire/json-outline',
    'wire/paging',
    'wire/strict-json',
    'errors',
  ],
  routes: ['http', 'domain', 'wire', 'store', 'operations', 'access', 'errors', 'version'],
  hub: ['@tocsin/signalr', 'domain', 'wire', 'store', 'operations', 'clock', 'guard'],
  main: 'everything',
  app: 'everything',
  'open-store': 'everything',
  'store-worker': 'everything',
  'voice-worker': 'everything',
  'loop-worker': 'everything',
  cli: 'everything',
};

/**
 * Subject of operations/ → the other subjects, and files of operations/, that it may import; subjects that are not listed may
 * import any. Alarms publish their changes: those who react know alarms, and alarms know none of them.
 */
export const subjectMayImport: Readonly<Record<string, readonly string[]>> = {
  alarms: ['audit', 'configuration', 'entity-tag', 'media', 'people', 'unit-of-work'],
  configuration: ['people', 'providers'],
};

/**
 * The most source files that a folder of src/, of a package's src/ (tests apart in both) or of test/ may hold; beyond it a
 * folder is no longer read as a list.
 */
const mostFilesInFolder = 20;

/** Folders that only the wiring may import, so that the other rooms know the port alone. */
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
  /** The contents of strings and templates. */
  readonly literals: readonly string[];
  /** The files it imports, as paths from the root. */
  readonly files: readonly string[];
  /** The packages it imports, `node:…` among them. */
  readonly packages: readonly string[];
};

/** Every breach of the rules in `files` (path from the root → text), one sentence each; empty when there is none. */
export function breaches(files: ReadonlyMap<string, string>): string[] {
  const sources = [...files].map(([path, text]) => sourceOf(path, text));
  const production = sources.filter(({ path }) => path.startsWith('src/') && !isTest(path));
  const packaged = sources.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path));
  return [
    ...sources.flatMap(formBreaches),
    ...sources.flatMap(packageBreaches),
    ...production.flatMap(roomBreaches),
    ...production.flatMap(directionBreaches),
    ...folderBreaches([...production, ...packaged, ...sources.filter(({ path }) => path.startsWith('test/'))]),
    ...production.flatMap(environmentBreaches),
    ...production.flatMap(purityBreaches),
    ...[...production, ...packaged].flatMap(compilerBreaches),
    ...production.flatMap(callableBreaches),
    ...[...production, ...packaged].flatMap(sentenceBreaches),
    ...production.flatMap(subjectBreaches),
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
  const isInterface = /^packages\/[^/]+\/src\/index\.ts$/.test(path);
  if (posix.basename(path) === 'index.ts' && !isInterface) found.push(`${path} is a barrel: import the file itself`);
  const opening = /^(?:#!.*\n)?((?:\/\/ .*\n)+|\/\*\* [\s\S]*?\*\/)/.exec(text)?.[1] ?? '';
  if (!/\w.*[.?!]/s.test(opening)) found.push(`${path} does not open with a comment of one sentence`);
  return found;
}

/** The folder of the package that a file belongs to; undefined for files outside of packages/. */
function packageOf(path: string): string | undefined {
  return /^packages\/[^/]+\//.exec(path)?.[0];
}

/** A package imports nothing outside of its folder; its src/ is imported by its name, hence through its index alone. */
function packageBreaches({ path, files }: Source): string[] {
  const own = packageOf(path);
  return files.flatMap((target) => {
    const other = packageOf(target);
    if (other === own) return [];
    if (own !== undefined) return [`${path} imports ${target}: a package imports nothing outside of itself`];
    return target.startsWith(`${other}src/`) ? [`${path} imports ${target}: import the package by its name`] : [];
  });
}

function roomBreaches({ path }: Source): string[] {
  return Object.hasOwn(mayImport, roomOf(path)) ? [] : [`${path} is in no room: add "${roomOf(path)}" to the table`];
}

function directionBreaches({ path, files, packages }: Source): string[] {
  const ownPackages = packages.filter((name) => name.startsWith('@tocsin/'));
  return [...files, ...ownPackages].flatMap((target) => {
    const reason = files.includes(target) ? refusal(path, target) : packageRefusal(path, target);
    return reason === undefined ? [] : [`${path} imports ${target}: ${reason}`];
  });
}

function packageRefusal(path: string, name: string): string | undefined {
  const allowed = mayImport[roomOf(path)] ?? [];
  return allowed === 'everything' || allowed.includes(name) ? undefined : `${roomOf(path)} may not import ${name}`;
}

/** Why the production file `path` may not import the file `target`; undefined when it may. */
function refusal(path: string, target: string): string | undefined {
  const room = roomOf(path);
  const targetRoom = roomOf(target);
  const allowed = mayImport[room] ?? [];
  if (path === 'src/version.ts' && target === 'package.json') return undefined;
  if (packageOf(target) !== undefined) return undefined;
  if (!target.startsWith('src/') || isTest(target)) return 'it is not part of the server';
  if (target === 'src/app.ts' && room !== 'main' && room !== 'cli') return 'only main.ts, cli and tests do';
  if (allowed === 'everything') return undefined;
  const driver = drivers.find((folder) => target.startsWith(folder));
  if (driver !== undefined && !path.startsWith(driver)) return 'only the wiring imports a driver';
  if (targetRoom === room) return subjectRefusal(path, target);
  if (allowed.includes(targetRoom)) return undefined;
  const inRoom = target.replace(/^src\//, '').replace(/\.ts$/, '');
  const part = allowed.find((name) => inRoom === name || inRoom.startsWith(`${name}/`));
  return part === undefined ? `${room} may not import ${inRoomName(allowed, target)}` : undefined;
}

/** Why a file of a subject of operations/ may not import a file of another subject; undefined when it may. */
function subjectRefusal(path: string, target: string): string | undefined {
  const [subject, other] = [path, target].map((file) => /^src\/operations\/([^/.]+)/.exec(file)?.[1]);
  const allowed =
    subject === undefined || !path.startsWith(`src/operations/${subject}/`) ? undefined : subjectMayImport[subject];
  if (allowed === undefined || other === undefined || other === subject || allowed.includes(other)) return undefined;
  return `operations/${subject} may not import operations/${other}`;
}

/** The name of the target as the table would write it: its path where parts of its room are allowed, else its room. */
function inRoomName(allowed: readonly string[], target: string): string {
  const room = roomOf(target);
  return allowed.some((name) => name.startsWith(`${room}/`)) ? target : room;
}

/** Migrations are not counted: their list only grows, and their numbers say how to read it. */
function folderBreaches(sources: readonly Source[]): string[] {
  const counts = new Map<string, number>();
  const isMigration = (path: string): boolean => /^src\/migrations\/\d{4}-/.test(path);
  for (const { path } of sources.filter((source) => !isMigration(source.path)))
    counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  const wide = [...counts].filter(([, count]) => count > mostFilesInFolder);
  return wide.map(([folder, count]) => `${folder} has ${count} source files: at most ${mostFilesInFolder}`);
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

/** Two places that decide whether a number is called would differ one day: one would say that somebody is reached who is not. */
function callableBreaches({ path, code }: Source): string[] {
  const decides = /\bvalid\b\s*(?:&&|\|\|)[^;{}]*\bverified\b|\bverified\b\s*(?:&&|\|\|)[^;{}]*\bvalid\b/.test(code);
  if (!decides || !path.startsWith('src/') || path === 'src/domain/calls/usable-numbers.ts') return [];
  return [`${path} decides whether a number is called: isCallable, isUsable and canBeReached do`];
}

/** A reason is a sentence for people: how a delivery or call ended is a code beside it. */
function sentenceBreaches({ path, code }: Source): string[] {
  const isWatched = path.startsWith('src/channels/') || path.startsWith('packages/sip/src/');
  if (!isWatched || !/\breason\b\s*[!=]==?\s*"|"\s*[!=]==?\s*(?:[\w$]+\??\.)*reason\b/.test(code)) return [];
  return [`${path} decides by a sentence: compare the code, not the reason`];
}

/** Code compiled at run time is read by no tool and by few people, so it has one file, which says why. */
function compilerBreaches({ path, code }: Source): string[] {
  if (path === 'src/store/compiled-shape.ts' || !/\b(?:new\s+Function|eval)\s*\(/.test(code)) return [];
  return [`${path} compiles code: only src/store/compiled-shape.ts does`];
}

/** The tables of the store itself; every other one belongs to a subject. */
const ownTables: readonly string[] = ['meta', 'events'];
const subjectTables = schema.tables.filter((table) => !ownTables.includes(table));

/** The store names no table of a subject, neither in SQL nor as a value; a sentence may contain a word such as "users". */
function subjectBreaches({ path, literals }: Source): string[] {
  if (roomOf(path) !== 'store') return [];
  const named = subjectTables.filter((table) => {
    const inSql = new RegExp(`\\b(?:from|join|into|update|table|references)\\s+"?${table}\\b`, 'i');
    return literals.some((text) => text === table || inSql.test(text));
  });
  return named.map((table) => `${path} names ${table}: it belongs to a subject`);
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
  const { code, strings, templates } = scan(text);
  // `from "…"`, `import "…"` and `import("…")`; the scan has put each string's number between its quotes.
  const found = code.matchAll(/(?<![.\w$])(?:from\s*|import\s*\(?\s*)"(\d+)"/g);
  const specifiers = [...found].map((match) => strings[Number(match[1])] ?? '');
  const isFile = (specifier: string) => specifier.startsWith('.');
  return {
    path,
    text,
    code,
    literals: [...strings, ...templates],
    files: specifiers.filter(isFile).map((specifier) => posix.join(posix.dirname(path), specifier)),
    packages: specifiers.filter((specifier) => !isFile(specifier)),
  };
}

const regExpMayFollow = /(?:^|[=(,:;[{}!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else))\s*$/;
const regExpLiteral = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y;
const runOfCode = /[^'"`/{}]+/y;
const plainToken = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y;
const templateText = /(?:\\[\s\S]|\$(?!\{)|[^`\\$])*(?:`|\$\{)/y;

/** The text with comments, regular expressions and templates blanked, and each string replaced by its quoted number. */
function scan(text: string): { code: string; strings: string[]; templates: string[] } {
  const strings: string[] = [];
  const templates: string[] = [];
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
    const template = take(templateText) ?? '';
    templates.push(template);
    if (template.endsWith('${')) openBraces.push('template');
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
  return { code, strings, templates };
}
