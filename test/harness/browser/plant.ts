// A server for the console in a browser, with a caller for its interface: in the process of the test, or in one that a test
// may kill.

import type { TestContext } from 'node:test';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import type { Store } from '../../../src/store/store.ts';
import { startServer } from '../server/server-process.ts';
import { adminPassword, migratedStore, startTestApp } from '../site/app.ts';
import { runningClock } from '../site/clock.ts';

export type Plant = {
  readonly url: string;
  /** Of the administrator. */
  readonly password: string;
  /** Sends a request as the administrator; throws unless it is 2xx. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
};

export type PlantInProcess = Plant & {
  /** Lets the server do what is due so much later. */
  advance(ms: number): void;
  /** Stops the server, which then refuses connections. */
  stop(): Promise<void>;
  /** For faults of the database. */
  readonly store: Store;
};

export type PlantProcess = Plant & {
  /** Kills the server with `kill -9`. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
};

/** Starts the server in the process of the test. */
export async function startPlant(t: TestContext): Promise<PlantInProcess> {
  const { url, clock, poll, stop, store } = await startTestApp(t, 'sqlite', { clock: runningClock() });
  return {
    ...(await plantAt(url)),
    advance(ms) {
      clock.advance(ms);
      void poll();
    },
    stop,
    store,
  };
}

/** Starts the server as a process of its own, which takes longer, for a test that kills it. */
export async function startPlantProcess(t: TestContext): Promise<PlantProcess> {
  const environment = { ...(await migratedStore(t, 'sqlite')), TOCSIN_PORT: String(await freePort()) };
  let server = await startServer(environment);
  t.after(() => server.end('SIGKILL'));
  return {
    ...(await plantAt(server.url)),
    async kill() {
      await server.end('SIGKILL');
    },
    async start() {
      server = await startServer(environment);
    },
  };
}

export async function plantAt(url: string): Promise<Plant> {
  const token = await signIn(url);
  return { url, password: adminPassword, call: (method, path, body) => send(url, token, method, path, body) };
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'admin', password: adminPassword });
  const response = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function send<T>(url: string, token: string, method: string, path: string, body: unknown): Promise<T> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
