// Bundles the test files, so that each of their processes loads some dozen files and not 1,400 modules.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { bundleOptions, bundleServer, nativeParts } from '../bin/bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
// Not in node_modules, where node:test takes no file from.
const cache = join(root, '.cache');

/** The tests beside the sources: each is done in milliseconds, so they share one process. */
const isUnitTest = (file: string): boolean => /^(src|packages\/[^/]+\/src)\//.test(file);

/** Every source keeps its own address in the bundle, so that it finds the files beside it. */
const ownAddress: Plugin = {
  name: 'own-address',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const address = JSON.stringify(pathToFileURL(path).href);
      return { contents: text.replaceAll('import.meta.url', address), loader: 'ts' };
    });
  },
};

export type BundledTests = {
  readonly files: readonly string[];
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
  const entries = new Map(files.filter((file) => !isUnitTest(file)).map((file) => [file.replace(/\.ts$/, ''), file]));
  const unitTests = files.filter(isUnitTest);
  if (unitTests.length > 0) {
    const imports = unitTests.map((file) => `import ${JSON.stringify(join(root, file))};\n`);
    writeFileSync(join(folder, 'unit.test.ts'), imports.join(''));
    entries.set('unit.test', join(folder, 'unit.test.ts'));
  }
  const server = join(folder, 'server');
  const worker = new Map([['server/test-store-worker', 'test/harness/test-store-worker.ts']]);
  await Promise.all([bundleServer(server), bundleFiles(new Map([...entries, ...worker]), folder)]);
  return {
    files: [...entries.keys()].map((name) => join(folder, `${name}.js`)),
    environment: { TOCSIN_TEST_SERVER: server, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function bundleFiles(entries: ReadonlyMap<string, string>, outdir: string): Promise<void> {
  await build({
    ...bundleOptions,
    entryPoints: Object.fromEntries(entries),
    outdir,
    splitting: true,
    sourcemap: true,
    sourcesContent: false,
    external: [...nativeParts, ...developmentPackages()],
    plugins: [ownAddress],
  });
}

/** Packages that read files of their own at run time, or that few tests load; fast-check is in many. */
function developmentPackages(): string[] {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(devDependencies).filter((name) => name !== 'fast-check');
}
