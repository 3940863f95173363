// Makes dist/, what a package carries: the bundled server, the console, and the licences of the packages that are in them.

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from '../bin/build-console.mjs';
import { bundleServer } from '../bin/bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

/** The folder of the package that a file of node_modules belongs to. */
function packageOf(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

function licenceOf(folder: string): string {
  const file = readdirSync(join(root, folder)).find((name) => /^licen[sc]e/i.test(name));
  const { name, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  return `${name} (${license})\n\n${file === undefined ? '' : readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
}

if (existsSync(dist)) rmSync(dist, { recursive: true });
const inputs = [...(await bundleServer(dist)), ...(await buildConsole(join(dist, 'console')))];
const packages = new Set(inputs.map(packageOf).filter((folder) => folder !== undefined));
writeFileSync(join(dist, 'licences.txt'), [...packages].toSorted().map(licenceOf).join('\n----\n\n'));
console.log(`dist/ is made: the server in one file and the console, with ${packages.size} packages in them.`);
