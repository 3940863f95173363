// What was tried, in a real browser: for which alarm, in a period of one's own, on a phone, and what leads to the occurrence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole } from '../../harness/browser/console.ts';
import { nightOf } from '../../harness/browser/night.ts';
import { startPlant } from '../../harness/browser/plant.ts';

const skip = withoutBrowser();

test('M11: what was tried says for which alarm, and a row opens the occurrence at that attempt', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  const night = await nightOf(plant);
  const { page, complaints } = await openConsole(t, plant, { path: '/calls' });
  const tried = page.getByRole('region', { name: 'What was tried' });
  const declined = tried.getByRole('row').filter({ hasText: 'declined' });
  assert.match(await declined.innerText(), new RegExp(`${night.text}.*Ana`, 's'));
  // Anywhere in the row, not on its link alone.
  await declined.getByText('declined').click({ force: true });
  await page.waitForURL(`${plant.url}/occurrence?id=${night.first}#attempt-${night.attempts[0]}`);
  await page.locator('tr[data-meant]').getByText('Ana').waitFor();
  assert.deepEqual(complaints, []);
});

test('M11: what was tried takes a period from a time to a time', { skip }, async (t) => {
  const plant = await startPlant(t);
  await nightOf(plant);
  const { page } = await openConsole(t, plant, { path: '/calls?since=3h' });
  const tried = page.getByRole('region', { name: 'What was tried' });
  await tried.getByRole('row').filter({ hasText: 'declined' }).waitFor();
  const choose = async (from: string, to: string): Promise<void> => {
    await page.locator('main button[aria-expanded]').click();
    await page.getByLabel('From', { exact: true }).fill(from);
    await page.getByLabel('To', { exact: true }).fill(to);
    await page.getByRole('button', { name: 'Show this time' }).click();
  };
  await choose('2020-01-01T00:00', '2020-01-02T00:00');
  await tried.getByText('Nothing was tried in this time.').waitFor();
  assert.match(page.url(), /calls\?from=2019-12-31T23.*&to=2020-01-01T23/, 'in the zone of the plant');
  await choose('2020-01-01T00:00', '2099-01-02T00:00');
  await tried.getByRole('row').filter({ hasText: 'declined' }).waitFor();
});

test('M11: what was tried is no wider than the window of a phone', { skip }, async (t) => {
  const plant = await startPlant(t);
  const night = await nightOf(plant);
  const { page } = await openConsole(t, plant, {
    path: '/calls',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  });
  const tried = page.getByRole('region', { name: 'What was tried' });
  await tried.getByText('declined').waitFor();
  const widest =
    "Math.max(...[...document.querySelectorAll('main section *')].map((one) => one.getBoundingClientRect().right))";
  assert.ok(Number(await page.evaluate(widest)) <= 390);
  const scrolls =
    "[...document.querySelectorAll('main *')].some((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX === 'auto')";
  assert.equal(await page.evaluate(scrolls), false);
  for (const text of [night.text, 'Bo', 'acknowledged'])
    assert.ok(await tried.getByText(text).first().isVisible(), text);
  await page.getByRole('button', { name: 'From – to…' }).click();
  const box = await page.getByRole('button', { name: 'Show this time' }).boundingBox();
  assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
});
