// Measures how long it takes until the console says that something is wrong, and until it is true again, with a real server,
// PostgreSQL and Chromium: `npm run bench:outages`, or `npm run bench:outages token` for those with that word.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium, type Page } from 'playwright-core';
import { currentConsole } from '../bin/build-console.mjs';
import { startProxy, type TcpProxy } from '../packages/signalr/test/harness/tcp-proxy.ts';
import { freePort } from '../packages/sip/test/harness/ports.ts';
import { processesBelow } from '../test/harness/server/child-processes.ts';
import { type PostgresServer, startPostgres } from '../test/harness/stores/postgres-server.ts';
import { runBench, signalsAreOurs } from './run-bench.ts';
import { password, type Subject, startTocsin } from './server.ts';

const outageMs = 60_000;
const lookEveryMs = 50;
/** How long the bench waits for each state before it gives up. */
const patienceMs = 120_000;
/** The bar for being told. */
const barSeconds = 10;

type Stage = {
  readonly database: TcpProxy;
  readonly network: TcpProxy;
  readonly page: Page;
  subject: Subject;
  startAgain(): Promise<void>;
};

type Outage = {
  readonly name: string;
  /** Whether somebody could look at the console meanwhile. */
  readonly isSeen: boolean;
  readonly begin: (stage: Stage) => Promise<unknown>;
  readonly lastsMs: number;
  readonly end: (stage: Stage) => Promise<unknown>;
};

const postgresProcesses = () => processesBelow(process.pid).filter(({ command }) => /postgres/.test(command));

function signalDatabase(signal: NodeJS.Signals): void {
  for (const { pid } of postgresProcesses()) process.kill(pid, signal);
}

async function setLifecycle(page: Page, state: 'frozen' | 'active'): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setWebLifecycleState', { state });
  await session.detach();
}

/** Ends the session of the page, as an administrator does. */
async function endSession({ page, subject }: Stage): Promise<void> {
  const token = await page.evaluate<string>("JSON.parse(sessionStorage.getItem('tocsin.session')).token");
  await fetch(`${subject.url}/api/v1/auth/logout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
}

async function signIn(page: Page): Promise<void> {
  const name = page.locator('input[name=username]');
  if (await name.isEditable()) await name.fill('admin');
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
}

async function killServer({ subject }: Stage): Promise<void> {
  subject.process.kill('SIGKILL');
  await once(subject.process, 'exit');
}

async function stopServer({ subject }: Stage): Promise<void> {
  subject.process.kill('SIGTERM');
  await once(subject.process, 'exit');
}

const outages: readonly Outage[] = [
  {
    name: 'database frozen for 60 s (all its processes stopped)',
    isSeen: true,
    begin: async () => signalDatabase('SIGSTOP'),
    lastsMs: outageMs,
    end: async () => signalDatabase('SIGCONT'),
  },
  {
    name: 'node cut off from its database for 60 s',
    isSeen: true,
    begin: async ({ database }) => database.freeze(),
    lastsMs: outageMs,
    end: async ({ database }) => database.thaw(),
  },
  {
    name: 'server killed, started again after 5 s',
    isSeen: true,
    begin: killServer,
    lastsMs: 5_000,
    end: (stage) => stage.startAgain(),
  },
  {
    name: 'server stopped as for an upgrade, started again at once',
    isSeen: true,
    begin: stopServer,
    lastsMs: 0,
    end: (stage) => stage.startAgain(),
  },
  {
    name: 'tab asleep for 60 s',
    isSeen: false,
    begin: ({ page }) => setLifecycle(page, 'frozen'),
    lastsMs: outageMs,
    end: ({ page }) => setLifecycle(page, 'active'),
  },
  {
    name: 'token ended, signed in again after 15 s',
    isSeen: true,
    begin: endSession,
    lastsMs: 15_000,
    end: ({ page }) => signIn(page),
  },
  {
    name: 'network of the console silent for 60 s',
    isSeen: true,
    begin: async ({ network }) => network.freeze(),
    lastsMs: outageMs,
    end: async ({ network }) => network.thaw(),
  },
];

/** Whether the page says that something is wrong: in its title and banner, or by asking for the password. */
const isTold = `document.querySelector('[data-link=live]') === null || document.title.startsWith('⚠')
  || document.querySelector('input[name=password]') !== null`;

async function secondsUntil(since: number, look: () => Promise<boolean>): Promise<number | undefined> {
  while (performance.now() - since < patienceMs) {
    if (await look().catch(() => false)) return (performance.now() - since) / 1_000;
    await pause(lookEveryMs);
  }
  return undefined;
}

async function raise({ subject }: Pick<Stage, 'subject'>, path: string): Promise<boolean> {
  const response = await fetch(`${subject.url}/api/v1/alarms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${subject.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ path, alarmMessage: path, priority: 2, raised: true }),
    signal: AbortSignal.timeout(10_000),
  });
  await response.arrayBuffer();
  return response.ok;
}

