// The console when something fails: a screen that throws, a network that is away, lists that cannot be read. The frame goes
// on, nothing unread looks like nothing there, and all comes back by itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole, recordTones, rowOf, tonesOf, untilTrue } from '../../harness/browser/console.ts';
import { type Plant, startPlant } from '../../harness/browser/plant.ts';
import { freeze } from '../../harness/site/store-faults.ts';
import { until } from '../../harness/until.ts';

const skip = withoutBrowser();
const problem = {
  type: 'about:blank',
  title: 'Unavailable',
  status: 503,
  code: 'unavailable',
  detail: 'The database does not answer.',
};
const refuse = (route: Route): Promise<void> =>
  route.fulfill({ status: 503, contentType: 'application/problem+json', json: problem });

/** Prepares a page, whose clock the test moves, so that its requests at these addresses are refused. */
const refusing =
  (addresses: RegExp | ((url: URL) => boolean)) =>
  async (page: Page): Promise<void> => {
    await page.clock.install();
    await page.route(addresses, refuse);
  };

/** Refuses nothing more, and passes over the pause before the next tries, which is 10 s at most. */
async function answer(page: Page): Promise<void> {
  await page.unrouteAll();
  await page.clock.fastForward(10_000);
}

function raise(plant: Plant, path: string, priority: number): Promise<number> {
  return plant.call('POST', 'alarms', { path, alarmMessage: path, priority, raised: true });
}

/** The figures of priority 1 in the banner, as `2 / 3`. */
async function figuresOf(page: Page): Promise<string> {
  const texts = await page.getByRole('banner').locator('li').first().locator('[aria-hidden=true]').allInnerTexts();
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim();
}

/** The tone of priority 1 alone was played. */
const alarmTone = 'tones.includes(880)';

const isListOf = (name: string) => (url: URL) => url.pathname.endsWith(`/api/v1/${name}`);

test('H1, H6: screens that were never opened open without a network, in the frame, and fill themselves when it is back', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await raise(plant, 'Pump 7 is hot', 2);
  await raise(plant, 'Pump 8 is hot', 3);
  const { page } = await openConsole(t, plant, { serviceWorkers: 'block', prepare: recordTones });
  await rowOf(page, 'Pump 7 is hot').click();
  await page.context().setOffline(true);
  // An alarm that is opened now shows what the list has of it.
  await rowOf(page, 'Pump 8 is hot').click();
  await page.getByRole('complementary').getByRole('heading', { name: 'Pump 8 is hot' }).waitFor();
  await page.getByRole('complementary').getByRole('button', { name: 'Close' }).waitFor();
  for (const name of ['Statistics', 'On call', 'Calls', 'Phones', 'System', 'History']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await page.getByRole('main').getByRole('heading', { name, exact: true }).waitFor();
    assert.equal(await page.getByRole('banner').isVisible(), true);
  }
  await page.getByRole('status').getByText('The server does not answer.').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('link', { name: 'Pump 7 is hot' }).last().waitFor();
  await page.getByRole('status').getByText('The server does not answer.').waitFor({ state: 'detached' });
  await raise(plant, 'Chlorine leak', 1);
  await untilTrue(page, "document.title === 'P1: 1 · Tocsin'");
  await untilTrue(page, alarmTone);
});

test('H1: a screen that throws says so in its place and in French, a priority 1 alarm still sounds and is counted, and the screen comes back by itself', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await raise(plant, 'Pump 7 is hot', 2);
  const { page } = await openConsole(t, plant, { locale: 'fr-FR', prepare: recordTones });
  await rowOf(page, 'Pump 7 is hot').waitFor();
  let isBroken = true;
  // An answer that the screen cannot draw, as of a proxy that answers in place of the server.
  await page.route(isListOf('system'), (route) => (isBroken ? route.fulfill({ json: {} }) : route.continue()));
  await page.getByRole('navigation').getByRole('link', { name: 'Système' }).click();
  await page.getByRole('alert').getByText('Cet écran est en panne').waitFor();
  await raise(plant, 'Chlorine leak', 1);
  await untilTrue(page, "document.title === 'P1: 1 · Tocsin'");
  await untilTrue(page, alarmTone);
  assert.equal(await figuresOf(page), '1 / 1');
  assert.equal(await page.getByRole('navigation').isVisible(), true);
  isBroken = false;
  await page.getByRole('heading', { name: 'Système', exact: true }).waitFor();
});

