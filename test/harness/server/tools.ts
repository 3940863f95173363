// Checks for programs that a test needs; a test is skipped with a reason where one is missing.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** False when the program is installed, otherwise the reason to skip the test. */
export function withoutProgram(name: string): string | false {
  const isThere = (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
  return isThere ? false : `needs ${name}: apt-get install ${name}`;
}

export function withoutRoot(): string | false {
  return process.getuid?.() === 0 ? false : 'needs root, to mount a small disk or to run as another user';
}
