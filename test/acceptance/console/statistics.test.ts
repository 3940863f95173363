// The statistics in a real browser: figures that are right, a flood found and explained, and what leads from them to the history.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole } from '../../harness/browser/console.ts';
import { type Plant, startPlant } from '../../harness/browser/plant.ts';
import { until } from '../../harness/until.ts';

const skip = withoutBrowser();

/** Raises twelve alarms at once, eight of them in one station, and another one there six times, of which five are taken. */
async function fillHistory(plant: Plant): Promise<void> {
  const lift = await plant.call<number>('POST', 'stations', { name: 'Lift station 4' });
  const flood = Array.from({ length: 12 }, (_, index) => ({
    path: `Trip ${index}`,
    alarmMessage: `Pump ${index} tripped`,
    priority: 1 + (index % 4),
    ...(index < 8 ? { stationId: lift } : {}),
  }));
  await plant.call('POST', 'alarms/batch', flood);
  for (let time = 0; time < 6; time++) {
    const alarm = { path: 'Well', alarmMessage: '=1+1 Wet well level high', priority: 3, stationId: lift };
    const id = await plant.call<number>('POST', 'alarms', alarm);
    if (time < 5) await plant.call('POST', `alarms/${id}/acknowledge`, {});
    await plant.call('POST', 'alarms', { ...alarm, raised: false });
  }
}

async function showsFigure(page: Page, name: string, wished: RegExp): Promise<void> {
  const figure = page.locator('dl > div', { hasText: name }).locator('dd');
  const text = async () => (await figure.innerText()).replaceAll(/\s+/g, ' ');
  await until(text, (shown) => wished.test(shown));
}

test('figures are right, the flood is explained, rows and people lead to the history, tables are downloaded and printed', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await fillHistory(plant);
  const { page, complaints } = await openConsole(t, plant, { path: '/statistics?period=24h' });
  const chart = page.getByRole('slider');
  await chart.getByText('14 of them from Lift station 4').waitFor();
  await page.getByText('none went unanswered').waitFor();
  await showsFigure(page, 'Alarms raised', /^18 none in the day before/);
  await showsFigure(page, 'Taken by a person', /^5 of 18 13 were not/);
  await showsFigure(page, 'Reaction, mean', /^\d:\d\d min priority 1: too few/);
  await showsFigure(page, 'Time in flood', /one flood$/);

  await chart.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowRight');
  assert.match((await chart.getAttribute('aria-valuetext')) ?? '', /\d alarms/);

  const frequent = page.getByRole('region', { name: 'Ten most frequent' });
  assert.match(await frequent.getByRole('listitem').first().innerText(), /Wet well level high\s+6\s+33 %/);
  await frequent.getByRole('link', { name: /Wet well/ }).click();
  await page.getByRole('button', { name: 'Export 6 rows' }).waitFor();
  assert.match(page.url(), /\/history\?.*alarm=\d+/);
  await page.goBack();

  await page.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Alarms as CSV' }).click(),
  ]);
  const [head, first] = (await readFile(await download.path(), 'utf8')).split('\r\n');
  assert.match(head ?? '', /^\ufeff"id","tagName","message","priority","code","failureNumber",/);
  assert.match(first ?? '', /^\d+,"Well","'=1\+1 Wet well level high",3,0,6,/);

  await page.getByRole('tab', { name: /^People 1/ }).click();
  await page.getByRole('cell', { name: 'admin' }).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Names of people: shown' }).click();
  await page.getByRole('cell', { name: 'Person 1' }).waitFor();
  assert.equal(await page.getByText('admin').count(), 0);
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('button', { name: 'Names of people: left out' }).click();
  await page.getByRole('link', { name: 'admin' }).click();
  await page.getByRole('button', { name: 'Export 5 rows' }).waitFor();
  await page.goBack();
  await page.emulateMedia({ media: 'print' });
  await page.getByText(/^Printed /).waitFor();
  await page.getByText(/Statistics · .* \(Europe\/Paris\)$/).waitFor();
  assert.equal(await page.getByRole('navigation').isVisible(), false);
  assert.equal(await page.getByRole('button', { name: 'Export' }).isVisible(), false);
  assert.deepEqual(complaints, []);
});
