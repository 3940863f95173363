// Builds the console with Vite, once for each state of its sources. Plain JavaScript, because the launcher needs it under
// any Node.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import { buildApart, buildIfAsked, buildOnce, filesIn } from './build-cache.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, '.cache', 'console');
const sourceFolders = ['web/src', 'web/public', 'packages/client/src'];
const recipe = [
  'package-lock.json',
  'bin/build-cache.mjs',
  'bin/build-console.mjs',
  'web/index.html',
  'web/vite.config.ts',
  'web/icon-names.ts',
  'web/package.json',
];
const compressible = /\.(?:js|css|html|svg|webmanifest)$/;

/**
 * Writes the console to `folder`, with a compressed copy of each file that gets smaller; returns the paths of the files
 * that went into it.
 */
export async function buildConsole(folder) {
  const { build } = await import('vite');
  const web = join(root, 'web');
  const { output } = await build({
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
  const sources = output.flatMap((part) => part.moduleIds ?? part.originalFileNames.map((path) => join(web, path)));
  return [...sources.map((path) => relative(root, path)), 'node_modules/@iconify-json/tabler/icons.json'];
}

/** Builds the console of the sources as they are now, unless it is built; a server also runs without it. */
export async function currentConsole() {
  const inputs = [
    ...recipe,
    ...sourceFolders.flatMap((folder) => filesIn(join(root, folder)).map((path) => relative(root, path))),
  ];
  try {
    await buildOnce({ root, cache, inputs, build: buildWithProgress });
  } catch (error) {
    console.error(`The console could not be built, the server starts without it: ${error.message}`);
  }
}

async function buildWithProgress(folder) {
  const startedAt = performance.now();
  console.error('Building the console (once, a few seconds)…');
  await buildApart(fileURLToPath(import.meta.url), folder);
  console.error(`Built in ${Math.round((performance.now() - startedAt) / 1000)} s.`);
}

await buildIfAsked(import.meta.url, buildConsole);
