// Keeps the result of a build in a folder, with a hash of its inputs, so that each state of the sources is built once.
// Plain JavaScript, because the launcher needs it under any Node.

import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/**
 * Runs `file`, which ends with `buildIfAsked`, in a process of its own: the compiler, and the hundreds of megabytes it takes,
 * would otherwise stay for as long as the server runs that this process becomes.
 */
export function buildApart(file, folder) {
  return new Promise((done, fail) => {
    const child = fork(file, [folder], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    let problem;
    child.on('message', (message) => {
      problem = message;
    });
    child.on('error', fail);
    child.on('close', (code, signal) => {
      if (code === 0) done();
      else fail(new Error(problem ?? `the build ended with ${signal ?? `code ${code}`}`));
    });
  });
}

/** Runs the build if this process was started for it by buildApart; `url` is that of the file. */
export async function buildIfAsked(url, build) {
  const [, program, folder] = process.argv;
  if (process.send === undefined || program === undefined || realpathSync(program) !== fileURLToPath(url)) return;
  // The start was killed that waits for the result.
  process.on('disconnect', () => process.exit(1));
  try {
    await build(folder);
    process.exit(0);
  } catch (error) {
    process.send(error.message, () => process.exit(1));
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