async function measureOne(
  stage: Stage,
  { name, isSeen, begin, lastsMs, end }: Outage,
  number: number,
): Promise<boolean> {
  const { page } = stage;
  const begun = performance.now();
  await begin(stage);
  const told = isSeen ? await secondsUntil(begun, () => page.evaluate<boolean>(isTold)) : undefined;
  await pause(Math.max(0, lastsMs - (performance.now() - begun)));
  const path = `After ${number}`;
  const ending = performance.now();
  await end(stage);
  const endMs = performance.now() - ending;
  const over = performance.now();
  const taken = await secondsUntil(over, () => raise(stage, path));
  const isTrue = `!(${isTold}) && document.body.innerText.includes('${path}')`;
  const back = await secondsUntil(over, () => page.evaluate<boolean>(isTrue));
  const shown = (seconds: number | undefined) => (seconds === undefined ? '–' : seconds.toFixed(1));
  const started = endMs < 100 ? '' : `, which itself took ${(endMs / 1_000).toFixed(1)} s`;
  console.log(
    `${name}: said after ${shown(told)} s; after its end an alarm was taken after ${shown(taken)} s and shown as the newest after ${shown(back)} s${started}`,
  );
  await pause(3_000);
  return back !== undefined && (!isSeen || (told !== undefined && told <= barSeconds));
}

async function openPage(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(url);
  await signIn(page);
  await page.locator('[data-link=live]').waitFor({ state: 'attached' });
  return page;
}

async function startStage(folder: string, postgres: PostgresServer, browser: Browser): Promise<Stage> {
  const database = await startProxy(Number(new URL(postgres.url).port));
  const address = Object.assign(new URL(postgres.url), { port: String(database.port) }).href;
  const port = await freePort();
  const startServer = () => startTocsin('tocsin', folder, address, { port, settings: { TOCSIN_LOG_LEVEL: 'silent' } });
  const subject = await startServer();
  const network = await startProxy(port);
  const first = { database, network, subject };
  await raise(first, 'Before');
  const page = await openPage(browser, `http://127.0.0.1:${network.port}`);
  const stage: Stage = {
    ...first,
    page,
    async startAgain() {
      stage.subject = await startServer();
    },
  };
  return stage;
}

await runBench({
  needs: ['chromium', 'PostgreSQL'],
  async measure(folder) {
    await currentConsole();
    const [asked = ''] = process.argv.slice(2);
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    const [postgres, browser] = await Promise.all([
      startPostgres(),
      chromium.launch({ executablePath, args: ['--no-sandbox'], ...signalsAreOurs }),
    ]);
    const stage = await startStage(folder, postgres, browser);
    let isMet = true;
    for (const [number, outage] of outages.filter(({ name }) => name.includes(asked)).entries())
      isMet = (await measureOne(stage, outage, number)) && isMet;
    return isMet;
  },
});
