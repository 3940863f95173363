// The console of somebody who may only look: buttons stay, disabled, and name the right that they need.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole, rowOf } from '../../harness/browser/console.ts';
import { startPlant } from '../../harness/browser/plant.ts';

test('who may only look sees disabled buttons that name the right they need, and keys do nothing', {
  skip: withoutBrowser(),
}, async (t) => {
  const plant = await startPlant(t);
  await plant.call('POST', 'users', { name: 'wanda', firstName: 'Wanda', role: 'observer', password: plant.password });
  const numbers = [{ channel: 'voice', address: '+33123456789' }];
  const ana = await plant.call<number>('POST', 'users', { name: 'ana', firstName: 'Ana', numbers });
  const teamId = await plant.call<number>('POST', 'teams', { name: 'Crew', members: [{ userId: ana }] });
  const scheduleId = await plant.call<number>('POST', 'schedules', { name: 'Programme' });
  await plant.call('POST', 'callgroups', { name: 'Pumps', teamIds: [teamId], scheduleId });
  const alarmActions = [{ type: 'CallUser', id: ana }];
  await plant.call('POST', 'alarms', { path: 'Pump 7', alarmMessage: 'Pump 7 is hot', priority: 1, alarmActions });
  const { page, complaints } = await openConsole(t, plant, { user: 'wanda' });
  const needs = async (button: Locator, scope: string): Promise<void> => {
    await button.and(page.locator(':disabled')).waitFor();
    assert.equal(await button.getAttribute('title'), `Needs the right ${scope}`);
  };
  await rowOf(page, 'Pump 7 is hot').click();
  await needs(page.getByRole('button', { name: /^Acknowledge/ }).first(), 'alarms:ack');
  await page.keyboard.press('a');

  await page.goto(`${plant.url}/oncall`);
  const main = page.getByRole('main');
  await needs(main.getByRole('button', { name: /^Take the duty T/ }), 'alarms:ack');
  await needs(main.getByRole('listitem').getByRole('button', { name: 'Take the duty' }), 'alarms:ack');
  await needs(main.getByRole('button', { name: 'Hold a drill' }), 'calls:send');
  await needs(main.getByRole('button', { name: 'Calendar link' }), 'admin');
  await page.keyboard.press('t');
  assert.equal(await page.getByRole('dialog').count(), 0);

  await page.goto(`${plant.url}/calls`);
  await needs(main.getByRole('button', { name: /^Call somebody/ }), 'calls:send');
  await needs(main.getByRole('button', { name: 'Call relief now' }), 'alarms:ack');
  await needs(main.getByRole('combobox', { name: 'Acknowledge for…' }), 'calls:control');
  const { state } = await plant.call<{ state: number }>('GET', 'alarms/1');
  assert.equal(state, 3, 'nothing was acknowledged');
  assert.deepEqual(complaints, []);
});
