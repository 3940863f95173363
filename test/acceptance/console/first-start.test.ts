// The first start: from an empty installation over a demo plant to an alarm that is taken on a phone, and back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole, rowOf } from '../../harness/browser/console.ts';
import { assertHindersNobody, openLooks } from '../../harness/browser/looks.ts';
import { startPlant } from '../../harness/browser/plant.ts';

const skip = withoutBrowser();

test('Enter makes a demo plant, a phone rings beside the text, 1 takes the alarm, and the plant is removed', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  const { page, complaints } = await openConsole(t, plant);
  const start = page.getByRole('button', { name: 'Start the demo plant' });
  await start.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  const steps = page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2 }) });
  await steps.nth(0).getByText('done').waitFor();
  plant.advance(10_000);
  await steps.nth(1).getByText('calling Ana').waitFor();
  const phone = page.getByRole('complementary', { name: 'Ana’s phone' });
  await phone.getByRole('button', { name: 'Answer' }).click();
  await phone.getByRole('button', { name: /^1/ }).click();
  await phone.getByText('Wet well level very high').waitFor();
  await phone.getByRole('button', { name: /^1/ }).click();
  await steps.nth(1).locator('[data-state="1"]').waitFor();
  await page.getByText(/^It took \d+ s\. Keep the plant, or remove it\.$/).waitFor();
  await page.getByRole('button', { name: 'Keep the plant' }).click();
  await rowOf(page, 'Wet well level very high').and(page.locator('[data-state="1"]')).waitFor();
  assert.match(await rowOf(page, 'Wet well level very high').innerText(), /Ana/);
  await page.goto(`${plant.url}/system`);
  await page.getByRole('button', { name: 'Remove the demo plant' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the demo plant' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.deepEqual(await plant.call('GET', 'demo'), { state: 'none', possible: true });
  await page.goto(`${plant.url}/alarms`);
  await start.waitFor();
  assert.deepEqual(complaints, []);
});

test('the first start hinders nobody: three themes, and the size of a phone', { skip }, async (t) => {
  const plant = await startPlant(t);
  const looks = await openLooks(t, plant);
  for (const page of [looks.desk, looks.phone])
    await page.getByRole('button', { name: 'Start the demo plant' }).waitFor();
  await assertHindersNobody(looks, 'first start');
});
