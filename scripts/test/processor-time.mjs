// Loaded into each test process: leaves the processor time of the process and of those it started, as the kernel counted it.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ticksPerSecond = 100;

/** The seconds of this process and of its children that have ended; zero where there is no /proc. */
export function processorSeconds() {
  if (!existsSync('/proc/self/stat')) return 0;
  // The name of the program, in parentheses, may contain blanks.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [user, system, ofChildren, systemOfChildren] = fields.slice(11, 15).map(Number);
  return (user + system + ofChildren + systemOfChildren) / ticksPerSecond;
}

const folder = process.env.TOCSIN_TEST_TIMES;
const file = process.argv[1];
// A worker thread has the same arguments, and so does the process that starts the tests.
if (folder !== undefined && file?.endsWith('.test.js') && process.env.NODE_TEST_CONTEXT !== undefined)
  process.once('exit', () => {
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify({ file, seconds: processorSeconds() }));
  });
