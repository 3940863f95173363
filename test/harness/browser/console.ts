// The console in Chromium: signed in, and watched for errors.

import type { TestContext } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { until } from '../until.ts';
import { openBrowser } from './browser.ts';
import type { Plant } from './plant.ts';

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
  plant: Plant,
  { path = '/alarms', user = 'admin', theme = 'light', prepare, ...options }: ConsoleOptions = {},
): Promise<Console> {
  const context = await openBrowser(t, { viewport: { width: 1440, height: 900 }, locale: 'en-GB', ...options });
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
  await page.locator('input[name=password]').fill(plant.password);
  await page.locator('button[type=submit]').click();
  await page.locator('[data-link=live]').waitFor({ state: 'attached' });
  return { page, complaints };
}

/** The rows of the alarm list in the order of the screen, by the text of their messages. */
export function rowOf(page: Page, text: string): Locator {
  return page.locator('[role=row][data-id]', { hasText: text });
}

/** Waits for a condition in the page; not `waitForFunction`, which the content security policy refuses. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await until(() => page.evaluate(expression), Boolean);
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
