// Checks types, style and regular expressions; always all, so that one run shows everything there is to fix.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { checkExpressions } from './check/regular-expressions.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

function passes(program: string, ...args: readonly string[]): boolean {
  const { status } = spawnSync(process.execPath, [`node_modules/${program}`, ...args], { cwd: root, stdio: 'inherit' });
  return status === 0;
}

// Each further checker of the compiler works out the shared types anew: on two cores four of them take twice the processor time of one.
const oneChecker = ['--noEmit', '--checkers', '1'];
const serverTypesPass = passes('typescript/bin/tsc', ...oneChecker);
const consoleTypesPass = passes('typescript/bin/tsc', ...oneChecker, '-p', 'web');
const stylePasses = passes('@biomejs/biome/bin/biome', 'ci', '.');
const complaints = await checkExpressions(root);
for (const complaint of complaints) console.error(complaint);
process.exitCode = serverTypesPass && consoleTypesPass && stylePasses && complaints.length === 0 ? 0 : 1;
