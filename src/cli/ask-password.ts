// Reads a password from the terminal without echo, or from the first line of a pipe.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { StartError } from '../errors.ts';

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
  process.stdout.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await prompt.question('');
  } finally {
    prompt.close();
    process.stdout.write('\n');
  }
}