test('H4: alarms that could not be read are not shown as none: every figure is a dash, with the reason and the next try', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  for (let number = 1; number <= 3; number++) await raise(plant, `Pump ${number} is hot`, 1);
  const prepare = refusing(isListOf('alarms'));
  const { page } = await openConsole(t, plant, { prepare });
  const notice = page.getByRole('status').filter({ hasText: 'The alarms could not be read' });
  await notice.getByText('The database does not answer.').waitFor();
  await notice.getByText(/Next try in \d+ s\.|Trying now\./).waitFor();
  assert.equal(await figuresOf(page), '– / –');
  await untilTrue(page, "document.title.includes('Alarms not read')");
  assert.match(await page.getByRole('tab', { name: /^All/ }).innerText(), /–$/);
  assert.equal(await page.getByText('No alarms.').count(), 0);
  // What the hub tells of is shown, and is still no whole list.
  await raise(plant, 'Chlorine leak', 1);
  await rowOf(page, 'Chlorine leak').waitFor();
  await untilTrue(page, "document.title.includes('P1: 1+')");
  assert.equal(await figuresOf(page), '– / –');
  await page.getByRole('link', { name: 'System', exact: true }).click();
  await page.getByRole('region', { name: 'What needs you' }).getByText('This could not be read.').waitFor();
  await page.getByRole('link', { name: 'Alarms', exact: true }).click();
  await answer(page);
  await notice.waitFor({ state: 'detached' });
  await rowOf(page, 'Pump 1 is hot').waitFor();
  await untilTrue(page, "document.title === 'P1: 4 · Tocsin'");
  assert.equal(await figuresOf(page), '4 / 4');
});

test('H4: alarms do not wait for calls, and calls that could not be read are not shown as none', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await raise(plant, 'Pump 7 is hot', 1);
  const prepare = refusing(isListOf('calls'));
  const { page } = await openConsole(t, plant, { prepare });
  await rowOf(page, 'Pump 7 is hot').waitFor();
  await until(
    () => figuresOf(page),
    (figures) => figures === '1 / 1',
  );
  await page.getByRole('status').getByText('The calls could not be read').waitFor();
  await page.getByRole('link', { name: 'Calls', exact: true }).click();
  await page.getByRole('main').getByText(/^–/).waitFor();
  assert.equal(await page.getByText('Nobody is being called.').count(), 0);
  await answer(page);
  await page.getByText('Nobody is being called.').waitFor();
});

test('H4: what other screens and the banner could not read is not shown as none either', { skip }, async (t) => {
  const plant = await startPlant(t);
  await plant.call('POST', 'callgroups', { name: 'Pumps' });
  await raise(plant, 'Pump 7 is hot', 1);
  const lists = /\/api\/v1\/(?:oncall|sources|simulator|call\/histories|alarms\/(?:histories|series))/;
  const prepare = refusing(lists);
  const { page } = await openConsole(t, plant, {
    prepare,
    viewport: { width: 1700, height: 900 },
  });
  const banner = page.getByRole('banner');
  await banner.getByText('not known', { exact: true }).waitFor();
  assert.equal(await banner.getByText('no groups yet').count(), 0);
  for (const [name, calm] of [
    ['System', 'No source has sent anything yet.'],
    ['Phones', 'No phone has rung yet.'],
    ['History', 'No alarm was raised in this period.'],
    ['Calls', 'Nothing was tried in this time.'],
  ] as const) {
    await page.getByRole('link', { name, exact: true }).click();
    await page.getByRole('main').getByText('This could not be read.').last().waitFor();
    await page.getByRole('status').getByText('The database does not answer.').waitFor();
    assert.equal(await page.getByText(calm).count(), 0);
  }
  await answer(page);
  await page.getByRole('status').getByText('The database does not answer.').waitFor({ state: 'detached' });
  await banner.getByText('Pumps').waitFor();
});

