// A server as a process and its console in Chromium: signed in, watched for errors, and with a caller for the interface.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ownPort } from '../server/own-port.ts';
import { type ServerProcess, startServer } from '../server/server-process.ts';
import { memoryFolder } from '../stores/memory-folder.ts';

const password = 'correct horse battery';

export type Plant = {
  readonly url: string;
  /** Of the administrator. */
  readonly password: string;
  /** Sends a request as the administrator; throws unless it is 2xx. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Kills the server with `kill -9`. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
};

export async function startPlant(t: TestContext): Promise<Plant> {
  const folder = await mkdtemp(join((await memoryFolder()) ?? tmpdir(), 'tocsin-console-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const environment = {
    TOCSIN_DATA_DIR: folder,
    TOCSIN_PORT: await ownPort(),
    TOCSIN_ADMIN_PASSWORD: password,
    TOCSIN_TIME_ZONE: 'Europe/Paris',
  };
  let server: ServerProcess | undefined = await startServer(environment);
  const url = server.url;
  const token = await signIn(url);
  t.after(() => server?.end('SIGKILL'));
  return {
    url,
    password,
    call: (method, path, body) => send(url, token, method, path, body),
    async kill() {
      await server?.end('SIGKILL');
      server = undefined;
    },
    async start() {
      server = await startServer(environment);
    },
  };
}

async function signIn(url: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username: 'admin', password });
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

export type Console = {
  readonly page: Page;
  /** What the page complained about: errors, and what the content security policy refused. */
  readonly complaints: readonly string[];
};

type ConsoleOptions = BrowserContextOptions & {
  readonly path?: string;
  readonly user?: string;
  readonly theme?: 'light' | 'dark' | 'high-contrast';
  /** Runs before the page is opened, for instance to answer some of its requests otherwise. */
  readonly prepare?: (page: Page) => Promise<unknown>;
};

/** Opens the console and signs in as the administrator, or as `user`. */
export async function openConsole(
  t: TestContext,
  browser: Browser,
  plant: Plant,
  { path = '/alarms', user = 'admin', theme = 'light', prepare, ...options }: ConsoleOptions = {},
): Promise<Console> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.addInitScript(`localStorage.setItem('tocsin.theme', '${theme}')`);
  await prepare?.(page);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(`${plant.url}${path}`);
  await page.locator('input[name=username]').fill(user);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.locator('[data-link=live]').waitFor({ state: 'attached' });
  return { page, complaints };
}

/** The rows of the alarm list in the order of the screen, by the text of their messages. */
export function rowOf(page: Page, text: string) {
  return page.locator('[role=row][data-id]', { hasText: text });
}

/** Records every tone that the page plays, for `tonesOf`. */
export async function recordTones(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.tones = [];
    const { start } = AudioScheduledSourceNode.prototype;
    AudioScheduledSourceNode.prototype.start = function (...when) {
      if (this instanceof OscillatorNode) tones.push(this.frequency.value);
      return start.apply(this, when);
    };
  `);
}

/** The frequencies of the tones that were played, in their order. */
export function tonesOf(page: Page): Promise<readonly number[]> {
  return page.evaluate('tones');
}
