// Reads a password from the terminal without echo, or from the first line of a pipe.

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { StartError } from '../errors.ts';

/** Ctrl-C at a prompt: the program ends without a word. */
export class Interrupted extends Error {}

export async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) return firstLine();
  const first = await askHidden('New password: ');
  const again = await askHidden('Again: ');
  if (first !== again) throw new StartError('The two passwords differ; nothing was changed.', 'bad-usage');
  return first;
}

async function firstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line;
  return '';
}

async function askHidden(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
  // Only now: until the interface exists, the terminal itself echoes what is typed.
  process.stdout.write(question);
  try {
    return await new Promise<string>((resolve, reject) => {
      prompt.once('SIGINT', () => reject(new Interrupted('Ctrl-C')));
      // Ctrl-D ends the input.
      prompt.once('close', () => reject(new StartError('No password was given; nothing was changed.', 'bad-usage')));
      prompt.once('line', resolve);
    });
  } finally {
    prompt.close();
    process.stdout.write('\n');
  }
}
