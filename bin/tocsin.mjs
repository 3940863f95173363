#!/usr/bin/env node
// The command `tocsin`: runs a bundle of the sources in a clone, and the bundle that was shipped in an installed package.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { currentConsole } from './build-console.mjs';
import { currentBundle } from './bundle.mjs';
import { launch } from './launch.mjs';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const inClone = existsSync(path('../src'));

async function fileInClone() {
  if (['serve', 'demo'].includes(process.argv[2])) await currentConsole();
  return (await currentBundle()) ?? path('../src/main.ts');
}

await launch({
  file: inClone ? fileInClone : path('../dist/main.js'),
  args: process.argv.slice(2),
  needsDevPackages: false,
});
