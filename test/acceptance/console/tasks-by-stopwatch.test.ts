// What is often done in haste, in a real browser, with its inputs counted: thirty alarms acknowledged, one's own duty given away,
// last Tuesday's night found.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole } from '../../harness/browser/console.ts';
import { startPlant } from '../../harness/browser/plant.ts';
import { until } from '../../harness/until.ts';

const skip = withoutBrowser();
const allDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const hourMs = 3_600_000;

/** Counts what a person does in the page: keys and presses of the pointer. */
async function countInputs(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`
    globalThis.inputs = 0;
    for (const kind of ['keydown', 'pointerdown'])
      addEventListener(kind, ({ isTrusted }) => { if (isTrusted) inputs++; }, true);
  `);
  return () => page.evaluate<number>('inputs');
}

test('thirty alarms are acknowledged by one selection, in three inputs', { skip }, async (t) => {
  const plant = await startPlant(t);
  const alarms = Array.from({ length: 30 }, (_, index) => ({ path: `Pump ${index}`, priority: 2, raised: true }));
  await plant.call('POST', 'alarms/batch', alarms);
  const { page } = await openConsole(t, plant, { viewport: { width: 1440, height: 1600 } });
  await page.getByText('30 alarms').waitFor({ state: 'attached' });
  const inputs = await countInputs(page);
  await page.getByRole('checkbox', { name: 'Select what is on screen of Not acknowledged' }).click({ force: true });
  const bar = page.getByRole('toolbar', { name: /selected$/ });
  await bar.getByRole('button', { name: 'Acknowledge 30' }).click();
  const states = () => plant.call<{ readonly items: readonly { readonly state: number }[] }>('GET', 'alarms?limit=100');
  await until(
    async () => (await states()).items.filter(({ state }) => (state & 2) !== 0).length,
    (left) => left === 0,
  );
  assert.ok((await inputs()) <= 3, `${await inputs()} inputs`);
});

test('one’s own duty is given to somebody else for two hours in one step: a key, a name, Enter', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  const { call, password } = plant;
  const numbers = [{ channel: 'voice', address: '+33123456789' }];
  const ana = await call<number>('POST', 'users', {
    name: 'ana',
    firstName: 'Ana',
    role: 'supervisor',
    password,
    numbers,
  });
  const bo = await call<number>('POST', 'users', { name: 'bo', firstName: 'Bo', numbers });
  const teamId = await call<number>('POST', 'teams', { name: 'Crew', members: [{ userId: ana }] });
  const weekly = [{ teamId, days: allDays, from: '00:00', to: '24:00' }];
  const scheduleId = await call<number>('POST', 'schedules', { name: 'Pumps programme', weekly });
  const group = await call<number>('POST', 'callgroups', { name: 'Pumps', teamIds: [teamId], scheduleId });
  const { page, complaints } = await openConsole(t, plant, { path: '/oncall', user: 'ana' });
  await page.getByRole('button', { name: /^Give my duty/ }).waitFor();
  const inputs = await countInputs(page);
  const begun = Date.now();
  await page.keyboard.press('h');
  const dialog = page.getByRole('dialog', { name: 'Give my duty' });
  await dialog.getByLabel('Who has it instead').and(page.locator(':focus')).waitFor();
  await page.keyboard.press('b');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await inputs(), 3);
  type Slots = { readonly items: readonly { readonly slots: readonly Slot[] }[] };
  type Slot = { readonly from: string; readonly to: string; readonly members: readonly { readonly userId: number }[] };
  const [found] = (await call<Slots>('GET', `oncall/slots?callGroupId=${group}`)).items;
  const [given, back] = found?.slots ?? [];
  assert.deepEqual(
    [given, back].map((slot) => slot?.members.map(({ userId }) => userId)),
    [[bo], [ana]],
  );
  const hours = (Date.parse(given?.to ?? '') - begun) / hourMs;
  assert.ok(hours > 1.9 && hours < 2.1, `for ${hours} h`);
  assert.deepEqual(complaints, []);
});

test('last Tuesday’s night is found in three inputs', { skip }, async (t) => {
  const plant = await startPlant(t);
  await plant.call('POST', 'alarms', { path: 'Pump 1', alarmMessage: 'Pump 1 is hot', priority: 2, raised: true });
  const { page, complaints } = await openConsole(t, plant);
  await page.getByText('Pump 1 is hot').first().waitFor();
  const inputs = await countInputs(page);
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^History/ })
    .click();
  await page.getByRole('main').getByText('From – to…').click();
  await page
    .getByRole('button', { name: /^Tue \d+$/ })
    .last()
    .click();
  await page.waitForURL(/from=/);
  assert.equal(await inputs(), 3);
  const { searchParams } = new URL(page.url());
  const [from, to] = ['from', 'to'].map((name) => {
    const at = searchParams.get(name)?.replaceAll('"', '') ?? '';
    return new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Paris',
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
    }).format(new Date(at));
  });
  assert.deepEqual([from, to], ['Tue 22:00', 'Wed 06:00']);
  assert.deepEqual(complaints, []);
});
