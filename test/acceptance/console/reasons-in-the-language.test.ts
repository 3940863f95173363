// The console in a real browser: why somebody is not called is said in the language of the console, without a word of English.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole, rowOf } from '../../harness/browser/console.ts';
import { type Plant, startPlant } from '../../harness/browser/plant.ts';

const skip = withoutBrowser();
const allDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const always = { days: allDays, from: '00:00', to: '24:00' };

/** Pumps calls Ana and not Cem, who is off duty; of Process nobody is on duty. An alarm calls Pumps. */
async function somebodyOffDuty(plant: Plant): Promise<void> {
  const numbers = [{ channel: 'voice', address: '+33123456789' }];
  const ana = await plant.call<number>('POST', 'users', { name: 'ana', numbers });
  const cem = await plant.call<number>('POST', 'users', { name: 'cem', numbers, onDuty: false });
  const groupOf = async (name: string, userIds: readonly number[]) => {
    const teamId = await plant.call<number>('POST', 'teams', { name, members: userIds.map((userId) => ({ userId })) });
    const weekly = [{ teamId, ...always }];
    const scheduleId = await plant.call<number>('POST', 'schedules', { name, timeZone: 'UTC', weekly });
    return plant.call<number>('POST', 'callgroups', { name, teamIds: [teamId], scheduleId });
  };
  const pumps = await groupOf('Pumps', [ana, cem]);
  await groupOf('Process', [cem]);
  const alarmActions = [{ type: 'CallGroup', id: pumps }];
  await plant.call('POST', 'alarms', { path: 'Pump1', alarmMessage: 'Pumpe 1', priority: 2, alarmActions });
}

for (const { locale, notCalled, nobody } of [
  { locale: 'de-DE', notCalled: /Nicht gerufen: cem: nicht im Dienst/, nobody: /Benutzer \d+ „cem“: nicht im Dienst/ },
  {
    locale: 'fr-FR',
    notCalled: /Ne sont pas appelés ?: cem: pas de service/,
    nobody: /utilisateur \d+ « cem » : pas de service/,
  },
])
  test(`${locale}: the panel says why somebody is not called, and the plan why nobody is on duty`, {
    skip,
  }, async (t) => {
    const plant = await startPlant(t);
    await somebodyOffDuty(plant);
    const { page, complaints } = await openConsole(t, plant, { locale });
    await rowOf(page, 'Pumpe 1').click();
    await page.getByText(notCalled).waitFor();
    assert.equal(await page.getByText(/off duty/).count(), 0);

    await page.goto(`${plant.url}/oncall`);
    const block = page.getByRole('row').filter({ hasText: 'Process' }).locator('[data-block]').first();
    // Focused and pressed in one step: the plan may be read anew in between.
    await block.press('Enter');
    await page.getByText(nobody).first().waitFor();
    assert.equal(await page.getByText(/off duty/).count(), 0);
    assert.deepEqual(complaints, []);
  });
