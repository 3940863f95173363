// Measures the console in Chromium: first load, 10,000 rows, keys in a flood, and 500 alarms a second for 30 s: `npm run bench:console`.

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Browser, chromium, type Page } from 'playwright-core';
import { currentConsole } from '../bin/build-console.mjs';
import { processesBelow } from '../test/harness/server/child-processes.ts';
import { runBench, signalsAreOurs } from './run-bench.ts';
import { password, type Subject, startTocsin } from './server.ts';

/** `npm run bench:console rows` leaves out the storm. */
const isShort = process.argv[2] === 'rows';
const rows = 10_000;
const perSecond = 500;
const seconds = 30;
const batchSize = 50;
const scrollFrames = 300;
const floodPerSecond = 50;
const floodSeconds = 15;
const keyEveryMs = 250;

type Frames = { readonly count: number; readonly longest: number; readonly late: number; readonly mean: number };

/** Records the time between frames until `endFrames` is called; a frame is late after 2 of 60 a second. */
const frameRecorder = `
  globalThis.gaps = [];
  globalThis.isRecording = true;
  let last = performance.now();
  const onFrame = (now) => {
    gaps.push(now - last);
    last = now;
    if (isRecording) requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);
`;
const framesRecorded = `(() => {
  isRecording = false;
  const own = gaps.slice(1);
  return {
    count: own.length,
    longest: Math.max(...own),
    late: own.filter((gap) => gap > 34).length,
    mean: own.reduce((sum, gap) => sum + gap, 0) / own.length,
  };
})()`;

function shown({ count, longest, late, mean }: Frames): string {
  return `${count} frames, ${(1000 / mean).toFixed(0)} a second, longest ${longest.toFixed(0)} ms, ${late} over 34 ms`;
}

/** The processor time of the thread that draws the page, on Linux; 0 elsewhere. It is told because a busy machine costs frames, too. */
function drawingMs(): number {
  const times = processesBelow(process.pid)
    .filter(({ command }) => command.includes('--type=renderer'))
    .map(({ pid }) => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000_000);
  return Math.max(0, ...times);
}

async function send(subject: Subject, path: string, body: unknown): Promise<void> {
  const response = await fetch(`${subject.url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${subject.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

const alarmOf = (prefix: string, number: number) => ({
  path: `${prefix}/${number}`,
  alarmMessage: `${prefix} ${number}: level high`,
  value: `${number % 100} %`,
  priority: 1 + (number % 4),
});

/** Opens the sign-in, and then the list of alarms; prints how much was loaded and how long it took. */
async function firstLoad(page: Page, url: string): Promise<void> {
  const loaded = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    const type = response.headers()['content-type'] ?? '';
    if (!/javascript|css|html/.test(type) || response.url().includes('/api/')) return;
    loaded.set(
      response.url(),
      response.body().then(
        (bytes) => gzipSync(bytes).length,
        () => 0,
      ),
    );
  });
  const startedAt = performance.now();
  await page.goto(url);
  await page.locator('input[name=username]').waitFor();
  const signInMs = performance.now() - startedAt;
  await page.locator('input[name=username]').fill('admin');
  await page.locator('input[name=password]').fill(password);
  const submittedAt = performance.now();
  await page.locator('button[type=submit]').click();
  await page.locator('[data-link=live]').waitFor({ state: 'attached' });
  await page.getByRole('searchbox').waitFor();
  const listMs = performance.now() - submittedAt;
  const bytes = (await Promise.all(loaded.values())).reduce((sum, size) => sum + size, 0);
  console.log(
    `first load: sign-in after ${signInMs.toFixed(0)} ms, list ${listMs.toFixed(0)} ms after it; ` +
      `${(bytes / 1024).toFixed(0)} KB gzipped of scripts, styles and page in ${loaded.size} files (bar 300)`,
  );
}

async function manyRows(page: Page, subject: Subject): Promise<void> {
  for (let from = 0; from < rows; from += 500) {
    const batch = Array.from({ length: 500 }, (_, index) => ({ ...alarmOf('Row', from + index), raised: true }));
    await send(subject, 'alarms/batch', batch);
  }
  const startedAt = performance.now();
  await page.reload();
  await page.getByText(`${rows} alarms`).waitFor({ timeout: 120_000 });
  console.log(`10,000 rows: all read and shown ${(performance.now() - startedAt).toFixed(0)} ms after a reload`);
  await scroll(page);
}

/** Scrolls as a wheel does, ten rows a frame: the script asks for no layout. */
async function scroll(page: Page): Promise<void> {
  await page.mouse.move(700, 500);
  const session = await page.context().newCDPSession(page);
  await page.evaluate(frameRecorder);
  const before = drawingMs();
  for (let frame = 0; frame < scrollFrames; frame++) {
    const wheel = { type: 'mouseWheel', x: 700, y: 500, deltaX: 0, deltaY: 400 } as const;
    await session.send('Input.dispatchMouseEvent', wheel);
  }
  const each = (drawingMs() - before) / scrollFrames;
  const frames = (await page.evaluate(framesRecorded)) as Frames;
  console.log(
    `  scrolling 10 rows a frame: ${shown(frames)}; ${each.toFixed(1)} ms of processor time for each ten rows`,
  );
  await session.detach();
}

/** Records how long keys take from the press to the frame after it; the browser tells of those above 16 ms. */
const keyRecorder = `
  globalThis.keyTimes = [];
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) if (name === 'keydown') keyTimes.push(duration);
  }).observe({ type: 'event', durationThreshold: 16 });
