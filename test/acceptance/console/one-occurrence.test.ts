// One occurrence of an alarm in a real browser: its page tells the night as it was, has an address that can be sent, and prints.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole } from '../../harness/browser/console.ts';
import { assertHindersNobody } from '../../harness/browser/looks.ts';
import { nightOf } from '../../harness/browser/night.ts';
import { startPlant } from '../../harness/browser/plant.ts';

const skip = withoutBrowser();

function part(page: Page, name: string) {
  return page.getByRole('region', { name });
}

test('M10: a row of the history opens the occurrence as it was: what happened, who was called when and how, why not the others, who took it', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  const night = await nightOf(plant);
  const { page, complaints } = await openConsole(t, plant, { path: '/history' });
  // The newer occurrence of the same alarm is above it.
  await page.getByRole('row', { name: night.text }).last().getByRole('link').click();
  await page.getByRole('heading', { name: night.text }).waitFor();
  assert.equal(page.url(), `${plant.url}/occurrence?id=${night.first}`);

  const happened = part(page, 'What happened').getByRole('listitem');
  await happened.filter({ hasText: 'Comment: oil topped up' }).waitFor();
  const lines = await happened.allInnerTexts();
  const told = [
    'Raised',
    'Ana: the phone rings',
    'Ana declined',
    'Bo: the phone rings',
    'Acknowledged',
    'Comment',
    'Back',
  ];
  const places = told.map((text) => lines.findIndex((line) => line.includes(text)));
  assert.ok(!places.includes(-1), lines.join('\n'));
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
    lines.join('\n'),
  );
  assert.equal(lines.filter((line) => line.includes('Raised')).length, 1, 'the next raise is another occurrence');

  const called = part(page, 'Who was called');
  const rows = called.getByRole('row');
  assert.equal(await rows.count(), 3, 'heads, Ana and Bo');
  assert.match(await rows.nth(1).innerText(), /Ana\s+.*phone\s+.*\+331 •• •• 001\s+1\s+declined/s);
  assert.match(await rows.nth(2).innerText(), /Bo\s+.*phone\s+.*\+331 •• •• 002\s+1\s+acknowledged/s);
  await called.getByText('Cem: off duty').waitFor();
  await page.getByText(/^after .*, phone, try 1$/).waitFor();
  assert.deepEqual(complaints, []);
});

test('M10: the address of an occurrence opens it after the sign-in, on the attempt that it names', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  const night = await nightOf(plant);
  const path = `/occurrence?id=${night.first}#attempt-${night.attempts[1]}`;
  const { page } = await openConsole(t, plant, { path, permissions: ['clipboard-read', 'clipboard-write'] });
  const meant = page.locator('tr[data-meant]');
  await meant.getByText('Bo').waitFor();
  assert.equal(await meant.count(), 1);
  assert.equal(page.url(), `${plant.url}${path}`);
  await page.getByRole('button', { name: 'Copy the link' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), `${plant.url}${path}`);
});

test('M10: printed, the page is the page alone', { skip }, async (t) => {
  const plant = await startPlant(t);
  const night = await nightOf(plant);
  const { page } = await openConsole(t, plant, { path: `/occurrence?id=${night.first}` });
  await page.getByText('oil topped up').first().waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.getByText(/^Printed /).waitFor();
  assert.equal(await page.getByRole('navigation').isVisible(), false);
  assert.equal(await page.getByText(/by you/).count(), 0, 'who reads the paper is another');
  await part(page, 'What happened').getByText('by admin').first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false);
  assert.equal(await part(page, 'Who was called').isVisible(), true);
});

test('M10: an occurrence that does not exist, and one of another station, are said not to be there', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  const night = await nightOf(plant);
  const stationId = await plant.call<number>('POST', 'stations', { name: 'Elsewhere' });
  await plant.call('POST', 'users', {
    name: 'zoe',
    role: 'observer',
    stationIds: [stationId],
    password: plant.password,
  });
  const { page } = await openConsole(t, plant, { path: `/occurrence?id=${night.first}`, user: 'zoe' });
  await page.getByText('There is no such occurrence, or you may not see it.').waitFor();
  await page.goto(`${plant.url}/occurrence?id=999`);
  await page.getByText('There is no such occurrence, or you may not see it.').waitFor();
  assert.equal(await page.getByRole('navigation').isVisible(), true);
});

test('M10: what cannot be read is said, and read as soon as it can be', { skip }, async (t) => {
  const plant = await startPlant(t);
  const night = await nightOf(plant);
  let isDown = true;
  const { page } = await openConsole(t, plant, {
    path: `/occurrence?id=${night.first}`,
    prepare: (one) =>
      one.route('**/api/v1/occurrences/*', (route) => (isDown ? route.fulfill({ status: 503 }) : route.continue())),
  });
  await page.getByText('This could not be read.').waitFor();
  await page.getByText('Part of this screen could not be read.').waitFor();
  isDown = false;
  await page.getByRole('heading', { name: night.text }).waitFor();
});

test('M10: the page hinders nobody', { skip }, async (t) => {
  const plant = await startPlant(t);
  const night = await nightOf(plant);
  const still = {
    reducedMotion: 'reduce',
    path: `/occurrence?id=${night.first}#attempt-${night.attempts[1]}`,
  } as const;
  const desk = await openConsole(t, plant, still);
  const phone = await openConsole(t, plant, { ...still, viewport: { width: 390, height: 844 }, theme: 'dark' });
  for (const { page } of [desk, phone]) await part(page, 'Who was called').getByText('Cem').waitFor();
  await assertHindersNobody({ desk: desk.page, phone: phone.page }, 'one occurrence');
});
