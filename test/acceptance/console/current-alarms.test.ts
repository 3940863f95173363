// The list of current alarms in a real browser: it lives, it does not move under the pointer, and it says when it is stale.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole, rowOf, untilTrue } from '../../harness/browser/console.ts';
import { type Plant, startPlant, startPlantProcess } from '../../harness/browser/plant.ts';
import { until } from '../../harness/until.ts';

const skip = withoutBrowser();

function raise(plant: Plant, path: string, priority = 2, raised = true): Promise<number> {
  return plant.call('POST', 'alarms', { path, alarmMessage: path, priority, raised });
}

test('an alarm appears on both consoles; one acknowledges it by keyboard and the other sees who did', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  const one = await openConsole(t, plant);
  const other = await openConsole(t, plant);
  await one.page.getByText('No alarms.').first().waitFor();
  await raise(plant, 'Pump 7 is hot', 1);
  await rowOf(one.page, 'Pump 7 is hot').waitFor();
  await rowOf(other.page, 'Pump 7 is hot').waitFor();
  await one.page.keyboard.press('j');
  await one.page.keyboard.press('a');
  await rowOf(other.page, 'Pump 7 is hot').and(other.page.locator('[data-state="1"]')).waitFor();
  assert.match(await rowOf(other.page, 'Pump 7 is hot').innerText(), /you/);
  const { ackUser } = await plant.call<{ ackUser: string }>('GET', 'alarms/1');
  assert.equal(ackUser, 'admin');
  assert.deepEqual([...one.complaints, ...other.complaints], []);
});

test('H2: a row does not move under the pointer: new alarms wait above until they are asked for', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await raise(plant, 'Filter clogged', 3);
  const { page } = await openConsole(t, plant);
  const row = rowOf(page, 'Filter clogged');
  await row.hover();
  const before = await row.boundingBox();
  await raise(plant, 'Chlorine leak', 1);
  await page.getByRole('button', { name: '1 new above' }).waitFor();
  assert.deepEqual(await row.boundingBox(), before);
  assert.equal(await rowOf(page, 'Chlorine leak').count(), 0);
  await page.getByRole('button', { name: '1 new above' }).click();
  await rowOf(page, 'Chlorine leak').waitFor();
  const places = await page.locator('[role=row][data-id]').allInnerTexts();
  assert.match(places[0] ?? '', /Chlorine leak/);
});

test('without news the screen looks stale and takes no action; after a restart it shows what was missed', {
  skip,
}, async (t) => {
  const plant = await startPlantProcess(t);
  await raise(plant, 'Feeder tripped');
  const { page } = await openConsole(t, plant);
  await rowOf(page, 'Feeder tripped').click();
  const acknowledge = page.getByRole('button', { name: /^Acknowledge/ });
  await acknowledge.waitFor();
  await page.clock.install();
  await plant.kill();
  await page.clock.pauseAt(Date.now() + 60_000);
  const visible = (text: RegExp) => page.getByText(text).filter({ visible: true });
  await visible(/^No news since/).waitFor();
  // The clock stands still but for a moment to draw in, so that the page makes no further try by itself.
  await until(async () => {
    await page.clock.runFor(100);
    return visible(/Trying again in/).isVisible();
  }, Boolean);
  assert.equal(await acknowledge.isDisabled(), true);
  await untilTrue(page, "document.title.includes('No news')");
  await plant.start();
  await raise(plant, 'Raised while it was away', 1);
  await page.getByRole('button', { name: 'Try now' }).click();
  await page.clock.resume();
  await rowOf(page, 'Raised while it was away').waitFor();
  await page
    .getByText(/^No news since/)
    .first()
    .waitFor({ state: 'detached' });
  assert.equal(await acknowledge.isEnabled(), true);
});