`;

/** Moves the focus through the list by key while alarms come. */
async function keysInFlood(page: Page, subject: Subject): Promise<void> {
  await page.locator('[role=grid]').focus();
  await page.evaluate(keyRecorder);
  await page.evaluate(frameRecorder);
  const before = drawingMs();
  const endsAt = performance.now() + floodSeconds * 1_000;
  const flood = async (): Promise<void> => {
    for (let sent = 0; performance.now() < endsAt; sent += floodPerSecond / 10) {
      const begunAt = performance.now();
      const batch = Array.from({ length: floodPerSecond / 10 }, (_, index) => ({
        ...alarmOf('Flood', sent + index),
        raised: true,
      }));
      await send(subject, 'alarms/batch', batch);
      await pause(Math.max(0, 100 - (performance.now() - begunAt)));
    }
  };
  let pressed = 0;
  const press = async (): Promise<void> => {
    for (; performance.now() < endsAt; pressed++) {
      await page.keyboard.press('ArrowDown');
      await pause(keyEveryMs);
    }
  };
  await Promise.all([flood(), press()]);
  const frames = (await page.evaluate(framesRecorded)) as Frames;
  const times = ((await page.evaluate('keyTimes')) as number[]).toSorted((one, other) => one - other);
  const shortest = Array.from({ length: Math.max(0, pressed - times.length) }, () => 16);
  const all = [...shortest, ...times];
  const at = (share: number): number => all[Math.floor((all.length - 1) * share)] ?? 0;
  const busy = (drawingMs() - before) / floodSeconds / 10;
  console.log(
    `${floodPerSecond} alarms a second above 10,000 rows: ${shown(frames)}; the page is busy ${busy.toFixed(0)} %`,
  );
  console.log(`  ${pressed} keys, to the frame: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms (bar 100)`);
}

async function usedMegabytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1024 / 1024;
}

/** Raises alarms on 1,000 tags and lets them return in turn, so that the list does not grow without end. */
async function storm(page: Page, subject: Subject): Promise<void> {
  const before = await usedMegabytes(page);
  await page.evaluate(frameRecorder);
  const startedAt = performance.now();
  let sent = 0;
  while (performance.now() - startedAt < seconds * 1000) {
    const dueMs = (sent / perSecond) * 1000 - (performance.now() - startedAt);
    if (dueMs > 0) await pause(dueMs);
    const from = sent;
    const isRaise = Math.floor(from / 1000) % 2 === 0;
    const batch = Array.from({ length: batchSize }, (_, index) => ({
      ...alarmOf('Storm', (from + index) % 1000),
      raised: isRaise,
    }));
    await send(subject, 'alarms/batch', batch);
    sent += batchSize;
  }
  const tookSeconds = (performance.now() - startedAt) / 1000;
  const frames = (await page.evaluate(framesRecorded)) as Frames;
  const raisedAt = performance.now();
  await send(subject, 'alarms', { path: 'Last', alarmMessage: 'The last one', priority: 1, raised: true });
  await page.getByText('The last one').first().waitFor({ state: 'attached' });
  console.log(`${(sent / tookSeconds).toFixed(0)} alarms a second for ${tookSeconds.toFixed(0)} s: ${shown(frames)}`);
  console.log(`  the next alarm is on screen ${(performance.now() - raisedAt).toFixed(0)} ms after it was sent`);
  console.log(
    `  memory of scripts: ${before.toFixed(0)} MB before, ${(await usedMegabytes(page)).toFixed(0)} MB after`,
  );
}

async function measure(browser: Browser, subject: Subject): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();
  // Without an alarm the first start would be shown in place of the list.
  await send(subject, 'alarms', { ...alarmOf('Row', 0), raised: true });
  await firstLoad(page, subject.url);
  await manyRows(page, subject);
  await keysInFlood(page, subject);
  if (!isShort) await storm(page, subject);
  await context.close();
}

await runBench({
  needs: ['chromium'],
  async measure(folder) {
    await currentConsole();
    const subject = await startTocsin('tocsin', folder);
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-smooth-scrolling'],
      ...signalsAreOurs,
    });
    try {
      await measure(browser, subject);
      return true;
    } finally {
      await browser.close();
      subject.process.kill();
      await once(subject.process, 'exit');
    }
  },
});
