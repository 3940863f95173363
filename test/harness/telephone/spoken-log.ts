// Speech whose every text is written down as well, to see what a call has said; it speaks fast, to be heard soon.

import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export type SpokenLog = {
  /** The settings of the server. */
  readonly overrides: Readonly<Record<string, string>>;
  texts(): Promise<string>;
};

export async function spokenLog(t: TestContext): Promise<SpokenLog> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-spoken-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [program, log] = [join(folder, 'speak'), join(folder, 'log')];
  await writeFile(log, '');
  await writeFile(program, `#!/bin/sh\ntee -a ${log} | exec espeak-ng --stdout --stdin -s 420 -v "$1"\n`);
  await chmod(program, 0o755);
  return {
    overrides: { TOCSIN_SPEECH_COMMAND: `${program} {voice}` },
    texts: () => readFile(log, 'utf8'),
  };
}
