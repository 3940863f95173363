// `tocsin demo`: runs a server with the demo plant in a throw-away folder, and says when the first phone rings.

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readablePassword } from '../../access/password.ts';
import type { StartedApp } from '../../app.ts';
import { type Environment, readConfig } from '../../config.ts';
import { exitCodes, StartError } from '../../errors.ts';
import { adminName } from '../../operations/system/first-start.ts';
import { readArguments, wholeNumberFrom } from '../arguments.ts';
import { runServer, stopSignals } from './run-server.ts';

export const demoUsage = 'demo [--port N]';
const defaultPort = '8088';
const host = '127.0.0.1';

/** The settings that are taken over; all others would be about a real plant. */
const keptSettings = ['TOCSIN_TIME_ZONE', 'TOCSIN_LANGUAGE', 'TOCSIN_LOG_LEVEL'] as const;

export async function demo(words: readonly string[], environment: Environment): Promise<void> {
  const { values } = readArguments(words, 0, demoUsage, { port: { type: 'string' } });
  const port = wholeNumberFrom(values.port ?? (await freePort(defaultPort)), 'The port', demoUsage);
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-demo-'));
  const password = readablePassword();
  const kept = keptSettings.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const config = readConfig({
    TOCSIN_LOG_LEVEL: 'warn',
    ...Object.fromEntries(kept),
    TOCSIN_HOST: host,
    TOCSIN_PORT: String(port),
    TOCSIN_DATA_DIR: folder,
    TOCSIN_ADMIN_PASSWORD: password,
  });
  const startSignals = removeAtSignals(folder);
  try {
    await runServer(config, (started) => {
      // From now on the server stops at a signal, and the folder goes below.
      startSignals.ignore();
      return showDemo(started, password);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
    console.log('  The demo plant is gone, and its folder with it.');
  }
}

/** A signal while the server starts ends the process at once: nobody else would remove the folder. */
function removeAtSignals(folder: string): { ignore(): void } {
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    process.exit(exitCodes.interrupted);
  };
  for (const signal of stopSignals) process.on(signal, remove);
  return { ignore: () => stopSignals.forEach((signal) => void process.off(signal, remove)) };
}

/** Returns the port, or `0` for any other if it is taken. */
async function freePort(wanted: string): Promise<string> {
  const server = createServer();
  try {
    server.listen(Number(wanted), host);
    await once(server, 'listening');
    return wanted;
  } catch {
    return '0';
  } finally {
    server.close();
  }
}

async function showDemo({ url }: StartedApp, password: string): Promise<void> {
  const token = await signIn(url, password);
  const { userId } = await ask<{ userId: number }>(`${url}/api/v1/demo`, token, 'POST');
  console.log(greeting(url, password));
  await untilRinging(`${url}/api/v1/simulator/phones/${userId}`, token);
  // Since the process began.
  const seconds = (performance.now() / 1_000).toFixed(1);
  console.log(`  Ana’s phone rings, ${seconds} s after the start: ${url}/phones`);
}

function greeting(url: string, password: string): string {
  return [
    '',
    `  The demo plant is ready at ${url}`,
    '',
    `      user      ${adminName}`,
    `      password  ${password}`,
    '',
    '  Lift station 4 floods in ten seconds. Nothing leaves this machine, and everything is gone at the end.',
    '  Stop with Ctrl-C',
    '',
  ].join('\n');
}

async function signIn(url: string, password: string): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'password', username: adminName, password });
  const response = await fetch(`${url}/api/v1/auth/login`, { method: 'POST', body });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function ask<T>(address: string, token: string, method = 'GET'): Promise<T> {
  const response = await fetch(address, { method, headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new StartError(`The demo plant cannot be made: ${await response.text()}`, 'fault');
  return (await response.json()) as T;
}

/** The first alarm comes ten seconds after the plant is made; without a ring within a minute there is nothing to say. */
async function untilRinging(address: string, token: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const messages = await ask<readonly { state: string }[]>(address, token);
    if (messages.some(({ state }) => state === 'ringing' || state === 'answered')) return;
    await delay(200);
  }
  throw new StartError('No phone rang within a minute.', 'fault');
}