test('a mask needs a reason; the masked alarm stays in the list with the time left', { skip }, async (t) => {
  const plant = await startPlant(t);
  await raise(plant, 'Sensor drifts');
  const { page } = await openConsole(t, plant, { timezoneId: 'America/New_York' });
  await rowOf(page, 'Sensor drifts').click();
  await page.keyboard.press('s');
  const dialog = page.getByRole('dialog');
  // A time is one of the plant's clock, wherever the browser is.
  const paris = new Date(Date.now() + 86_400_000).toLocaleString('sv-SE', { timeZone: 'Europe/Paris' });
  await dialog.getByLabel('Until…').fill(`${paris.slice(0, 10)}T06:30`);
  await dialog.getByText(/06:30 CES?T/).waitFor();
  await dialog.getByRole('button', { name: '4 h', exact: true }).click();
  const mask = dialog.getByRole('button', { name: /^Mask 1 for 4 h/ });
  assert.equal(await mask.isDisabled(), true);
  await dialog.getByRole('button', { name: 'Sensor faulty' }).click();
  await mask.click();
  await dialog.waitFor({ state: 'detached' });
  await rowOf(page, 'Sensor drifts').and(page.locator('[data-state=masked]')).waitFor();
  await rowOf(page, 'Sensor drifts')
    .getByText(/^[34] h left$/)
    .waitFor();
  const { maskReason } = await plant.call<{ maskReason: string }>('GET', 'alarms/1');
  assert.equal(maskReason, 'Sensor faulty');
});

test('keys are about the open alarm and the selection that is seen; links keep their keys, and Back closes the panel', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await raise(plant, 'Filter clogged', 3);
  await raise(plant, 'Chlorine leak', 1);
  const { page } = await openConsole(t, plant, { path: '/alarms?id=abc&station=,,x' });
  const row = rowOf(page, 'Filter clogged');
  await row.waitFor();
  // A letter right after the page was opened is not the second key of a chord, which would go to the history.
  await page.evaluate(`{
    const press = new KeyboardEvent('keydown', { key: 'h', bubbles: true });
    document.body.dispatchEvent(Object.defineProperty(press, 'timeStamp', { value: 1 }));
  }`);
  await row.click();
  await page.getByRole('heading', { name: 'Filter clogged' }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { name: 'Filter clogged' }).waitFor({ state: 'detached' });

  await page.keyboard.press('Shift+ArrowUp');
  await page.getByText('2 selected').waitFor();
  await page.getByRole('searchbox').fill('chlorine');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox').fill('');

  await rowOf(page, 'Filter clogged').click();
  await page.getByRole('banner').getByRole('link', { name: 'Chlorine leak' }).click();
  await page.getByRole('heading', { name: 'Chlorine leak' }).waitFor();
  await page.keyboard.press('a');
  await rowOf(page, 'Chlorine leak').and(page.locator('[data-state="1"]')).waitFor();
  assert.equal((await plant.call<{ state: number }>('GET', 'alarms/1')).state, 3);

  await page.getByRole('link', { name: 'System' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/system$/);

  // A large screen is zoomed: what is at its foot is still on it.
  await page.setViewportSize({ width: 1920, height: 1080 });
  const foot = await page.getByRole('button', { name: 'Account' }).boundingBox();
  assert.ok(foot !== null && foot.y + foot.height <= 1080, JSON.stringify(foot));
});

test('the filters are in the address: a copied link shows the same alarms', { skip }, async (t) => {
  const plant = await startPlant(t);
  await raise(plant, 'Pump 7 is hot', 1);
  await raise(plant, 'Wind above 60 km/h', 4);
  const { page } = await openConsole(t, plant);
  await page.getByRole('searchbox').fill('pump');
  await rowOf(page, 'Wind').waitFor({ state: 'detached' });
  const link = page.url();
  assert.match(link, /q=pump/);
  const { page: copy } = await openConsole(t, plant, { path: new URL(link).pathname + new URL(link).search });
  await rowOf(copy, 'Pump 7').waitFor();
  assert.equal(await rowOf(copy, 'Wind').count(), 0);
});

test('the history narrows by words and is downloaded as it is filtered, with nothing a spreadsheet would run', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await raise(plant, '=1+1 pump', 1);
  await raise(plant, 'Wind above 60 km/h', 4);
  const { page } = await openConsole(t, plant, { path: '/history' });
  await page.getByRole('link', { name: 'Wind above 60 km/h' }).waitFor();
  await page.getByRole('searchbox').fill('pump');
  await page.getByRole('link', { name: 'Wind above 60 km/h' }).waitFor({ state: 'detached' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export 1 row' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
  assert.deepEqual([lines.length, lines[2]], [3, '']);
  assert.match(lines[0] ?? '', /^\ufeff"id","tagId","tagName","message"/);
  assert.match(lines[1] ?? '', /,"'=1\+1 pump","'=1\+1 pump",1,/);
});
