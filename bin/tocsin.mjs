#!/usr/bin/env node
// The command `tocsin`: runs the sources in a clone, and the compiled files in an installed package.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch } from './launch.mjs';

const inClone = existsSync(new URL('../src', import.meta.url));
const main = new URL(inClone ? '../src/main.ts' : '../dist/main.js', import.meta.url);

await launch({ file: fileURLToPath(main), args: process.argv.slice(2), needsDevPackages: false });
