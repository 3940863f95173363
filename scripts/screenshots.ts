// Writes pictures of every screen of the console with the demo plant, in every theme and in the size of a phone:
// `npm run screenshots`, or `npm run screenshots -- FOLDER`.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { password, type Subject, startTocsin } from '../bench/server.ts';
import { currentConsole } from '../bin/build-console.mjs';

type Look = { readonly name: string; readonly theme: string; readonly options: BrowserContextOptions };

const desk = { viewport: { width: 1440, height: 900 }, deviceScaleFactor: 2 } as const;
const looks: readonly Look[] = [
  { name: 'light', theme: 'light', options: desk },
  { name: 'dark', theme: 'dark', options: desk },
  { name: 'high-contrast', theme: 'high-contrast', options: desk },
  {
    name: 'phone',
    theme: 'dark',
    options: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
  },
];

async function send<T>(subject: Subject, method: string, path: string): Promise<T> {
  const headers = { authorization: `Bearer ${subject.token}` };
  const response = await fetch(`${subject.url}/api/v1/${path}`, { method, headers });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function openPage(browser: Browser, { theme, options }: Look): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  await page.addInitScript(`localStorage.setItem('tocsin.theme', '${theme}')`);
  return page;
}

async function signIn(page: Page): Promise<void> {
  await page.locator('input[name=username]').fill('admin');
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.locator('[data-link=live]').waitFor({ state: 'attached' });
}

/** Waits until what a screen has asked for is there, and fonts are drawn. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(() => undefined);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** The screens by name; `show` goes further than the address. */
function screensOf(alarmId: number): readonly { name: string; path: string; show?: (page: Page) => Promise<void> }[] {
  return [
    { name: 'alarms', path: '/alarms' },
    { name: 'alarm', path: `/alarms?id=${alarmId}` },
    { name: 'mask', path: `/alarms?id=${alarmId}&ask=mask` },
    { name: 'history', path: '/history' },
    {
      name: 'palette',
      path: '/history',
      show: async (page) => {
        await page.keyboard.press('Control+k');
        const palette = page.getByRole('dialog');
        await palette.getByRole('combobox').fill('p-10');
        await palette.getByRole('option').first().waitFor();
      },
    },
    { name: 'statistics', path: '/statistics?period=week' },
    { name: 'on-call', path: '/oncall' },
    { name: 'calls', path: '/calls' },
    { name: 'phones', path: '/phones' },
    { name: 'system', path: '/system' },
  ];
}

async function take(page: Page, folder: string, name: string): Promise<void> {
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(join(folder, `${name}.png`));
}

async function takeEmpty(browser: Browser, subject: Subject, folder: string): Promise<void> {
  for (const look of looks) {
    const page = await openPage(browser, look);
    await page.goto(subject.url);
    await page.locator('input[name=username]').waitFor();
    await settle(page);
    await take(page, folder, `sign-in-${look.name}`);
    await signIn(page);
    await settle(page);
    await take(page, folder, `first-start-${look.name}`);
    await page.context().close();
  }
}

async function takePlant(browser: Browser, subject: Subject, folder: string, alarmId: number): Promise<void> {
  for (const look of looks) {
    const page = await openPage(browser, look);
    await page.goto(subject.url);
    await signIn(page);
    for (const { name, path, show } of screensOf(alarmId)) {
      await page.goto(`${subject.url}${path}`);
      await settle(page);
      await show?.(page);
      await take(page, folder, `${name}-${look.name}`);
    }
    await page.context().close();
  }
}

async function takeStale(browser: Browser, subject: Subject, folder: string): Promise<void> {
  for (const look of looks) {
    const page = await openPage(browser, look);
    await page.goto(subject.url);
    await signIn(page);
    await settle(page);
    await page.context().setOffline(true);
    await page.clock.install();
    await page.clock.fastForward(84_000);
    await page
      .getByText(/^No news since/)
      .first()
      .waitFor({ state: 'attached' });
    await take(page, folder, `no-news-${look.name}`);
    await page.context().close();
  }
}

const folder = process.argv[2] ?? 'screenshots';
await mkdir(folder, { recursive: true });
await currentConsole();
const data = await mkdtemp(join(tmpdir(), 'tocsin-screenshots-'));
const subject = await startTocsin('tocsin', data, undefined, { settings: { TOCSIN_TIME_ZONE: 'Europe/Paris' } });
const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  await takeEmpty(browser, subject, folder);
  const { alarmId } = await send<{ alarmId: number }>(subject, 'POST', 'demo');
  const isCalled = async () =>
    (await send<{ calls?: readonly unknown[] }>(subject, 'GET', `alarms/${alarmId}`)).calls?.length !== 0;
  while (!(await isCalled())) await new Promise((done) => setTimeout(done, 500));
  await takePlant(browser, subject, folder, alarmId);
  await takeStale(browser, subject, folder);
} finally {
  await browser.close();
  subject.process.kill();
  await once(subject.process, 'exit');
  await rm(data, { recursive: true, force: true });
}
