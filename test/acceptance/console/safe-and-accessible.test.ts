// Every screen of the console: nothing of an alarm's text runs, and nothing hinders people with disabilities.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole, rowOf } from '../../harness/browser/console.ts';
import { injections } from '../../harness/browser/injections.ts';
import { assertHindersNobody, openLooks } from '../../harness/browser/looks.ts';
import { type Plant, startPlant } from '../../harness/browser/plant.ts';

const skip = withoutBrowser();

/** Each screen by its link, its heading, and a text that it shows once it is read. */
const screens = [
  ['Alarms', 'Current alarms', 'Alarm 1'],
  ['History', 'History', 'Alarm 1'],
  ['Statistics', 'Statistics', 'Alarm 1'],
  ['On call', 'On call', 'Nobody'],
  ['Calls', 'Calls', 'Alarm 1'],
  ['Phones', 'Phones', 'Ana'],
  ['System', 'System', 'Simulated phones'],
] as const;

async function goTo(page: Page, name: string, heading: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await page.getByRole('main').getByRole('heading', { name: heading, exact: true }).waitFor();
}

/** A group with a team by day, nobody by night, and a lock. */
async function dutyOf(plant: Plant, userId: number): Promise<void> {
  const teamId = await plant.call<number>('POST', 'teams', { name: 'Crew', colour: '#6e7f45', members: [{ userId }] });
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  const weekly = [{ teamId, days, from: '08:00', to: '18:00' }];
  const scheduleId = await plant.call<number>('POST', 'schedules', { name: 'Pumps programme', weekly });
  await plant.call('POST', 'callgroups', { name: 'Pumps', teamIds: [teamId], scheduleId });
  const time = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
  const lock = { lock: true, from: time(1), to: time(3), reason: 'works' };
  await plant.call('POST', `schedules/${scheduleId}/overrides`, lock);
}

test('no screen hinders people: three themes, and the size of a phone', { skip }, async (t) => {
  const plant = await startPlant(t);
  const numbers = [{ channel: 'voice', address: '+33123456789' }];
  const ana = await plant.call<number>('POST', 'users', { name: 'ana', firstName: 'Ana', numbers });
  const alarmActions = [{ type: 'CallUser', id: ana }];
  for (const priority of [1, 2, 3, 4])
    await plant.call('POST', 'alarms', {
      path: `Tag ${priority}`,
      alarmMessage: `Alarm ${priority}`,
      priority,
      alarmActions,
    });
  await plant.call('POST', 'alarms/2/acknowledge', {});
  await dutyOf(plant, ana);
  const looks = await openLooks(t, plant);
  for (const [name, heading, text] of screens) {
    for (const page of [looks.desk, looks.phone]) {
      await goTo(page, name, heading);
      await page.getByRole('main').getByText(text).first().waitFor();
    }
    await assertHindersNobody(looks, name);
  }
  for (const page of [looks.desk, looks.phone]) {
    await page.goto(`${plant.url}/alarms?id=1`);
    await page.getByRole('heading', { name: 'Alarm 1' }).waitFor();
  }
  await assertHindersNobody(looks, 'one alarm');
});

test('100 injections in every text of an alarm, and in names of people and places: nothing runs, and nothing is refused by the policy', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  const batch = injections.map((text, index) => ({
    path: `tag ${index} ${text}`,
    alarmMessage: text,
    value: text,
    priority: 2,
    consequence: text,
    instructions: text,
    location: { zone: text },
    names: { en: text },
  }));
  assert.equal(batch.length, 100);
  await plant.call('POST', 'alarms/batch', batch);
  await plant.call('POST', 'alarms/1/comments', { comment: injections[0] });
  await plant.call('POST', 'alarms/2/mask', { reason: injections[1], until: new Date(Date.now() + 3_600_000) });
  for (const [index, text] of injections.slice(0, 10).entries()) {
    const name = text.slice(0, 200);
    await plant.call('POST', 'stations', { name });
    const userId = await plant.call<number>('POST', 'users', { name: `user ${index}`, firstName: name });
    const teamId = await plant.call<number>('POST', 'teams', { name, members: [{ userId }] });
    await plant.call('POST', 'callgroups', { name, teamIds: [teamId] });
  }
  await plant.call('PUT', 'views', { views: injections.slice(0, 20).map((name) => ({ name: name.slice(0, 200) })) });
  const { page, complaints } = await openConsole(t, plant);
  await page.getByText('100 alarms').waitFor();
  const assertNothingRan = async (where: string): Promise<void> => {
    assert.equal(await page.evaluate('window.injected === undefined'), true, where);
    assert.equal(await page.locator('main :is(script, iframe, object, embed)').count(), 0, where);
  };
  for (const id of [1, 25, 50, 75, 100]) {
    await page.goto(`${plant.url}/alarms?id=${id}&tab=details`);
    await page.getByRole('button', { name: 'Copy as JSON' }).waitFor();
    await page.getByRole('tab', { name: 'What happens' }).click();
    await page.getByText('Nobody will be called').waitFor();
    await assertNothingRan(`alarm ${id}`);
  }
  await page.goto(`${plant.url}/occurrence?id=1`);
  await page.getByRole('region', { name: 'What happened' }).getByText('injected').first().waitFor();
  await assertNothingRan('one occurrence');
  // Within one page, so that what runs late is found on a later screen.
  const [alarms, ...others] = screens;
  for (const [name, heading] of [...others, alarms]) {
    await goTo(page, name, heading);
    const text = page.getByRole('main').getByText(name === 'System' ? 'Simulated phones' : 'injected');
    await text.first().waitFor({ state: 'attached' });
    await assertNothingRan(name);
  }
  assert.equal(await rowOf(page, 'injected').locator('img, script, iframe, svg[onload]').count(), 0);
  assert.deepEqual(complaints, []);
});
