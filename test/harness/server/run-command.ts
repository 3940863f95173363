// Runs a command of the program in the process of the test, which is faster than starting one.

import type { TestContext } from 'node:test';
import { runCommand } from '../../../src/cli/commands.ts';

/** Returns what the command prints; it must succeed or throw. */
export async function runHere(
  t: TestContext,
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<{ readonly out: string; readonly err: string }> {
  const log = t.mock.method(console, 'log', () => {});
  const error = t.mock.method(console, 'error', () => {});
  const printed = ({ mock }: typeof log): string => mock.calls.map((call) => `${call.arguments.join(' ')}\n`).join('');
  try {
    await runCommand(words, environment);
    return { out: printed(log), err: printed(error) };
  } finally {
    log.mock.restore();
    error.mock.restore();
  }
}
