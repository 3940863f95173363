// The console in a page whose time passes only as a test says, behind a link that the test lets fail.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { until } from '../../until.ts';
import { openBrowser } from '../browser.ts';
import type { Plant } from '../plant.ts';
import { FaultyLink } from './faulty-link.ts';
import { isUnread } from './judge.ts';
import { type Look, steppedFrom } from './page-clock.ts';
import { comparable } from './texts.ts';

/** The page draws, and what it asks for at once is answered. */
const drawMs = 300;
const longStepMs = 5_000;
const looksAtMost = 40;
/** In pauses between looks, each of which takes much longer. */
const patienceMs = 500;

export type Tone = { readonly hertz: number; readonly at: number };

export class SteppedConsole {
  readonly page: Page;
  readonly link: FaultyLink;

  constructor(page: Page, link: FaultyLink) {
    this.page = page;
    this.link = link;
  }

  /** Opens the address as a fresh page, which the browser lets sound. */
  async load(path: string): Promise<void> {
    // The pointer is where it enters nothing.
    await this.page.mouse.move(1430, 4);
    await this.page.goto(this.link.url + path);
    await this.page.mouse.click(1430, 4);
    await this.settle();
  }

  isAt(path: string): boolean {
    return this.page.url() === this.link.url + path;
  }

  /** Time passes, and what the server is asked for meanwhile is answered; its answers come at the ends of the steps. */
  async pass(ms: number, stepMs = longStepMs): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      const step = Math.min(stepMs, left);
      this.link.pass(step);
      await this.page.evaluate(`stepBy(${step})`);
      await this.#answered();
    }
  }

  /** Lets the page draw until it shows the same twice and nothing is under way. */
  async settle(): Promise<readonly string[]> {
    let before: readonly string[] = [];
    for (let look = 0; look < looksAtMost; look++) {
      this.link.pass(drawMs);
      const { lines, pending } = await this.page.evaluate<Look>(`lookAfter(${drawMs})`);
      const isAnswered = pending === this.link.held && this.link.underWay === 0;
      if (isAnswered && lines.join('\n') === before.join('\n')) return comparable(lines);
      before = lines;
      if (!isAnswered) await this.#answered();
    }
    return comparable(before);
  }

  /** Waits until all is read and the link is live, as it becomes without faults; returns what is shown then. */
  untilRead(): Promise<readonly string[]> {
    return until(
      async () => {
        const shown = await this.settle();
        return (await this.liveAt()) > 0 && !shown.some(isUnread) ? shown : [];
      },
      (shown) => shown.length > 0,
      patienceMs,
    );
  }

  /** Loses the hub for an instant, and reads everything again. */
  async readAgain(): Promise<readonly string[]> {
    const { joined } = this.link;
    this.link.cutHub();
    await until(
      async () => {
        await this.settle();
        return this.link.joined;
      },
      (now) => now > joined,
      patienceMs,
    );
    return this.untilRead();
  }

  async signIn(password: string): Promise<void> {
    const name = this.page.locator('input[name=username]');
    if (await name.isEditable()) await name.fill('admin');
    await this.page.locator('input[name=password]').fill(password);
    await this.page.locator('button[type=submit]').click();
    await this.settle();
  }

  /** The time of the page. */
  now(): Promise<number> {
    return this.page.evaluate('Date.now()');
  }

  tones(): Promise<readonly Tone[]> {
    return this.page.evaluate('heard');
  }

  /** Since when the link is live; 0: it is not. */
  liveAt(): Promise<number> {
    return this.page.evaluate('liveAt');
  }

  /** What the page has asked for is answered, but for what the link holds back; none of its time passes. */
  async #answered(): Promise<void> {
    await until(
      async () => {
        while (this.link.underWay > 0) await pause(1);
        return (await this.page.evaluate<number>('pending')) - this.link.held;
      },
      (unanswered) => unanswered === 0,
    );
  }
}

export async function openStepped(t: TestContext, plant: Plant, now: number): Promise<SteppedConsole> {
  const [link, context] = await Promise.all([
    FaultyLink.open(t, plant.url),
    openBrowser(t, {
      viewport: { width: 1440, height: 900 },
      locale: 'en-GB',
      timezoneId: 'Europe/Paris',
      serviceWorkers: 'block',
      // What blinks is drawn all the time.
      reducedMotion: 'reduce',
    }),
  ]);
  const page = await context.newPage();
  await page.addInitScript(steppedFrom(now));
  await page.addInitScript(`localStorage.setItem('tocsin.theme', 'light')`);
  const opened = new SteppedConsole(page, link);
  await opened.load('/alarms');
  await opened.signIn(plant.password);
  assert.ok((await opened.untilRead()).length > 0);
  return opened;
}
