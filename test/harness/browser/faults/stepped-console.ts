// The console in a page whose time passes only as a test says, behind a link that the test lets fail.

import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { until } from '../../until.ts';
import { openConsole } from '../console.ts';
import type { Plant } from '../plant.ts';
import { FaultyLink } from './faulty-link.ts';
import { isUnread } from './judge.ts';
import { textsIn } from './texts.ts';

/** The page draws, and what it asks for at once is answered. */
const drawMs = 300;
const stepMs = 5_000;
const looksAtMost = 40;
/** In pauses between looks, each of which takes much longer. */
const patienceMs = 500;

/** Runs before the page: timeouts of requests pass with the time of the page, and what sounds and when the link came is noted. */
const prepared = `
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('The time is over.', 'TimeoutError')), ms);
    return controller.signal;
  };
  globalThis.heard = [];
  const { start } = AudioScheduledSourceNode.prototype;
  AudioScheduledSourceNode.prototype.start = function (...when) {
    if (this instanceof OscillatorNode) heard.push({ hertz: this.frequency.value, at: Date.now() });
    return start.apply(this, when);
  };
  globalThis.liveAt = 0;
  new MutationObserver(() => {
    const isLive = document.querySelector('[data-link=live]') !== null;
    liveAt = isLive ? liveAt || Date.now() : 0;
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-link'] });
`;

export type Tone = { readonly hertz: number; readonly at: number };

export class SteppedConsole {
  readonly page: Page;
  readonly link: FaultyLink;
  readonly #plant: Plant;

  constructor(plant: Plant, page: Page, link: FaultyLink) {
    this.#plant = plant;
    this.page = page;
    this.link = link;
  }

  /** Opens the address as a fresh page, which the browser lets sound. */
  async load(path: string): Promise<void> {
    // The pointer is where it enters nothing.
    await this.page.mouse.move(1430, 4);
    await this.page.goto(this.#plant.url + path);
    await this.page.mouse.click(1430, 4);
    await this.settle();
  }

  /** Time passes, and what the server is asked for meanwhile is answered. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      const step = Math.min(stepMs, left);
      this.link.pass(step);
      await this.page.clock.runFor(step);
      await this.#answered();
    }
    await this.settle();
  }

  /** Lets the page draw until it shows the same twice and nothing is under way. */
  async settle(): Promise<readonly string[]> {
    let before: readonly string[] = [];
    for (let look = 0; look < looksAtMost; look++) {
      this.link.pass(drawMs);
      await this.page.clock.runFor(drawMs);
      await this.#answered();
      const now = await textsIn(this.page);
      if (now.join('\n') === before.join('\n') && this.link.underWay === 0) return now;
      before = now;
    }
    return before;
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

  async #answered(): Promise<void> {
    do await pause(2);
    while (this.link.underWay > 0);
  }
}

export async function openStepped(t: TestContext, plant: Plant, now: number): Promise<SteppedConsole> {
  const link = new FaultyLink();
  const prepare = async (page: Page): Promise<void> => {
    await page.addInitScript(prepared);
    await link.attach(page);
  };
  const { page } = await openConsole(t, plant, { prepare, serviceWorkers: 'block', timezoneId: 'Europe/Paris' });
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1_000);
  return new SteppedConsole(plant, page, link);
}
