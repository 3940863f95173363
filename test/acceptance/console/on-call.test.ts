// The on-call plan in a real browser: a gap is loud, the duty is taken by keyboard, and plan and banner show who has it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole } from '../../harness/browser/console.ts';
import { type Plant, startPlant } from '../../harness/browser/plant.ts';

const skip = withoutBrowser();
const allDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** Pumps is always Ana's; Process has a schedule that gives the duty to nobody. */
async function twoGroups(plant: Plant): Promise<void> {
  const numbers = [{ channel: 'voice', address: '+33123456789' }];
  const ana = await plant.call<number>('POST', 'users', { name: 'ana', firstName: 'Ana', numbers });
  const team = { name: 'Crew', colour: '#5d6f96', members: [{ userId: ana }] };
  const teamId = await plant.call<number>('POST', 'teams', team);
  const weekly = [{ teamId, days: allDays, from: '00:00', to: '24:00' }];
  const [pumps, process] = [
    await plant.call<number>('POST', 'schedules', { name: 'Pumps programme', weekly }),
    await plant.call<number>('POST', 'schedules', { name: 'Process programme' }),
  ];
  await plant.call('POST', 'callgroups', { name: 'Pumps', teamIds: [teamId], scheduleId: pumps });
  await plant.call('POST', 'callgroups', { name: 'Process', teamIds: [teamId], scheduleId: process });
}

test('a gap is shown as nobody; the duty is taken by keyboard, and the plan, the banner and a reload say so', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await twoGroups(plant);
  const { page, complaints } = await openConsole(t, plant, { path: '/oncall' });
  const row = page.getByRole('row').filter({ hasText: 'Process' });
  const gap = row.getByRole('button', { name: /Nobody/ });
  await gap.waitFor();
  await page.getByText('Nobody is on call for Process').waitFor();
  await page
    .locator('header')
    .getByRole('link', { name: /Process.*nobody/ })
    .waitFor();
  const look = 'getComputedStyle(document.querySelector("[data-kind=nobody][data-block]"))';
  const colours = await page.evaluate(`[${look}.borderTopColor, ${look}.backgroundImage]`);
  assert.match(String(colours), /rgb\(142, 16, 105\).*repeating-linear-gradient/, 'magenta, and hatched');

  await page.keyboard.press('t');
  const dialog = page.getByRole('dialog', { name: 'Take the duty' });
  assert.equal(await dialog.getByLabel('Group').locator('option:checked').innerText(), 'Process', 'who needs it first');
  await page.keyboard.type('Night watch');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  const taken = row.getByRole('button', { name: /you, Night watch/ });
  await taken.waitFor();
  await page
    .locator('header')
    .getByRole('link', { name: /Process you/ })
    .waitFor();

  await taken.focus();
  await page.keyboard.press('Enter');
  const popover = page.getByRole('dialog', { name: /Night watch/ });
  assert.match(await popover.innerText(), /Taken over “Night watch”/);
  await page.keyboard.press('Escape');
  await popover.waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowUp');
  await page
    .locator(':focus')
    .and(page.getByRole('button', { name: /^Pumps, .*Ana, Crew/ }))
    .waitFor();

  await page.getByRole('button', { name: 'Day', exact: true }).click();
  assert.match(page.url(), /view=day/);
  await page.reload();
  await row.getByRole('button', { name: /you, Night watch/ }).waitFor();
  assert.deepEqual(complaints, []);
});
