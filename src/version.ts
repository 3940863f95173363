// The version of this Tocsin, as package.json has it.

import { readFileSync } from 'node:fs';

export const version = String(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version);
