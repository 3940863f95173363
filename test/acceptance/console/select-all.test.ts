// Selecting what the filter says, in a real browser: more than is on screen, with its count, and confirmed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole } from '../../harness/browser/console.ts';
import { type Plant, startPlant } from '../../harness/browser/plant.ts';
import { until } from '../../harness/until.ts';

type Counts = { readonly items: readonly { readonly state: number; readonly path: string }[] };

async function unacknowledged(plant: Plant): Promise<readonly string[]> {
  const { items } = await plant.call<Counts>('GET', 'alarms?limit=1000');
  return items.filter(({ state }) => (state & 2) !== 0).map(({ path }) => path);
}

test('M12: "acknowledge 60" takes all that the filter leaves, not the rows on screen, after its count was confirmed', {
  skip: withoutBrowser(),
}, async (t) => {
  const plant = await startPlant(t);
  const alarm = (path: string) => ({ path, alarmMessage: `${path} is hot`, priority: 2, raised: true });
  const wanted = Array.from({ length: 60 }, (_, index) => alarm(`Pump ${index}`));
  await plant.call('POST', 'alarms/batch', [...wanted, alarm('Valve 1'), alarm('Valve 2')]);
  const { page, complaints } = await openConsole(t, plant, { path: '/alarms?q=pump' });
  await page.getByText('60 of 62').waitFor({ state: 'attached' });
  await page.getByRole('checkbox', { name: 'Select what is on screen of Not acknowledged' }).click({ force: true });
  const bar = page.getByRole('toolbar', { name: /selected$/ });
  const onScreen = Number((await bar.innerText()).match(/^\d+/)?.[0]);
  assert.ok(onScreen > 5 && onScreen < 60, `${onScreen} on screen`);
  await bar.getByRole('button', { name: 'Select all 60 of the filter' }).click();
  await bar.getByRole('button', { name: 'Acknowledge 60' }).click();
  const dialog = page.getByRole('dialog', { name: 'Acknowledge 60' });
  await dialog.waitFor();
  assert.equal((await unacknowledged(plant)).length, 62, 'nothing is acknowledged before it is confirmed');
  await dialog.getByRole('button', { name: 'Acknowledge 60' }).click();
  const left = await until(
    () => unacknowledged(plant),
    (paths) => paths.length <= 2,
  );
  assert.deepEqual([...left].sort(), ['Valve 1', 'Valve 2']);
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
});
