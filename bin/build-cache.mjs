// Keeps the result of a build in a folder, with a hash of its inputs, so that each state of the sources is built once.
// Plain JavaScript, because the launcher needs it under any Node.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs `build(folder)` unless `cache` holds the result for these inputs (paths below `root`); throws what the build throws.
 * The result replaces the one before as a whole, because servers of other starts may be reading it.
 */
export async function buildOnce({ root, cache, inputs, build }) {
  const key = hashOf(root, inputs);
  if (isCurrent(cache, key)) return;
  const growing = `${cache}.${process.pid}`;
  try {
    await build(growing);
    writeFileSync(join(growing, 'key'), key);
    // Another start may have been faster, and run from it already.
    if (isCurrent(cache, key)) return;
    rmSync(cache, { recursive: true, force: true });
    renameSync(growing, cache);
  } catch (error) {
    if (!isCurrent(cache, key)) throw error;
  } finally {
    rmSync(growing, { recursive: true, force: true });
  }
}

/** The paths of all files in the folder and below it, with the folder in front. */
export function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesIn(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .sort();
}

function isCurrent(cache, key) {
  const keyFile = join(cache, 'key');
  return existsSync(keyFile) && readFileSync(keyFile, 'utf8') === key;
}

function hashOf(root, inputs) {
  const hash = createHash('sha256');
  for (const path of inputs) hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}
