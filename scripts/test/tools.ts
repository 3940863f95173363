// The programs that tests need beside Node: which are missing, and installing them with apt-get.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { RunProgram } from './run-program.ts';

type Tool = {
  readonly name: string;
  readonly debianPackage: string;
  readonly neededFor: string;
  /** Of a library without a program: the file that it brings. */
  readonly file?: string;
};

const tools: readonly Tool[] = [
  { name: 'strace', debianPackage: 'strace', neededFor: 'the tests that watch what is synced to disk' },
  { name: 'sipp', debianPackage: 'sip-tester', neededFor: 'the tests with telephone calls' },
  { name: 'kamailio', debianPackage: 'kamailio-tls-modules', neededFor: 'the tests with a SIP registrar and proxy' },
  { name: 'baresip', debianPackage: 'baresip-core', neededFor: 'the test with a softphone' },
  { name: 'espeak-ng', debianPackage: 'espeak-ng', neededFor: 'the tests with spoken texts' },
  { name: 'ffmpeg', debianPackage: 'ffmpeg', neededFor: 'the tests with MP3 files' },
  { name: 'postfix', debianPackage: 'postfix', neededFor: 'the tests with a mail server' },
  { name: 'dovecot', debianPackage: 'dovecot-imapd', neededFor: 'the tests with a mailbox' },
  {
    name: 'Net::SIP',
    debianPackage: 'libnet-sip-perl',
    neededFor: 'the test that records a call on the side of the telephone',
    file: '/usr/share/perl5/Net/SIP.pm',
  },
  { name: 'curl', debianPackage: 'curl', neededFor: 'the tests of contrib/tocsin-send' },
  { name: 'busybox', debianPackage: 'busybox', neededFor: 'the test of contrib/tocsin-send in the shell of BusyBox' },
  { name: 'chromium', debianPackage: 'chromium', neededFor: 'the tests with a real browser' },
];

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

function missingTools(): readonly Tool[] {
  return tools.filter(({ name, file }) => (file === undefined ? !isOnPath(name) : !existsSync(file)));
}

/** Says what is missing, installs it when it may, and names the tests that what is still missing will skip. */
export async function provideTools(run: RunProgram, mayInstall: boolean): Promise<void> {
  const missing = missingTools();
  if (missing.length === 0) return;
  if (mayInstall && process.getuid?.() === 0 && isOnPath('apt-get')) await install(run, missing);
  for (const { name, debianPackage, neededFor } of missingTools()) {
    console.log(`${name} is missing: ${neededFor} will be skipped. Get it with: apt-get install ${debianPackage}`);
  }
}

async function install(run: RunProgram, missing: readonly Tool[]): Promise<void> {
  console.log('The tests need programs that are missing here. Installing with apt-get:');
  for (const { debianPackage, neededFor } of missing) console.log(`  ${debianPackage.padEnd(22)} for ${neededFor}`);
  const packages = missing.map((tool) => tool.debianPackage);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]) => run('apt-get', args, { env, isQuiet: true });
  const installAll = () => aptGet('install', '-y', '-q', '--no-install-recommends', ...packages);
  // The package lists are fetched only when the cached ones do not suffice: that takes longer than the installing.
  if ((await installAll()).passed) return;
  await aptGet('update', '-q');
  const { passed, output } = await installAll();
  if (!passed) console.log(output);
}
