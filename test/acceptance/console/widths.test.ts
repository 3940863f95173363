// Every view at every width: none is wider than its window, no button is cut off, and on a phone each can be hit with a thumb.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole, rowOf } from '../../harness/browser/console.ts';
import { startPlant } from '../../harness/browser/plant.ts';

const skip = withoutBrowser();
const widths = [320, 390, 639, 720, 1024, 1440, 2560];
const paths = ['/alarms', '/history', '/statistics', '/oncall', '/calls', '/phones', '/system'];
const longest = 'Pression trop élevée dans la conduite principale du bâtiment des pompes numéro sept';

/** Runs in the page: what is beyond the window, or cut off by something that does not scroll; on a phone also what is too small. */
const faults = `(() => {
  const found = new Set();
  const phone = innerWidth < 640;
  const nameOf = (one) => one.tagName + ' ' + (one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 30);
  if (document.documentElement.scrollWidth > innerWidth) found.add('the page is ' + document.documentElement.scrollWidth + ' wide');
  for (const one of document.querySelectorAll('button, a, input, select, [role=tab]')) {
    const box = one.getBoundingClientRect();
    // A text that ends in dots is whole in its title, and a link in a text is as high as its line.
    if (getComputedStyle(one).textOverflow === 'ellipsis' || one.closest('[class*=message]')) continue;
    if (box.width === 0 || box.height === 0 || getComputedStyle(one).visibility === 'hidden' || one.closest('.unseen')) continue;
    let scrolls = false;
    for (let up = one.parentElement; up !== null && !scrolls; up = up.parentElement) {
      const { overflowX, position } = getComputedStyle(up);
      scrolls = overflowX === 'auto' || overflowX === 'scroll';
      const edge = up.getBoundingClientRect();
      if (!scrolls && overflowX !== 'visible' && box.right > edge.right + 1 && box.left < edge.right) found.add(nameOf(one) + ' is cut off');
      if (position === 'fixed') break;
    }
    if (!scrolls && (box.right > innerWidth + 1 || box.left < -1)) found.add(nameOf(one) + ' is beyond the window');
    // What is read aloud only, and what lies over a text, has no width of its own.
    if (one.tagName === 'BUTTON' && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).fontSize !== '0px') found.add(nameOf(one) + ' has a text wider than itself');
    const target = one.closest('label') ?? one;
    const size = target.getBoundingClientRect();
    const isText = getComputedStyle(one).display === 'inline' || (one.tagName === 'A' && one.closest('main')) || one.type === 'checkbox';
    if (phone && !isText && Math.min(size.height, size.width) < 43.5) found.add(nameOf(one) + ' is ' + Math.round(size.width) + ' × ' + Math.round(size.height));
  }
  return [...found];
})()`;

test('M8: no view is wider than its window from 320 to 2560 px, in any language, and phones have targets of 44 px', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await plant.call('POST', 'alarms', { path: longest, alarmMessage: longest, priority: 1, raised: true });
  const found: string[] = [];
  for (const language of ['en', 'fr', 'de']) {
    const { page } = await openConsole(t, plant, { locale: language, hasTouch: true });
    const look = async (view: string): Promise<void> => {
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        const faulty = (await page.evaluate(faults)) as readonly string[];
        found.push(...faulty.map((fault) => `${language} ${view} ${width}: ${fault}`));
      }
    };
    for (const path of paths) {
      await page.locator(`nav a[href$="${path}"]`).click();
      await page.locator('main h1, main [role=grid]').first().waitFor();
      await look(path);
    }
    await page.locator('nav a[href$="/history"]').click();
    await page.getByRole('row').getByRole('link').first().click();
    await page.locator('main section li').first().waitFor();
    await look('occurrence');
    await page.locator('nav a[href$="/alarms"]').click();
    await rowOf(page, longest.slice(0, 20)).click();
    await page.locator('aside header').waitFor();
    await look('panel');
  }
  assert.deepEqual(found, []);
});
