// The table of CLI commands, its help, and the dispatch from arguments to commands.

import type { Environment } from '../config.ts';
import { StartError } from '../errors.ts';
import { version } from '../version.ts';
import { exportAudit, exportUsage, verifyAudit, verifyUsage } from './audit.ts';
import { backUp } from './backup.ts';
import { doctor } from './doctor.ts';
import { addKey, listKeys, revokeKey } from './key.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { addUserFromTerminal, setPasswordFromTerminal } from './user.ts';

/** A command takes the arguments after its name and the environment; it throws to report a failure. */
type Command = (words: readonly string[], environment: Environment) => Promise<void>;

type Entry = { readonly usage: string; readonly meaning: string; readonly run: Command };

export const commands: Readonly<Record<string, Entry>> = {
  serve: { usage: 'serve', meaning: 'Run the server', run: serve },
  'user add': {
    usage: 'user add NAME [--role ROLE] [--station ID]… [--generate]',
    meaning: 'Add a user; the password is asked for, read from a pipe, or generated',
    run: addUserFromTerminal,
  },
  'user password': {
    usage: 'user password NAME [--generate]',
    meaning: 'Set the password of a user and end their sessions',
    run: setPasswordFromTerminal,
  },
  'key add': {
    usage: 'key add NAME --scope SCOPE… [--station ID]… [--days N]',
    meaning: 'Create an API key for a machine; its token is printed once',
    run: addKey,
  },
  'key list': { usage: 'key list', meaning: 'List the API keys', run: listKeys },
  'key revoke': { usage: 'key revoke ID', meaning: 'Revoke an API key at once', run: revokeKey },
  backup: {
    usage: 'backup FILE',
    meaning: 'Write everything stored to one file, also while the server runs',
    run: backUp,
  },
  restore: {
    usage: 'restore FILE [--replace]',
    meaning: 'Replace the stored data with a backup; the server must be stopped',
    run: restore,
  },
  'audit verify': {
    usage: verifyUsage,
    meaning: 'Name the first row of the audit trail that was changed, removed, added or moved',
    run: verifyAudit,
  },
  'audit export': {
    usage: exportUsage,
    meaning: 'Write the audit trail and its seals as lines of JSON',
    run: exportAudit,
  },
  doctor: {
    usage: 'doctor',
    meaning: 'Check for present and coming problems and say what to do about each',
    run: doctor,
  },
};

export async function runCommand(words: readonly string[], environment: Environment): Promise<void> {
  const [first, second] = words;
  if (first === undefined || first === 'help' || first === '--help' || first === '-h') return console.log(help());
  if (first === '--version' || first === 'version') return console.log(version);
  const twoWords = commands[`${first} ${second}`];
  if (twoWords !== undefined) return twoWords.run(words.slice(2), environment);
  const oneWord = commands[first];
  if (oneWord !== undefined) return oneWord.run(words.slice(1), environment);
  throw new StartError(`There is no command "${words.join(' ')}".\n\n${help()}`, 'bad-usage');
}

function help(): string {
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length));
  const lines = Object.values(commands).map(({ usage, meaning }) => `  tocsin ${usage.padEnd(width)}  ${meaning}`);
  return `Tocsin ${version}, the open alarm-notification and on-call calling server.\n\n${lines.join('\n')}\n\nSettings come from TOCSIN_* variables: see docs/operating.md.`;
}