test('H5: silence in a quiet plant says that it is on, for what and until when, and ends with a new priority 1 alarm', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await raise(plant, 'Filter clogged', 2);
  await plant.call('POST', 'alarms/1/acknowledge', {});
  const { page } = await openConsole(t, plant, { prepare: recordTones });
  await rowOf(page, 'Filter clogged').waitFor();
  await page.getByRole('button', { name: /^Sound is on/ }).waitFor();
  await page.keyboard.press('m');
  const silenced = page.getByRole('button', { name: /^Silenced: priority 2 and below, until \d\d:\d\d\./ });
  await silenced.waitFor();
  await page.getByText(/^Silent until \d\d:\d\d$/).waitFor();
  await raise(plant, 'Pump 7 is hot', 2);
  await page.getByRole('banner').getByText('Pump 7 is hot').waitFor();
  assert.equal(await silenced.isVisible(), true);
  assert.deepEqual(await tonesOf(page), []);
  const leak = await raise(plant, 'Chlorine leak', 1);
  await untilTrue(page, alarmTone);
  await page.getByRole('button', { name: /^Sound is on/ }).waitFor();

  // Silence of a priority 1 alarm holds for that one only, and does not come back when the next one is acknowledged.
  await page.keyboard.press('m');
  await page.getByRole('button', { name: /^Silenced: all priorities, until/ }).waitFor();
  await page.evaluate('tones.length = 0');
  const fire = await raise(plant, 'Fire in the pump hall', 1);
  await untilTrue(page, alarmTone);
  for (const id of [leak, fire]) await plant.call('POST', `alarms/${id}/acknowledge`, {});
  await until(
    () => figuresOf(page),
    (figures) => figures === '0 / 2',
  );
  await page.getByRole('button', { name: /^Sound is on/ }).waitFor();
});

test('W4: with a clock of the PC that was set back alarms are drawn, and a server that is gone is told', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  const { page } = await openConsole(t, plant);
  // A pointer in the list would hold its order, with what is new above it.
  await page.mouse.move(0, 0);
  await raise(plant, 'Before the clock was set', 2);
  await rowOf(page, 'Before the clock was set').waitFor();
  await page.evaluate('{ const { now } = Date; Date.now = () => now() - 86_400_000; }');
  for (const text of ['First after it', 'Second after it']) {
    await raise(plant, text, 2);
    await rowOf(page, text).waitFor();
  }
  await plant.stop();
  await page.locator('[data-link=lost]').waitFor({ state: 'attached' });
  assert.doesNotMatch(await page.locator('[data-link=lost]').innerText(), /Live/);
});

test('H3: a server whose database stands still is not live: banner, title and a tone say that it takes no alarms, and when it does again', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  const { page } = await openConsole(t, plant, { prepare: recordTones });
  await page.getByRole('main').click();
  await page
    .getByText(/^No alarms/)
    .first()
    .waitFor();
  const database = freeze(plant.store);
  await page
    .getByRole('status')
    .getByText(/^The server takes no alarms since/)
    .waitFor();
  assert.equal(await page.title(), '⚠ No alarms taken · Tocsin');
  assert.equal(await page.getByText(/^No alarms\./).count(), 0);
  await page.locator('[data-link=live][data-trouble=notTaken]').waitFor();
  // The tone of Tocsin itself.
  await untilTrue(page, 'tones.includes(330)');
  database.thaw();
  await page.locator('[data-link=live]:not([data-trouble])').waitFor();
  await untilTrue(page, "document.title === 'Tocsin'");
});
