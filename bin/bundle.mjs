// Bundles the server, SQLite's threads and that of telephone calls into one file each with esbuild: one file loads in a fraction of the time that
// 1,400 modules take. Plain JavaScript, because the launcher needs it under any Node.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildApart, buildIfAsked, buildOnce, filesIn } from './build-cache.mjs';
import { referenceLibrary } from './reference-library.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, 'node_modules', '.cache', 'tocsin');
/** The inputs of a bundle: folders with sources, and the files that determine which packages go into it and how. */
const sourceFolders = ['src', 'packages'];
const recipe = ['package-lock.json', 'bin/build-cache.mjs', 'bin/bundle.mjs', 'bin/reference-library.mjs'];

/** Conditions under which a package's `exports` are chosen, beside those of Node. */
export const conditions = ['node'];

/** Optional native parts that packages try to load; we install none of them. */
export const nativeParts = ['pg-native', 'bufferutil', 'utf-8-validate'];

/**
 * The esbuild options that all bundles share; scripts/test/bundle-tests.ts adds to them.
 *
 * @type {import('esbuild').BuildOptions}
 */
export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  conditions,
  external: nativeParts,
  // CommonJS packages call `require` for modules of Node.
  // The name differs from that of the sources' own imports, which esbuild does not see in a banner.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
  logLevel: 'silent',
};

/** Writes main.js, store-worker.js, voice-worker.js, loop-worker.js and reference.js to `folder`; returns the paths of the files that went into them. */
export async function bundleServer(folder) {
  const { build } = await import('esbuild');
  const entryPoints = ['src/main.ts', 'src/store-worker.ts', 'src/voice-worker.ts', 'src/loop-worker.ts'];
  const { outputFiles, metafile } = await build({
    ...bundleOptions,
    entryPoints,
    outdir: folder,
    write: false,
    metafile: true,
  });
  mkdirSync(folder, { recursive: true });
  for (const { path, text } of outputFiles) writeFileSync(path, inAscii(text));
  writeFileSync(join(folder, 'reference.js'), await referenceLibrary());
  return [...Object.keys(metafile.inputs), 'node_modules/@scalar/fastify-api-reference/dist/index.js'];
}

/**
 * esbuild has already escaped strings, so this reaches comments and regular expressions. V8 keeps a source with any
 * character beyond Latin-1 in two bytes a character, which cost 12 MB in the three threads of a server.
 */
function inAscii(text) {
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The main file of a bundle of the sources as they are now; undefined where none can be made, such as without esbuild. */
export async function currentBundle() {
  try {
    const build = (folder) => buildApart(fileURLToPath(import.meta.url), folder);
    await buildOnce({ root, cache, inputs: [...recipe, ...sourceFolders.flatMap(sourcesIn)], build });
    return join(cache, 'main.js');
  } catch {
    return undefined;
  }
}

function sourcesIn(folder) {
  return filesIn(join(root, folder))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => relative(root, path));
}

await buildIfAsked(import.meta.url, bundleServer);
