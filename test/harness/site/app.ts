// Starts the whole server in the process of the test, on a free port and with a fake clock; unexpected error lines in its
// log fail the test.

import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import type { Polled } from '../../../src/app/start-background-work.ts';
import { type AppParts, createApp } from '../../../src/app.ts';
import type { StartVoiceWorker } from '../../../src/channels/voice/thread/voice-thread.ts';
import { readConfig } from '../../../src/config.ts';
import { databaseFileName } from '../../../src/store/sqlite/database-file.ts';
import type { DatabaseKind } from '../../../src/store/statement.ts';
import type { Store } from '../../../src/store/store.ts';
import type { StartWorker } from '../../../src/store/threads/worker-thread.ts';
import { isDeclared } from '../openapi/declared-statuses.ts';
import { noThreads, noVoiceThread, ownThreads } from '../server/built-server.ts';
import { isSoak } from '../soak.ts';
import '../stores/record-statements.ts';
import { memoryFolder } from '../stores/memory-folder.ts';
import { freshPostgresDatabase, templates } from '../stores/stores.ts';
import { expectIdleSecond, expectRest, pollAll } from './at-rest.ts';
import { type FakeClock, fakeClock } from './clock.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly text: string;
};

type RequestOptions = {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type TestApp = {
  readonly url: string;
  readonly store: Store;
  readonly clock: FakeClock;
  readonly logLines: readonly LogLine[];
  /** The settings it was started with, for command-line programs on the same store. */
  readonly environment: Readonly<Record<string, string>>;
  readonly openers: Openers;
  readonly startStoreWorker: StartWorker;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  signIn(name?: string, password?: string): Promise<string>;
  /** The parts that look for due work. */
  readonly polled: Polled;
  /** Makes the server check for due work at once, and resolves when it is done; for tests that have moved the clock. */
  poll(): Promise<void>;
  /** Stops the server before the test ends. */
  stop(): Promise<void>;
};

export type LogLine = { readonly level: number; readonly msg: string };

export const adminPassword = 'correct horse battery';

/**
 * The lowest cost that argon2 accepts: with the cost of production, hashing passwords took a tenth of the time of all tests.
 */
const passwordCost = { memory: 8, passes: 1, parallelism: 1 };

type Overrides = Readonly<Record<string, string>>;
type Openers = NonNullable<AppParts['openers']>;
type Options = {
  readonly overrides?: Overrides;
  readonly expectErrors?: boolean;
  readonly openers?: Openers;
  readonly startStoreWorker?: StartWorker;
  readonly startVoiceWorker?: StartVoiceWorker;
  readonly clock?: FakeClock;
};

/**
 * Starts the server on an empty store. `overrides` are settings, `expectErrors` allows error lines in the log, `openers`
 * opens kinds of providers as the test says, and `startStoreWorker` is `ownThreads` in tests of what SQLite's
 * threads are for: that no query and no sync holds the event loop.
 */
export async function startTestApp(
  t: TestContext,
  kind: DatabaseKind,
  {
    overrides = {},
    expectErrors = false,
    openers = {},
    startStoreWorker = noThreads,
    startVoiceWorker = noVoiceThread,
    clock = fakeClock(),
  }: Options = {},
): Promise<TestApp> {
  const environment = { ...(await migratedStore(t, kind)), ...overrides };
  return startOn(t, environment, clock, expectErrors, openers, startStoreWorker, startVoiceWorker);
}

/**
 * Like freshStore, but with all tables: copies the template of this test run, which takes a tenth of the time of the
 * migrations.
 */
export async function migratedStore(t: TestContext, kind: DatabaseKind): Promise<Record<string, string>> {
  const store = await freshStore(t, kind, templates.postgres);
  if (kind === 'sqlite' && templates.sqlite !== undefined) {
    await copyFile(templates.sqlite, join(store.TOCSIN_DATA_DIR ?? '', databaseFileName));
  }
  return store;
}

/** Returns the settings of an empty store, which is removed after the test. */
export async function freshStore(
  t: TestContext,
  kind: DatabaseKind,
  postgresTemplate?: string,
): Promise<Record<string, string>> {
  const folder = await mkdtemp(join((await memoryFolder()) ?? tmpdir(), 'tocsin-test-'));
  // Added from within a hook, so that it runs after the hooks that stop servers which use the folder.
  t.after(() => t.after(() => rm(folder, { recursive: true, force: true })));
  return {
    TOCSIN_PORT: '0',
    TOCSIN_DATA_DIR: folder,
    TOCSIN_ADMIN_PASSWORD: adminPassword,
    TOCSIN_TIME_ZONE: 'Europe/Paris',
    TOCSIN_LANGUAGE: 'en',
    ...(kind === 'postgres' ? { TOCSIN_DATABASE_URL: await freshPostgresDatabase(t, postgresTemplate) } : {}),
  };
}

/** Starts another node on the database of `app`, with its own data folder and the same clock. */
export async function startBeside(
  t: TestContext,
  { environment, clock, openers }: TestApp,
  overrides: Overrides = {},
): Promise<TestApp> {
  const { TOCSIN_DATA_DIR = '' } = await freshStore(t, 'sqlite');
  return startOn(t, { ...environment, TOCSIN_DATA_DIR, ...overrides }, clock, false, openers);
}

export async function startOn(
  t: TestContext,
  environment: Readonly<Record<string, string>>,
  clock: FakeClock = fakeClock(),
  expectErrors = false,
  openers: Openers = {},
  startStoreWorker = ownThreads,
  startVoiceWorker = noVoiceThread,
): Promise<TestApp> {
  const logLines: LogLine[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(JSON.parse(line)) });
  const onBroken = (reason: string): void => log.fatal(reason);
  const app = createApp(readConfig(environment), {
    clock,
    log,
    onBroken,
    openers,
    startStoreWorker,
    startVoiceWorker,
    passwordCost,
    stopGraceMs: 0,
  });
  const { url, store, polled } = await app.start();
  let isRunning = true;
  const stop = (): Promise<void> => {
    isRunning = false;
    return app.stop();
  };
  t.after(async () => {
    const check = async (): Promise<void> => {
      await expectRest({ polled, environment });
      if (isSoak) await expectIdleSecond();
    };
    await (isRunning && hasPassed(t) ? check() : Promise.resolve()).finally(stop);
    const errors = logLines.filter(({ level }) => level >= 50);
    if (!expectErrors) assert.deepEqual(errors, [], 'error lines in the log');
  });
  const request: TestApp['request'] = (method, path, options) => send(url, method, path, options);
  return {
    url,
    store,
    clock,
    polled,
    poll: () => pollAll(polled),
    logLines,
    environment,
    openers,
    startStoreWorker,
    request,
    signIn: (name = 'admin', password = adminPassword) => signIn(request, name, password),
    stop,
  };
}

/** A test that failed may leave anything under way. The type of Node's contexts lacks this property. */
function hasPassed(t: TestContext & { readonly passed?: boolean }): boolean {
  return t.passed !== false;
}

async function send(
  url: string,
  method: string,
  path: string,
  { token, body, headers = {} }: RequestOptions = {},
): Promise<Answer> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  assert.ok(
    isDeclared(method, path, response.status),
    `${method} ${path}: ${response.status} is not in the document: ${text}`,
  );
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text, text };
}

async function signIn(request: TestApp['request'], username: string, password: string): Promise<string> {
  const body = { grant_type: 'password', username, password };
  const answer = await request('POST', '/api/v1/auth/login', { body });
  assert.equal(answer.status, 200, answer.text);
  return (answer.body as { access_token: string }).access_token;
}
