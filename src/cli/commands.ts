// The table of CLI commands, its help, and the dispatch from arguments to commands.

import type { Environment } from '../config.ts';
import { roles, scopes } from '../domain/access/access.ts';
import { StartError } from '../errors.ts';
import { version } from '../version.ts';
import { exportAudit, exportUsage, verifyAudit, verifyUsage } from './audit.ts';
import { backUp, backupUsage, verifyBackupFile, verifyBackupUsage } from './backup/backup.ts';
import { rescue, rescueUsage } from './backup/rescue.ts';
import { restore, restoreUsage } from './backup/restore.ts';
import { callFromShell, callUsage } from './call.ts';
import { doctor } from './doctor.ts';
import { addKey, listKeys, revokeKey } from './key.ts';
import { migrateStore } from './migrate.ts';
import { send, sendUsage } from './send/send.ts';
import { demo, demoUsage } from './server/demo.ts';
import { serve } from './server/serve.ts';
import { addUserFromTerminal, setPasswordFromTerminal } from './user.ts';

/** A command takes the arguments after its name and the environment; it throws to report a failure. */
type Command = (words: readonly string[], environment: Environment) => Promise<void>;

type Entry = {
  readonly usage: string;
  readonly meaning: string;
  /** Further sentences for the help of this command alone. */
  readonly details?: readonly string[];
  readonly run: Command;
};

