// Shared by the parts of the bench: starts the measured servers and the client processes, and sends alarms.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Subject, start, startTocsin } from '../server.ts';
import { ask } from './asking.ts';
import { inTurns } from './in-turns.ts';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Node options that preload the probe, for reading the server's memory and CPU time. */
const probed = ['--expose-gc', '--import', file('probe.ts')];

/** Starts servers and clients, and stops them in reverse order at the end. */
export class Stage {
  readonly #ends: (() => unknown)[] = [];

  /** Starts Tocsin, on a new store or on the given folder. */
  async tocsin(options: { folder?: string; port?: number } = {}): Promise<Subject> {
    const { folder = await this.folder(), port = 0 } = options;
    return this.#stopAtEnd(await startTocsin('Tocsin', folder, undefined, { nodeArgs: probed, port }));
  }

  async bareServer(): Promise<Subject> {
    return this.#stopAtEnd(await start('bare ws', [...probed, file('../ws-server.ts')]));
  }

  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'tocsin-bench-hub-'));
    this.#ends.push(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  /** Starts a process of many light clients and connects them. */
  async lightClients({ url, token }: Subject, count: number): Promise<ChildProcess> {
    const load = this.clients('load.ts');
    await ask(load, 'connect', { url, token, count });
    return load;
  }

  clients(program: string): ChildProcess {
    const child = fork(file(program));
    this.#ends.push(() => child.kill());
    return child;
  }

  onEnd(end: () => unknown): void {
    this.#ends.push(end);
  }

  async end(): Promise<void> {
    for (let end = this.#ends.pop(); end !== undefined; end = this.#ends.pop()) await end();
  }

  #stopAtEnd(subject: Subject): Subject {
    this.#ends.push(() => ended(subject.process, 'SIGTERM'));
    return subject;
  }
}

/** Ends a process and waits for its exit. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

/** The body of a report about an alarm of typical length. */
export function alarmBody(path: string): Readonly<Record<string, unknown>> {
  return {
    path,
    value: '93.5',
    priority: 2,
    alarmMessage: 'The bearing of the pump is too hot: look at it, and at its cooling water.',
    resetMessage: 'The bearing of the pump has cooled down.',
    ackMessage: 'Somebody is on the way to the pump.',
    names: { fr: `Palier de la pompe ${path}` },
  };
}

let alarms = 0;

/** Raises a new alarm of typical length and returns its path. */
export async function raise(
  { url, token }: Subject,
  path = `Plant/Area${alarms % 50}/Pump${alarms++}`,
): Promise<string> {
  const body = JSON.stringify(alarmBody(path));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1/alarms`, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`An alarm was not taken: ${response.status} ${text}`);
  return path;
}

const sendingAtOnce = 4;

/** Makes the server send a message to all clients `times` times: Tocsin by alarms, the bare server by request. */
export async function broadcast(subject: Subject, times: number): Promise<void> {
  const send = async () => (await fetch(subject.url, { method: 'POST' })).arrayBuffer();
  await inTurns(times, sendingAtOnce, () => (subject.token === '' ? send() : raise(subject)));
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
