// Runs a configured program without a shell: bytes in, bytes out, with limits of time, output, memory and number.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { providerReasonIn } from '../../domain/channels/words/catalogue.ts';
import type { ProviderReason } from '../../domain/channels/words/provider-reason.ts';

export type ProcessLimits = {
  readonly timeoutMs: number;
  /** Of the output. */
  readonly mostBytes: number;
  /** Address space, for programs that read files of strangers; held where `prlimit` exists. */
  readonly mostMemory?: number;
};

const searchPath = ['/usr/local/bin', '/usr/bin', '/bin'];
const limiter = '/usr/bin/prlimit';
/** Debian packages of the programs that the default settings name. */
const packaged = ['espeak-ng', 'ffmpeg', 'mpg123', 'flite'];
const mostComplaint = 200;

/** Why a program gave no output. */
export class ProgramProblem extends Error {
  readonly why: ProviderReason;

  constructor(why: ProviderReason) {
    super(providerReasonIn('en', why));
    this.why = why;
  }
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;
/** Told when a program runs and when it runs no more, by its process group. */
type OnProgram = (pid: number, runs: boolean) => void;

/**
 * Runs programs, at most `most` of them at once; the others wait in line. `input` goes to the program's standard input, so
 * that no text can become an option.
 */
export class ProcessPool {
  readonly #most: number;
  readonly #onProgram: OnProgram;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number, onProgram: OnProgram = () => {}) {
    this.#most = most;
    this.#onProgram = onProgram;
  }

  /** Returns the output; throws a `ProgramProblem` when there is none. */
  async run(
    command: readonly string[],
    input: Uint8Array,
    limits: ProcessLimits,
    signal: AbortSignal,
  ): Promise<Uint8Array> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      signal.throwIfAborted();
      return await runProgram(command, input, limits, signal, this.#onProgram);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }
}

async function runProgram(
  [program = '', ...words]: readonly string[],
  input: Uint8Array,
  { timeoutMs, mostBytes, mostMemory }: ProcessLimits,
  signal: AbortSignal,
  onProgram: OnProgram,
): Promise<Uint8Array> {
  const file = fileOf(program);
  const isLimited = mostMemory !== undefined && isExecutable(limiter);
  const limit = isLimited ? [limiter, `--as=${mostMemory}`, '--core=0', '--'] : [];
  const [first = file, ...rest] = [...limit, file, ...words];
  const child = spawn(first, rest, {
    cwd: '/',
    env: { PATH: searchPath.join(':'), LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Creates a process group, so that all its processes can be killed.
    detached: true,
  });
  const { pid } = child;
  if (pid !== undefined) onProgram(pid, true);
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const stop = AbortSignal.any([signal, timeout]);
    return await outputOf(child, input, mostBytes, stop, program);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw timeout.aborted ? new ProgramProblem({ code: 'program-slow', program, seconds: timeoutMs / 1000 }) : error;
  } finally {
    killGroup(child);
    if (pid !== undefined) onProgram(pid, false);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
  }
}

function outputOf(
  child: Child,
  input: Uint8Array,
  mostBytes: number,
  stop: AbortSignal,
  program: string,
): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let size = 0;
  let complaint = '';
  return new Promise((resolve, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
    child.on('error', ({ message: said }) =>
      reject(new ProgramProblem({ code: 'program-not-started', program, said })),
    );
    child.stdout.on('data', (part: Buffer) => {
      size += part.length;
      if (size > mostBytes) reject(new ProgramProblem({ code: 'program-wrote-too-much', program, bytes: mostBytes }));
      else parts.push(part);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, mostComplaint);
    });
    // A program may end before it has read everything.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('exit', () => killGroup(child));
    child.on('close', (code, name) => {
      const end = String(code ?? name);
      if (code === 0) resolve(Buffer.concat(parts));
      else reject(new ProgramProblem({ code: 'program-ended', program, end, said: printable(complaint) }));
    });
  });
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, ' ').trim();
}

/** The program's file; throws a `ProgramProblem` that says how to install it. */
function fileOf(program: string): string {
  const files = isAbsolute(program) ? [program] : searchPath.map((folder) => join(folder, program));
  const file = program === '' ? undefined : files.find(isExecutable);
  if (file !== undefined) return file;
  throw new ProgramProblem({ code: 'program-missing', program, looked: packaged.includes(program) ? [] : files });
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function killGroup({ pid }: Child): void {
  if (pid !== undefined) killProgram(pid);
}

/** Ends a program with all processes that it has started. */
export function killProgram(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group has ended already.
  }
}
