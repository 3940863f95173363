// A simulated phone on the screen: it rings, is answered and takes the alarm with its keys, and the list says who took it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole, rowOf } from '../../harness/browser/console.ts';
import { startPlant } from '../../harness/browser/plant.ts';

test('a phone rings on the screen; by keyboard it is answered and key 1 takes the alarm, and the list says who took it', {
  skip: withoutBrowser(),
}, async (t) => {
  const plant = await startPlant(t);
  const numbers = [{ channel: 'voice', address: '+33123456789' }];
  const ana = await plant.call<number>('POST', 'users', { name: 'ana', firstName: 'Ana', numbers });
  const phones = await openConsole(t, plant, { path: '/phones' });
  const list = await openConsole(t, plant);
  const actions = [{ type: 'CallUser', id: ana }];
  await plant.call('POST', 'alarms', {
    path: 'Pump 7',
    alarmMessage: 'Pump 7 is hot',
    priority: 1,
    alarmActions: actions,
  });
  await rowOf(list.page, 'calling Ana').waitFor();
  const phone = phones.page.getByRole('region', { name: 'Ana' });
  await phone.getByText('RINGING').waitFor();
  assert.match(await phone.innerText(), /Pump 7 is hot/);
  await phone.getByRole('group', { name: 'the phone of Ana' }).focus();
  await phones.page.keyboard.press('Enter');
  await phone.getByText('IN THE CALL', { exact: true }).waitFor();
  await phones.page.keyboard.press('1');
  await phone.getByText(/Pump 7 is hot/).waitFor();
  await phones.page.keyboard.press('1');
  await rowOf(list.page, 'Pump 7 is hot').and(list.page.locator('[data-state="1"]')).waitFor();
  assert.match(await rowOf(list.page, 'Pump 7 is hot').innerText(), /Ana/);
  assert.deepEqual([...phones.complaints, ...list.complaints], []);
});
