// Runs the two programs that report to a server: `tocsin send`, and `contrib/tocsin-send` under each shell.

import { spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mainFile } from './built-server.ts';
import type { Ended } from './server-process.ts';
import { withoutProgram } from './tools.ts';

const script = fileURLToPath(new URL('../../../contrib/tocsin-send', import.meta.url));

export type Sender = {
  readonly name: string;
  readonly command: readonly [program: string, ...words: string[]];
  /** Why its tests are skipped. */
  readonly skip: string | false;
};

function underShell(...shell: readonly [program: string, ...words: string[]]): Sender {
  const [program] = shell;
  const skip = withoutProgram(program) || withoutProgram('curl');
  return { name: `contrib/tocsin-send in ${shell.join(' ')}`, command: [...shell, script], skip };
}

export const ownSender: Sender = { name: 'tocsin send', command: [process.execPath, mainFile, 'send'], skip: false };
export const shellSender = underShell('sh');
/** On Debian sh is dash. */
const isShDash = existsSync('/bin/sh') && realpathSync('/bin/sh').endsWith('/dash');
const others = isShDash ? [] : [underShell('dash')];
export const senders: readonly Sender[] = [ownSender, shellSender, ...others, underShell('busybox', 'sh')];

/** Runs it until it ends. */
export function runSender(
  { command: [program, ...before] }: Sender,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const cache = process.env.NODE_COMPILE_CACHE;
  const child = spawn(program, [...before, ...words], {
    env: { PATH: process.env.PATH, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, output }));
  });
}
