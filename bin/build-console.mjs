// Builds the console with Vite, once for each state of its sources. Plain JavaScript, because the launcher needs it under
// any Node.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, '.cache', 'console');
const sourceFolders = ['web/src', 'web/public', 'packages/client/src'];
const recipe = [
  'package-lock.json',
  'bin/build-console.mjs',
  'web/index.html',
  'web/vite.config.ts',
  'web/icon-names.ts',
  'web/package.json',
];
const compressible = /\.(?:js|css|html|svg|webmanifest)$/;

/** Writes the console to `folder`, with a compressed copy of each file that gets smaller. */
export async function buildConsole(folder) {
  const { build } = await import('vite');
  const web = join(root, 'web');
  await build({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    logLevel: 'silent',
    build: { outDir: folder, emptyOutDir: true },
  });
  for (const path of filesIn(folder)) {
    if (!compressible.test(path)) continue;
    const bytes = readFileSync(path);
    const compressed = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    if (compressed.length < bytes.length) writeFileSync(`${path}.br`, compressed);
  }
}

/** Builds the console of the sources as they are now, unless it is built; a server also runs without it. */
export async function currentConsole() {
  const key = fingerprint();
  if (isCurrent(key)) return;
  const growing = `${cache}.${process.pid}`;
  const startedAt = performance.now();
  console.error('Building the console (once, a few seconds)…');
  try {
    await buildConsole(growing);
    writeFileSync(join(growing, 'key'), key);
    // Another start may have been faster.
    if (isCurrent(key)) return;
    rmSync(cache, { recursive: true, force: true });
    renameSync(growing, cache);
    console.error(`Built in ${Math.round((performance.now() - startedAt) / 1000)} s.`);
  } catch (error) {
    if (!isCurrent(key))
      console.error(`The console could not be built, the server starts without it: ${error.message}`);
  } finally {
    rmSync(growing, { recursive: true, force: true });
  }
}

function isCurrent(key) {
  const keyFile = join(cache, 'key');
  return existsSync(keyFile) && readFileSync(keyFile, 'utf8') === key;
}

function fingerprint() {
  const hash = createHash('sha256');
  const sources = sourceFolders.flatMap((folder) => filesIn(join(root, folder)));
  for (const path of [...recipe.map((file) => join(root, file)), ...sources]) {
    hash.update(`${path.slice(root.length)}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .toSorted();
}
