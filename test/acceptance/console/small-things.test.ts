// Small things that were found from outside, each as somebody meets it in a real browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole, rowOf, untilTrue } from '../../harness/browser/console.ts';
import { type Plant, startPlant } from '../../harness/browser/plant.ts';

const skip = withoutBrowser();
const allDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** A group in which nobody has the duty by night. */
async function gapByNight(plant: Plant, name: string): Promise<void> {
  const numbers = [{ channel: 'simulator', address: '+33123450001' }];
  const userId = await plant.call<number>('POST', 'users', { name: `person of ${name}`, numbers });
  const teamId = await plant.call<number>('POST', 'teams', { name, members: [{ userId }] });
  const weekly = [{ teamId, days: allDays, from: '08:00', to: '18:00' }];
  const scheduleId = await plant.call<number>('POST', 'schedules', { name, weekly });
  await plant.call('POST', 'callgroups', { name, teamIds: [teamId], scheduleId });
}

test('L14: Ctrl+Enter sends a comment', { skip }, async (t) => {
  const plant = await startPlant(t);
  await plant.call('POST', 'alarms', { path: 'Pump', alarmMessage: 'Pump is hot', priority: 1, raised: true });
  const { page } = await openConsole(t, plant);
  await rowOf(page, 'Pump is hot').click();
  await page.getByRole('complementary').getByRole('button', { name: 'Comment' }).click();
  const field = page.getByRole('textbox', { name: 'Write a comment' });
  await field.fill('valve opened');
  await field.press('Control+Enter');
  await page.getByRole('complementary').getByText('Comment: valve opened').waitFor();
});

test('L14: the sources that the history offers have each a name of their own', { skip }, async (t) => {
  const plant = await startPlant(t);
  for (const name of ['North', 'South']) await plant.call('POST', 'stations', { name });
  const { page, complaints } = await openConsole(t, plant, { path: '/history' });
  const options = page.getByRole('combobox', { name: 'Data server' }).locator('option');
  await options.filter({ hasText: 'South' }).first().waitFor({ state: 'attached' });
  const names = await options.allInnerTexts();
  assert.deepEqual([...new Set(names)], names);
  for (const name of ['API · North', 'API · South']) assert.ok(names.includes(name), names.join());
  // Every heading that is read aloud has a text.
  const heads = await page.getByRole('columnheader').allTextContents();
  assert.ok(heads.length >= 8 && !heads.includes(''), heads.join());
  assert.deepEqual(complaints, []);
});

test('L14: the first Tab leads past the rail to the list', { skip }, async (t) => {
  const plant = await startPlant(t);
  await plant.call('POST', 'alarms', { path: 'Pump', alarmMessage: 'Pump is hot', priority: 1, raised: true });
  const { page } = await openConsole(t, plant);
  await rowOf(page, 'Pump is hot').waitFor();
  await page.evaluate('document.activeElement?.blur()');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Skip to the list' }).waitFor();
  await page.keyboard.press('Enter');
  await untilTrue(page, "document.activeElement.getAttribute('role') === 'grid'");
});

test('L14: the duty is taken for 2 h, with times of 24 hours in a browser of the United States', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await gapByNight(plant, 'Pumps');
  const { page } = await openConsole(t, plant, { path: '/oncall', locale: 'en-US' });
  await page.getByRole('button', { name: 'Take the duty' }).first().click();
  const dialog = page.getByRole('dialog');
  const until = dialog.getByRole('group', { name: 'Until' });
  await dialog.getByRole('group', { name: 'From' }).getByLabel('Date').fill('2030-01-01');
  await dialog.getByRole('group', { name: 'From' }).getByLabel('Time').fill('21:30');
  await dialog.getByRole('button', { name: '2 h', exact: true }).click();
  assert.equal(await until.getByLabel('Time').inputValue(), '23:30');
  assert.equal(await until.getByLabel('Date').inputValue(), '2030-01-01');
  await until.getByLabel('Time').fill('25:00');
  assert.equal(await until.locator('input[type=text]:invalid').count(), 1);
  assert.equal(await dialog.locator('input[type="datetime-local"]').count(), 0);
});

test('L14: the banner does not cut off how many more groups there are', { skip }, async (t) => {
  const plant = await startPlant(t);
  for (const name of ['Pumps of the north', 'Electrical of the north', 'Process', 'Water', 'Heat'])
    await gapByNight(plant, name);
  const { page } = await openConsole(t, plant);
  const more = page.getByRole('banner').getByText('+3', { exact: true });
  for (const width of [1440, 1360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const box = await more.boundingBox();
    const edge = await page
      .getByRole('banner')
      .getByRole('link')
      .filter({ has: page.getByText('+3', { exact: true }) })
      .boundingBox();
    assert.ok(box !== null && edge !== null && box.x + box.width <= edge.x + edge.width, `${width}`);
  }
});

test('M13: System does not say that nothing needs you while nobody is on call at some time', { skip }, async (t) => {
  const plant = await startPlant(t);
  await gapByNight(plant, 'Pumps');
  const { page } = await openConsole(t, plant, { path: '/system' });
  const card = page.getByRole('region', { name: 'What needs you' });
  await card.getByText(/^Nobody is on call for Pumps/).waitFor();
  assert.equal(await card.getByText(/^Nothing\./).count(), 0);
  await card.getByRole('link', { name: /Pumps/ }).click();
  await page.getByRole('main').getByText('Nobody is on call for Pumps').first().waitFor();
});

test('M13: "No source has sent anything" does not stand beside the alarms of a demo plant', { skip }, async (t) => {
  const plant = await startPlant(t);
  await plant.call('POST', 'demo');
  const { page } = await openConsole(t, plant, { path: '/system' });
  const card = page.getByRole('region', { name: 'Sources' });
  await card
    .getByText(/a demo plant makes its own|ago/)
    .first()
    .waitFor();
  assert.equal(await card.getByText('No source has sent anything yet.').count(), 0);
});

test('L15: an address that does not exist is said not to, in the frame and with the nearest screen, and is 404', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  const { page } = await openConsole(t, plant);
  const response = await page.goto(`${plant.url}/on-call`);
  assert.equal(response?.status(), 404);
  assert.match(String(response?.headers()['content-type']), /text\/html/);
  await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
  await page.locator('[data-link=live]').waitFor({ state: 'attached' });
  await page.locator('main').getByRole('link', { name: 'On call' }).click();
  await page.getByRole('heading', { name: 'On call' }).first().waitFor();
  assert.match(page.url(), /\/oncall$/);
  // A program is answered as before, and so is what is below the interface.
  const asked = (path: string, accept: string) => fetch(`${plant.url}${path}`, { headers: { accept } });
  const json = await asked('/on-call', 'application/json');
  assert.deepEqual([json.status, json.headers.get('content-type')], [404, 'application/problem+json']);
  assert.equal((await asked('/api/v1/nothing', 'text/html')).status, 401);
});
