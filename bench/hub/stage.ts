// What the parts of the bench share: the servers under measurement, the processes of their clients, alarms to send.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Subject, start, startTocsin } from '../server.ts';
import { ask } from './asking.ts';
import { inTurns } from './in-turns.ts';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** So that the server can be asked what it holds and uses. */
const probed = ['--expose-gc', '--import', file('probe.ts')];

/** The ends of what was started, the last first. */
export class Stage {
  readonly #ends: (() => unknown)[] = [];

  /** The real server, on a store of its own or one it had before. */
  async tocsin(options: { folder?: string; port?: number } = {}): Promise<Subject> {
    const { folder = await this.folder(), port = 0 } = options;
    return this.#kept(await startTocsin('Tocsin', folder, undefined, { nodeArgs: probed, port }));
  }

  async bareServer(): Promise<Subject> {
    return this.#kept(await start('bare ws', [...probed, file('../ws-server.ts')]));
  }

  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'tocsin-bench-hub-'));
    this.#ends.push(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  /** A process of many light clients, all connected. */
  async connectionLimit({ url, token }: Subject, count: number): Promise<ChildProcess> {
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

  #kept(subject: Subject): Subject {
    this.#ends.push(() => ended(subject.process, 'SIGTERM'));
    return subject;
  }
}

/** Ends a process and waits for it. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

let alarms = 0;

/** Raises an alarm that was never raised before, of the usual length; answers its path. */
export async function raise(
  { url, token }: Subject,
  path = `Plant/Area${alarms % 50}/Pump${alarms++}`,
): Promise<string> {
  const body = JSON.stringify({
    path,
    value: '93.5',
    priority: 2,
    alarmMessage: 'The bearing of the pump is too hot: look at it, and at its cooling water.',
    resetMessage: 'The bearing of the pump has cooled down.',
    ackMessage: 'Somebody is on the way to the pump.',
    names: { fr: `Palier de la pompe ${path}` },
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/api/v1/alarms`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`An alarm was not taken: ${answer.status} ${text}`);
  return path;
}

const sendingAtOnce = 4;

/** Has the server tell all its clients so many times: by alarms, or because it is asked to. */
export async function tell(subject: Subject, times: number): Promise<void> {
  const broadcast = async () => (await fetch(subject.url, { method: 'POST' })).arrayBuffer();
  await inTurns(times, sendingAtOnce, () => (subject.token === '' ? broadcast() : raise(subject)));
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
