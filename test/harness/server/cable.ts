// A network namespace joined to the machine by one cable, which a test pulls out: packets vanish, and nobody is told.

import { execFileSync } from 'node:child_process';
import type { TestContext } from 'node:test';
import { withoutProgram, withoutRoot } from './tools.ts';

export const cableMissing = withoutRoot() || withoutProgram('ip');

export type Cable = {
  /** Put before a command that is to run at the far end. */
  readonly under: readonly string[];
  /** The addresses of the machine and of the far end. */
  readonly here: string;
  readonly there: string;
  cut(): void;
};

let laid = 0;

export function layCable(t: TestContext): Cable {
  const number = (process.pid * 8 + laid++) % 16_000;
  const net = `10.213.${Math.floor(number / 64)}`;
  const base = (number % 64) * 4;
  const [here, there] = [`${net}.${base + 1}`, `${net}.${base + 2}`];
  const name = `tocsin${number}`;
  const ip = (...words: readonly string[]) => execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'pipe'] });
  ip('netns', 'add', name);
  // Processes in the namespace are ended by hooks that are added later.
  t.after(() => t.after(() => t.after(() => ip('netns', 'del', name))));
  const inside = (...words: readonly string[]) => ip('-n', name, ...words);
  ip('link', 'add', `${name}h`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name);
  ip('addr', 'add', `${here}/30`, 'dev', `${name}h`);
  ip('link', 'set', `${name}h`, 'up');
  inside('addr', 'add', `${there}/30`, 'dev', 'eth0');
  for (const device of ['lo', 'eth0']) inside('link', 'set', device, 'up');
  return { under: ['ip', 'netns', 'exec', name], here, there, cut: () => inside('link', 'set', 'eth0', 'down') };
}
