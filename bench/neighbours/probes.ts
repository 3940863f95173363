// The probes: single priority 1 alarms with their hub pushes, sign-ins and health checks, sent at a steady pace.

import { setTimeout as pause } from 'node:timers/promises';
import WebSocket from 'ws';
import type { Subject } from '../server.ts';

/** Milliseconds per request. */
export type Sample = readonly number[];

const alarmsPerSecond = 20;
const checksPerSecond = 20;
const signInsPerSecond = 2;

export class Probes {
  readonly #subject: Subject;
  readonly #password: string;
  readonly #socket: WebSocket;
  readonly #awaited = new Map<string, { readonly sentAt: number; readonly arrive: (ms: number) => void }>();
  #sent = 0;

  static async open(subject: Subject, password: string): Promise<Probes> {
    const address = `${subject.url.replace('http', 'ws')}/alarmHub?access_token=${subject.token}`;
    const socket = new WebSocket(address);
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
    socket.send(`${JSON.stringify({ protocol: 'json', version: 1 })}\x1e`);
    return new Probes(subject, password, socket);
  }

  private constructor(subject: Subject, password: string, socket: WebSocket) {
    this.#subject = subject;
    this.#password = password;
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(String(data)));
    setInterval(() => socket.send('{"type":6}\x1e'), 10_000).unref();
  }

  close(): void {
    this.#socket.terminate();
  }

  /** Runs all probes side by side; a slow response delays no later request. */
  async run(seconds: number): Promise<Readonly<Record<string, Sample>>> {
    const pushes: Promise<number>[] = [];
    const [alarms, signIns, live] = await Promise.all([
      this.#evenly(seconds, alarmsPerSecond, () => this.#raise(pushes)),
      this.#evenly(seconds, signInsPerSecond, () => this.#signIn()),
      this.#evenly(seconds, checksPerSecond, () => this.#timed('GET', '/health/live')),
    ]);
    return { alarm: alarms, push: await Promise.all(pushes), 'sign-in': signIns, live };
  }

  async #evenly(seconds: number, perSecond: number, probe: () => Promise<number>): Promise<Sample> {
    const begin = performance.now();
    const results: Promise<number>[] = [];
    for (let n = 0; n < seconds * perSecond; n++) {
      await pause(Math.max(0, begin + (1_000 * n) / perSecond - performance.now()));
      const result = probe();
      // A failure is thrown below, after the last request was sent.
      result.catch(() => {});
      results.push(result);
    }
    return Promise.all(results);
  }

  #raise(pushes: Promise<number>[]): Promise<number> {
    const path = `Probe/${++this.#sent}`;
    const push = Promise.withResolvers<number>();
    this.#awaited.set(path, { sentAt: performance.now(), arrive: push.resolve });
    pushes.push(push.promise);
    return this.#timed('POST', '/api/v1/alarms', { path, priority: 1, alarmMessage: 'The probe is too hot' });
  }

  #receive(text: string): void {
    for (const [, path = ''] of text.matchAll(/"(Probe\/\d+)"/g)) {
      const awaited = this.#awaited.get(path);
      awaited?.arrive(performance.now() - awaited.sentAt);
      this.#awaited.delete(path);
    }
  }

  #signIn(): Promise<number> {
    return this.#timed('POST', '/api/v1/auth/login', {
      grant_type: 'password',
      username: 'admin',
      password: this.#password,
    });
  }

  async #timed(method: string, path: string, body?: object): Promise<number> {
    const headers = { authorization: `Bearer ${this.#subject.token}`, 'content-type': 'application/json' };
    const begin = performance.now();
    const response = await fetch(`${this.#subject.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${answer}`);
    return performance.now() - begin;
  }
}
