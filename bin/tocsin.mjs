#!/usr/bin/env node
// The command `tocsin`: runs a bundle of the sources in a clone, and the bundle that was shipped in an installed package.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { currentBundle } from './bundle.mjs';
import { launch } from './launch.mjs';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const inClone = existsSync(path('../src'));

await launch({
  file: async () => (inClone ? ((await currentBundle()) ?? path('../src/main.ts')) : path('../dist/main.js')),
  args: process.argv.slice(2),
  needsDevPackages: false,
});
