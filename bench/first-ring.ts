// How long it takes from `git clone` to a phone that rings on the screen: `npm run bench:first-ring`.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { freePort } from '../packages/sip/test/harness/ports.ts';
import { runBench, signalsAreOurs } from './run-bench.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const goalSeconds = 60;
const begin = performance.now();

function lap(step: string): void {
  console.log(`${((performance.now() - begin) / 1_000).toFixed(1).padStart(6)} s  ${step}`);
}

type Started = { readonly server: ChildProcess; readonly url: string; readonly password: string };

/** Starts the clone as a newcomer would; returns its address and the password that it prints. */
async function startClone(clone: string): Promise<Started> {
  const env = { ...newcomersEnvironment(), TOCSIN_PORT: String(await freePort()) };
  const server = spawn('npm', ['start'], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let output = '';
    server.stdout?.setEncoding('utf8').on('data', (part: string) => {
      output += part;
      const [, url] = /ready at (\S+)/.exec(output) ?? [];
      const [, password] = /with the password\s+(\S+)/.exec(output) ?? [];
      if (url !== undefined && password !== undefined) resolve({ server, url, password });
    });
    server.on('exit', (code) => reject(new Error(`The clone ended with ${code}:\n${output}`)));
  });
}

/** Without what this run of npm and of the launcher set, such as the cache of compiled code. */
function newcomersEnvironment(): NodeJS.ProcessEnv {
  const isOfThisRun = (name: string): boolean => /^(npm_(lifecycle|package)|NODE_COMPILE_CACHE|TOCSIN_)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfThisRun(name)));
}

async function walk(url: string, password: string): Promise<void> {
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'], ...signalsAreOurs });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    await page.goto(url);
    await page.locator('input[name=username]').fill('admin');
    await page.locator('input[name=password]').fill(password);
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: 'Start the demo plant' }).click();
    lap('signed in, the demo plant is asked for');
    await page.getByText('done').first().waitFor();
    lap('the demo plant is made');
    await page.getByRole('button', { name: 'Answer' }).waitFor({ timeout: 60_000 });
    lap('Ana’s phone rings on the screen');
  } finally {
    await browser.close();
  }
}

async function measure(folder: string): Promise<boolean> {
  const clone = join(folder, 'tocsin');
  let server: ChildProcess | undefined;
  try {
    const { status } = spawnSync('git', ['clone', '--quiet', checkout, clone], { stdio: 'inherit' });
    if (status !== 0) throw new Error('git clone failed');
    lap('git clone');
    const started = await startClone(clone);
    server = started.server;
    lap('npm start: installed, built and ready');
    await walk(started.url, started.password);
    const seconds = (performance.now() - begin) / 1_000;
    console.log(`\nFrom git clone to a ringing phone: ${seconds.toFixed(1)} s (goal: ${goalSeconds} s).`);
    return true;
  } finally {
    if (server?.pid !== undefined) {
      const ended = once(server, 'exit');
      process.kill(-server.pid, 'SIGTERM');
      await ended;
    }
    // npm ends before the server that it started.
    await rm(clone, { recursive: true, force: true, maxRetries: 50, retryDelay: 200 });
  }
}

await runBench({ needs: ['git', 'chromium'], measure });
