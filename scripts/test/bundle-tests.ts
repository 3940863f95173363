// Bundles the test files, so that each of their processes loads some dozen files and not 1,400 modules.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, stop } from 'esbuild';
import { bundleOptions, bundleServer, nativeParts } from '../../bin/bundle.mjs';
import type { TestFile } from './lanes.ts';
import { root } from './run-program.ts';

// Not in node_modules, where node:test takes no file from.
const cache = join(root, '.cache');

/** Unit tests; those of the named folders take as long together as all others. */
const unit = /^(?:src\/(domain|dispatch|http|hub)|src|packages\/[^/]+\/src|web\/src)\//;

const folder =
  /^(?:test\/acceptance\/(access|alarms|audit|channels|console|history|http|hub|intake|media|people|plant|scripts|store\/backup|store|system|calls\/[^/]+)|packages\/(signalr|sip)\/test)\//;

/** Files that change the process they run in, measure it, or fill it with another program. */
const alone = new RegExp(
  [
    'acceptance/calls/faults/(call-that|kill)',
    'acceptance/http/(client-package|generated-client|openapi-lint|reference-in-browser|request-parsing|stop-under-load|unread)',
    'acceptance/hub/(classic-browser|cut-connections)',
    'acceptance/store/(backup/(backup-of-recordings|copied)|group-commit|heavy|high-water|kill|long|postgres/|private|queries|upgrade)',
    'acceptance/system/(at-rest|command-line|demo|doctor\\.|failpoints|few-descriptors|held|planned-stop|start-faults)',
    'test/interop/',
    'sip/test/(package|stranger)',
    'signalr/test/(core-pressure|package|slow-link)',
  ].join('|'),
);

/**
 * The process in which a test file runs. Unit tests take milliseconds each, so they share two processes, for two cores. Tests that keep to their own
 * server share a process per folder: loading and compiling the server again for each file took most of their time. The others run
 * alone. node:test starts files in the order of their paths: `a-` puts the longest first, so that it does not run alone at the end.
 */
function processOf(file: string): string {
  const ofUnit = unit.exec(file);
  if (ofUnit !== null) return ofUnit[1] === undefined ? 'a-unit-2.test.ts' : 'a-unit-1.test.ts';
  const [, ofAcceptance, ofPackage] = folder.exec(file) ?? [];
  const shared = ofAcceptance ?? ofPackage;
  return shared === undefined || alone.test(file) ? file : `a-${shared.replace('/', '-')}.test.ts`;
}

/**
 * Every source keeps its own address in the bundle, so that it finds the files beside it. The sources of the server have that of the
 * bundled server: the threads that they start then load one file each and not hundreds of modules.
 */
const ownAddress = (server: string): Plugin => ({
  name: 'own-address',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const isOfServer = path.startsWith(join(root, 'src/')) && !path.endsWith('.test.ts');
      const address = JSON.stringify(pathToFileURL(isOfServer ? join(server, 'main.js') : path).href);
      return { contents: text.replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
});

export type BundledTests = {
  readonly files: readonly TestFile[];
  /** The variables that the tests need: where the bundled server is, and V8's compiled code. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
};

/** Bundles the server and `files`, which are paths from the root. */
export async function bundleTests(files: readonly string[]): Promise<BundledTests> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'tests-'));
  // Some tests run the server as another user.
  chmodSync(folder, 0o755);
  const entries = new Map<string, string>();
  for (const [process, grouped] of Map.groupBy(files, processOf)) {
    const [first = ''] = grouped;
    const name = process.replace(/\.ts$/, '');
    if (grouped.length === 1) entries.set(name, first);
    else {
      const entry = join(folder, `${name.replaceAll('/', '-')}.ts`);
      writeFileSync(entry, grouped.map((file) => `import ${JSON.stringify(join(root, file))};\n`).join(''));
      entries.set(name, entry);
    }
  }
  const server = join(folder, 'server');
  const workers = new Map([
    ['server/test-store-worker', 'test/harness/stores/test-store-worker.ts'],
    ['server/faulty-voice-worker', 'test/harness/telephone/faulty-voice-worker.ts'],
  ]);
  await Promise.all([bundleServer(server), bundleFiles(new Map([...entries, ...workers]), folder, server)]);
  // Its process would keep 300 MB for as long as the tests run.
  await stop();
  return {
    files: [...entries.keys()].map((name) => ({ file: join(folder, `${name}.js`), source: `${name}.ts` })),
    environment: { TOCSIN_TEST_SERVER: server, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function bundleFiles(entries: ReadonlyMap<string, string>, outdir: string, server: string): Promise<void> {
  await build({
    ...bundleOptions,
    entryPoints: Object.fromEntries(entries),
    outdir,
    splitting: true,
    sourcemap: true,
    sourcesContent: false,
    external: [...nativeParts, ...developmentPackages()],
    plugins: [ownAddress(server)],
  });
}

/** Packages that read files of their own at run time, or that few tests load; fast-check is in many. */
function developmentPackages(): string[] {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(devDependencies).filter((name) => name !== 'fast-check');
}
