// What the console shows after a cut, an `offline` of the browser and a change of its user is what is so now.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole } from '../../harness/browser/console.ts';
import { FaultyLink, hubTarget } from '../../harness/browser/faults/faulty-link.ts';
import { startPlant } from '../../harness/browser/plant.ts';

const skip = withoutBrowser();

test('W2, W5: after a short cut of the hub the calls and what was tried are those of now', { skip }, async (t) => {
  const plant = await startPlant(t);
  const numbers = [{ channel: 'simulator', address: '+33123450001' }];
  const ana = await plant.call<number>('POST', 'users', { name: 'ana', numbers });
  const teamId = await plant.call<number>('POST', 'teams', { name: 'Night', members: [{ userId: ana }] });
  const group = await plant.call<number>('POST', 'callgroups', { name: 'Pumps', teamIds: [teamId] });
  const link = await FaultyLink.open(t, plant.url);
  const { page } = await openConsole(t, { ...plant, url: link.url }, { path: '/calls' });
  await page.getByText('Nobody is being called.').waitFor();
  const alarmActions = [{ type: 'CallGroup', id: group }];
  const alarm = { path: 'Pump1', alarmMessage: 'Pump 1 is hot', priority: 1, alarmActions };
  const id = await plant.call<number>('POST', 'alarms', alarm);
  const tried = page.getByRole('region', { name: 'What was tried' });
  await page.locator('main h2', { hasText: 'Pump 1 is hot' }).waitFor();
  await tried.getByRole('row').filter({ hasText: 'in progress' }).waitFor();
  link.begin({ target: hubTarget('connect'), kind: 'cut' });
  link.cutHub();
  await plant.call('POST', `alarms/${id}/acknowledge`, {});
  plant.advance(5_000);
  link.end();
  await page.getByText('Nobody is being called.').waitFor();
  await tried.getByRole('row').filter({ hasText: 'in progress' }).waitFor({ state: 'detached' });
  assert.equal(await tried.getByRole('row').filter({ hasText: 'Pump 1 is hot' }).count(), 1);
});

test('W7: the next user of the browser sees nothing that was read for the former one', { skip }, async (t) => {
  const plant = await startPlant(t);
  await plant.call('POST', 'alarms', { path: 'Pump1', alarmMessage: 'Pump 1 is hot', priority: 1 });
  const stationId = await plant.call<number>('POST', 'stations', { name: 'Elsewhere' });
  const account = { role: 'observer', stationIds: [stationId], password: plant.password };
  await plant.call('POST', 'users', { name: 'bo', ...account });
  const { page } = await openConsole(t, plant, { path: '/history' });
  await page.getByRole('row').filter({ hasText: 'Pump 1 is hot' }).waitFor();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  // Whatever the next one asks for takes its time.
  await page.route(/\/api\/v1\/alarms\/histories/, () => undefined);
  await page.locator('input[name=username]').fill('bo');
  await page.locator('input[name=password]').fill(plant.password);
  await page.locator('button[type=submit]').click();
  await page.locator('[data-link=live]').waitFor({ state: 'attached' });
  await page.getByText('Reading…').first().waitFor();
  assert.equal(await page.getByText('Pump 1 is hot').count(), 0);
});

test('W8: a browser that takes itself for offline goes on reading from a server that answers', { skip }, async (t) => {
  const plant = await startPlant(t);
  const { page } = await openConsole(t, plant);
  await page.evaluate(`{
    Object.defineProperty(navigator, 'onLine', { get: () => false });
    dispatchEvent(new Event('offline'));
  }`);
  await page.getByRole('navigation').getByRole('link', { name: 'System' }).click();
  await page.getByRole('heading', { name: 'Channels' }).waitFor();
});

test('W9: a refusal that comes late in one tab leaves the session that another tab has stored', { skip }, async (t) => {
  const plant = await startPlant(t);
  const { page } = await openConsole(t, plant);
  await page.route(/\/api\/v1\/system/, async (route) => {
    // Meanwhile somebody signs in in another tab, and stays signed in on this machine.
    await page.evaluate(`localStorage.setItem('tocsin.session', JSON.stringify({
      token: 'of-another-tab', name: 'bo', expiresAt: Date.now() + 60_000 }))`);
    await route.fulfill({ status: 401, contentType: 'application/problem+json', json: { status: 401 } });
  });
  await page.getByRole('navigation').getByRole('link', { name: 'System' }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  assert.match(String(await page.evaluate("localStorage.getItem('tocsin.session')")), /of-another-tab/);
});
