// Starts the programs of others that the tests talk to, and says which package brings one that is missing.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort, isTaken } from './ports.ts';
import { until } from './until.ts';

/** The value of a test's `skip`: false when the program is there, else what to install. */
export function missing(program: string, debianPackage: string): string | false {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
  if (folders.some((folder) => existsSync(join(folder, program)))) return false;
  return `${program} is missing: apt-get install ${debianPackage}`;
}

export type Program = {
  readonly pid: number;
  readonly folder: string;
  /** Everything it printed. */
  output(): string;
  /** Its exit code, when it has ended. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
};

/** Starts a program in a temporary folder of its own. */
export function startProgram(command: string, args: (folder: string) => readonly string[]): Program {
  const folder = mkdtempSync(join(tmpdir(), 'sip-peer-'));
  const path = `${process.env.PATH ?? ''}${delimiter}/usr/sbin`;
  const child: ChildProcess = spawn(command, args(folder), {
    cwd: folder,
    env: { ...process.env, PATH: path, TERM: 'dumb' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    pid: child.pid ?? 0,
    folder,
    output: () => output,
    ended,
    async stop() {
      // A program with processes of its own ends them when it is asked to; one that does not listen is killed.
      child.kill('SIGTERM');
      const deadline = setTimeout(() => child.kill('SIGKILL'), 3_000);
      await ended;
      clearTimeout(deadline);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const mostStarts = 10;

/** Starts a program that listens on a free port; another process may take that port first, and then another one is tried. */
export async function startOnFreePort(
  start: (port: number) => Program,
  protocol: 'udp' | 'tcp',
  address?: string,
): Promise<{ readonly program: Program; readonly port: number }> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    const program = start(port);
    const hasIt = await Promise.race([untilHeld(program, port, protocol, address), program.ended.then(() => false)]);
    if (hasIt) return { program, port };
    await program.stop();
    assert.ok(tries < mostStarts, `a program does not start: ${program.output()}`);
  }
}

/** Waits until the program itself has the port: to bind it as a probe could keep the program from it. */
async function untilHeld(program: Program, port: number, protocol: 'udp' | 'tcp', address?: string): Promise<boolean> {
  if (!existsSync('/proc/net')) await untilTaken(program, port, protocol, address);
  else
    await until(
      async () => holdsPort(program.pid, port, protocol),
      (holds) => holds,
    );
  return true;
}

/** Whether one of the sockets of the process is bound to the port, by what Linux says of sockets and of open files. */
function holdsPort(pid: number, port: number, protocol: 'udp' | 'tcp'): boolean {
  const inodes = new Set(socketsAt(port, protocol).map((inode) => `socket:[${inode}]`));
  try {
    return readdirSync(`/proc/${pid}/fd`).some((name) => inodes.has(readlinkSync(`/proc/${pid}/fd/${name}`)));
  } catch {
    // It has ended, or closed a file meanwhile.
    return false;
  }
}

/** The inodes of the sockets that are bound to the port, those of TCP if they listen. */
function socketsAt(port: number, protocol: 'udp' | 'tcp'): readonly string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const lines = [protocol, `${protocol}6`].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n'));
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${hex}`) && (protocol === 'udp' || state === '0A'))
    .map((fields) => fields[9] ?? '');
}

/** Waits until the program listens there; fails with what it printed when it ends before. */
export async function untilTaken(
  program: Program,
  port: number,
  protocol: 'udp' | 'tcp',
  address?: string,
): Promise<void> {
  let hasEnded = false;
  void program.ended.then(() => {
    hasEnded = true;
  });
  await until(
    async () => {
      assert.ok(!hasEnded, program.output());
      // To bind the port as a probe could keep the program from it.
      return existsSync('/proc/net') ? socketsAt(port, protocol).length > 0 : isTaken(port, protocol, address);
    },
    (taken) => taken,
  );
}