export const commands: Readonly<Record<string, Entry>> = {
  serve: { usage: 'serve', meaning: 'Run the server', run: serve },
  demo: {
    usage: demoUsage,
    meaning: 'Run a server with the demo plant in a folder of its own, which is removed at the end',
    details: [
      'It uses none of your data and settings but TOCSIN_TIME_ZONE, TOCSIN_LANGUAGE and TOCSIN_LOG_LEVEL.',
      '--port is the port to listen on; 8088 by default, or any free one if that is taken.',
      'Address, user and password are printed; everything is gone at the end, with Ctrl-C.',
    ],
    run: demo,
  },
  'user add': {
    usage: 'user add NAME [--role ROLE] [--station ID]… [--generate]',
    meaning: 'Add a user; the password is asked for, read from a pipe, or generated',
    details: [
      `--role is one of ${Object.keys(roles).join(', ')}; operator by default.`,
      '--station binds the user to a station; it may be given several times.',
      '--generate makes a password and prints it once the user is added.',
    ],
    run: addUserFromTerminal,
  },
  'user password': {
    usage: 'user password NAME [--generate]',
    meaning: 'Set the password of a user and end their sessions',
    details: [
      '--generate makes a password and prints it once it is set; otherwise it is asked for or read from a pipe.',
    ],
    run: setPasswordFromTerminal,
  },
  'key add': {
    usage: 'key add NAME --scope SCOPE… [--station ID]… [--days N]',
    meaning: 'Create an API key for a machine; its token is printed once',
    details: [
      `--scope is one of ${scopes.join(', ')}; it may be given several times.`,
      '--station binds the key to a station; it may be given several times.',
      '--days is how long the key is valid; 365 by default.',
    ],
    run: addKey,
  },
  'key list': { usage: 'key list', meaning: 'List the API keys', run: listKeys },
  'key revoke': { usage: 'key revoke ID', meaning: 'Revoke an API key at once', run: revokeKey },
  backup: {
    usage: backupUsage,
    meaning: 'Write everything stored to one file, also while the server runs',
    details: ['FILE may be -, for the output of the program: tocsin backup - | ssh …'],
    run: backUp,
  },
  'backup verify': {
    usage: verifyBackupUsage,
    meaning: 'Read a whole backup, check it, and say from when it is and what it holds',
    run: verifyBackupFile,
  },
  restore: {
    usage: restoreUsage,
    meaning: 'Replace the stored data with a backup; the server must be stopped',
    details: [
      'It first says what and who comes back; without --replace it changes nothing when there is data already.',
      '--revive brings people who were removed since the backup back as they were, and not disabled.',
    ],
    run: restore,
  },
  rescue: {
    usage: rescueUsage,
    meaning: 'Write what can be read of a damaged SQLite database to a backup file; the server must be stopped',
    run: rescue,
  },
  migrate: {
    usage: 'migrate',
    meaning: 'Bring the database of an older version up to date, as a start does; the server must be stopped',
    details: ['With SQLite a copy of the database is made first, in the data folder.'],
    run: migrateStore,
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
  call: {
    usage: callUsage,
    meaning: 'Call a telephone number, or write to an address, and print each step',
    details: [
      '--to is a telephone number, an e-mail address, a URL, or the name of a user.',
      '--say is the text that is spoken or written.',
      '--provider is the name of the provider; the first one that serves the address by default.',
      '--language is the language of the text, such as fr; that of the user or of the server by default.',
      'The exit code is 0 if it was answered with a key or delivered, and 1 if not.',
    ],
    run: callFromShell,
  },
  send: {
    usage: sendUsage,
    meaning: 'Report that something has happened, or with --normal is back to normal, to a server anywhere',
    details: [
      '--url is the address of the server; --key-file holds an API key with the scope alarms:write, as TOCSIN_SEND_KEY does without it.',
      '--message and --value are the text and the value, --group is the id of the group to call.',
      '--spool is a folder in which reports wait while the server is away; the next call with it sends them, in order.',
      '--flush sends what waits in the spool and reports nothing.',
      'The exit code is 0 if the server has it, 1 if it refused it (the spool keeps it in refused/), 75 if it waits or was not',
      'sent, and 73 if it was posted but could not be kept in the spool.',
    ],
    run: send,
  },
  doctor: {
    usage: 'doctor',
    meaning: 'Check for present and coming problems and say what to do about each',
    run: doctor,
  },
};

export async function runCommand(words: readonly string[], environment: Environment): Promise<void> {
  const [first, second] = words;
  if (first === undefined) return console.log(help());
  if (first === '--version' || first === 'version') return console.log(version);
  if (asksForHelp(words)) return console.log(helpAbout(words));
  const twoWords = commands[`${first} ${second}`];
  if (twoWords !== undefined) return twoWords.run(words.slice(2), environment);
  const oneWord = commands[first];
  if (oneWord !== undefined) return oneWord.run(words.slice(1), environment);
  throw new StartError(`There is no command "${words.join(' ')}".\n\n${help()}`, 'bad-usage');
}

const helpWords: readonly string[] = ['--help', '-h'];

/** Words after `--` are names, whatever they look like. */
function asksForHelp(words: readonly string[]): boolean {
  const named = words.indexOf('--');
  return words[0] === 'help' || (named < 0 ? words : words.slice(0, named)).some((word) => helpWords.includes(word));
}

/** Returns the help of the command that the words name, of those that begin with its first word, or of all. */
function helpAbout(words: readonly string[]): string {
  const [first = '', second = ''] = words.filter(
    (word, at) => !helpWords.includes(word) && !(at === 0 && word === 'help'),
  );
  const entry = commands[`${first} ${second}`] ?? commands[first];
  if (entry !== undefined) return [`tocsin ${entry.usage}`, `${entry.meaning}.`, ...(entry.details ?? [])].join('\n  ');
  const related = Object.keys(commands).filter((name) => name.startsWith(`${first} `));
  return related.length === 0 ? help() : linesOf(related).join('\n');
}

function help(): string {
  const lines = linesOf(Object.keys(commands)).map((line) => `  ${line}`);
  return `Tocsin ${version}, the open alarm-notification and on-call calling server.\n\n${lines.join('\n')}\n\n"tocsin COMMAND --help" says more about a command. Settings come from TOCSIN_* variables: see docs/operating.md.`;
}

function linesOf(names: readonly string[]): readonly string[] {
  const entries = names.flatMap((name) => commands[name] ?? []);
  const width = Math.max(...entries.map(({ usage }) => usage.length));
  return entries.map(({ usage, meaning }) => `tocsin ${usage.padEnd(width)}  ${meaning}`);
}
