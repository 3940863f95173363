// The console for its users: the command palette, saved views, a session that ends, French, and a phone in one hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole, rowOf } from '../../harness/browser/console.ts';
import { type Plant, startPlant } from '../../harness/browser/plant.ts';

const skip = withoutBrowser();

function raise(plant: Plant, path: string, priority: number): Promise<number> {
  return plant.call('POST', 'alarms', { path, alarmMessage: path, priority, raised: true });
}

test('the command palette finds an alarm and acknowledges it; a view is saved with its filters and opened by its key', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await raise(plant, 'Pump 7 is hot', 1);
  await raise(plant, 'Wind above 60 km/h', 4);
  const { page, complaints } = await openConsole(t, plant, { path: '/system' });
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('combobox').fill('pump');
  await palette
    .getByRole('option', { name: /Pump 7 is hot/ })
    .first()
    .waitFor();
  await palette.getByRole('option', { name: 'Acknowledge “Pump 7 is hot”' }).click();
  await palette.waitFor({ state: 'detached' });
  // At once: on a slow machine the second key would come too late.
  await Promise.all([page.keyboard.press('g'), page.keyboard.press('a')]);
  await rowOf(page, 'Pump 7 is hot').and(page.locator('[data-state="1"]')).waitFor();

  await page.getByRole('searchbox').fill('pump');
  await page.getByRole('button', { name: 'Save this view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Pumps');
  await dialog.getByRole('button', { name: 'Save this view' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: /^Pumps/ }).waitFor();
  await page.keyboard.press('1');
  await rowOf(page, 'Wind').waitFor();
  await page.keyboard.press('5');
  await rowOf(page, 'Wind').waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: /^Pumps\s*1$/, selected: true }).waitFor();
  const { views } = await plant.call<{ views: { name: string; query: string }[] }>('GET', 'views');
  assert.deepEqual(
    views.map(({ name, query }) => [name, query]),
    [['Pumps', 'q=pump']],
  );
  assert.deepEqual(complaints, []);
});

test('the browser keeps its mark, which no script sees, and sends it with the next sign-in', { skip }, async (t) => {
  const plant = await startPlant(t);
  const { page } = await openConsole(t, plant);
  const marks = async () =>
    (await page.context().cookies(`${plant.url}/api/v1/auth/login`)).map(({ name, value, httpOnly }) => ({
      name,
      value,
      httpOnly,
    }));
  const [first, ...others] = await marks();
  assert.deepEqual([first?.name, first?.httpOnly, others], ['tocsin_device', true, []]);
  assert.equal(await page.evaluate('document.cookie'), '');
  const again = await page.context().newPage();
  await again.goto(`${plant.url}/alarms`);
  await again.evaluate('sessionStorage.clear(), localStorage.clear()');
  await again.reload();
  await again.locator('input[name=username]').fill('admin');
  await again.locator('input[name=password]').fill(plant.password);
  await again.locator('button[type=submit]').click();
  await again.locator('[data-link=live]').waitFor({ state: 'attached' });
  assert.deepEqual(await marks(), [first], 'a known mark is kept');
});

test('when the session ends, the sign-in opens over the screen and the comment that was being written is still there', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await raise(plant, 'Pump 7 is hot', 1);
  const { page } = await openConsole(t, plant);
  await rowOf(page, 'Pump 7 is hot').click();
  await page.getByRole('button', { name: /^Comment/ }).waitFor();
  await page.keyboard.press('c');
  await page.getByRole('textbox', { name: 'Write a comment' }).fill('oil topped up');
  const sessions = await plant.call<{ items: { id: number; current: boolean }[] }>('GET', 'auth/sessions?limit=100');
  for (const { id, current } of sessions.items) if (!current) await plant.call('DELETE', `auth/sessions/${id}`);
  const again = page.getByRole('dialog', { name: 'Your session has ended' });
  await again.waitFor();
  for (let press = 0; press < 3; press++) {
    await page.keyboard.press('Escape');
    await again.waitFor();
  }
  assert.equal(await rowOf(page, 'Pump 7 is hot').isVisible(), false, 'a revoked session shows nothing more');
  await again.getByLabel('Password', { exact: true }).fill(plant.password);
  await again.getByRole('button', { name: 'Sign in' }).click();
  await again.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('textbox', { name: 'Write a comment' }).inputValue(), 'oil topped up');
  await page.getByRole('button', { name: 'Comment', exact: true }).last().click();
  await page
    .getByText(/oil topped up/)
    .filter({ visible: true })
    .first()
    .waitFor();
});

test('a sign-out that the server does not hear is told as such, and sent until it does', { skip }, async (t) => {
  const plant = await startPlant(t);
  const { page } = await openConsole(t, plant);
  const sessions = () => plant.call<{ items: readonly unknown[] }>('GET', 'auth/sessions?limit=100');
  const before = (await sessions()).items.length;
  // In the page, because the browser hides a request that may outlive the page from those who watch the network.
  await page.evaluate(`{
    const real = fetch;
    globalThis.isFaulty = true;
    globalThis.fetch = (address, init) =>
      globalThis.isFaulty && String(address).includes('/logout')
        ? Promise.resolve(new Response('', { status: 503 }))
        : real(address, init);
  }`);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  const note = page.getByText('The server has not heard of the sign-out yet');
  await note.waitFor();
  assert.equal((await sessions()).items.length, before);
  await page.evaluate('globalThis.isFaulty = false');
  await note.waitFor({ state: 'detached' });
  assert.equal((await sessions()).items.length, before - 1);
});

test('on a phone in French an alarm is taken with one large button; without the server the kept shell shows no alarms', {
  skip,
}, async (t) => {
  const plant = await startPlant(t);
  await raise(plant, 'Pump 7 is hot', 1);
  const viewport = { width: 390, height: 844 };
  const options = { viewport, locale: 'fr-FR', hasTouch: true, isMobile: true };
  const { page, complaints } = await openConsole(t, plant, options);
  await page.getByRole('heading', { name: 'Alarmes en cours' }).waitFor();
  // A list that is filtered says so: on a phone there are no filters to be seen.
  await page.getByRole('link', { name: /^Priorité 2/ }).tap();
  await page.getByText('0 alarmes sur 1.').waitFor();
  await page.getByRole('button', { name: 'Effacer les filtres' }).first().tap();
  await rowOf(page, 'Pump 7 is hot').tap();
  const take = page.getByRole('button', { name: /^Acquitter/ });
  const box = await take.boundingBox();
  assert.ok(box !== null && box.height >= 62 && box.width > 350, JSON.stringify(box));
  assert.ok(box.y > (viewport.height * 2) / 3 - box.height, JSON.stringify(box));
  await take.tap();
  await page.getByText('actif, acquitté').first().waitFor();
  await page.getByText('Vous l’avez prise.').waitFor();
  const overflow = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  assert.equal(overflow, false);
  const { ackUser } = await plant.call<{ ackUser: string }>('GET', 'alarms/1');
  assert.equal(ackUser, 'admin');
  assert.deepEqual(complaints, []);

  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await page.reload();
  await page.getByRole('heading', { name: 'Pump 7 is hot' }).waitFor();
  await plant.stop();
  await page.reload();
  await page.getByText('Pas encore de connexion au serveur').filter({ visible: true }).waitFor();
  assert.equal(await page.getByText('Pump 7 is hot').count(), 0);
});
