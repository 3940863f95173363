// The reference at /docs in a real browser: search, sign in and try a request, at the width of a desk and of a phone, below
// a base path, with nothing asked of other hosts and nothing that the content security policy refuses.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser, withoutBrowser } from '../../harness/browser/browser.ts';
import { adminPassword, startTestApp } from '../../harness/site/app.ts';
import { until } from '../../harness/until.ts';

type Watched = { readonly page: Page; readonly outside: string[]; readonly complaints: string[] };

const phoneWidth = 390;

/** Opens it at the width of a phone: it takes seconds to load, so that the width of a desk is that of the same page later. */
async function openReference(t: TestContext, url: string): Promise<Watched> {
  const context = await openBrowser(t, { viewport: { width: phoneWidth, height: 850 } });
  const page = await context.newPage();
  const outside: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${url}/`) && !asked.startsWith('data:')) outside.push(asked);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(`${url}/docs`);
  await page.getByRole('heading', { name: 'Tocsin' }).waitFor();
  return { page, outside, complaints };
}

test('the reference signs in and sends its example to the server it came from', {
  skip: withoutBrowser(),
}, async (t) => {
  const app = await startTestApp(t, 'sqlite', { overrides: { TOCSIN_BASE_PATH: '/alertws' } });
  // Another name of the same server: the page uses the host it was asked for.
  const url = app.url.replace('127.0.0.1', 'localhost');
  const { page, outside, complaints } = await openReference(t, url);
  // Nothing is beyond the edge of the phone.
  await until(() => page.evaluate('document.documentElement.scrollWidth <= innerWidth'), Boolean);
  assert.equal(await page.evaluate('innerWidth'), phoneWidth);
  await page.setViewportSize({ width: 1280, height: 850 });
  await page.locator('[data-placeholder=janedoe]').fill('admin');
  await page.getByPlaceholder('********').first().fill(adminPassword);
  await page.getByText('Authorize', { exact: true }).click();
  await page.getByText('Access Token').first().waitFor();
  await page.getByRole('button', { name: 'Search' }).first().click();
  await page.locator('input:focus').fill('send an alarm');
  await page.getByRole('option', { name: 'Send an alarm' }).first().click();
  await page.getByRole('button', { name: /^Test Request\s*\(post \/api\/v1\/alarms\)$/ }).click();
  const answered = page.waitForResponse(`${url}/api/v1/alarms`);
  await page.getByRole('button', { name: 'Send' }).first().click();
  assert.equal((await answered).status(), 200);
  const token = await app.signIn();
  const { body } = await app.request('GET', '/api/v1/alarms', { token });
  const paths = (body as { items: { path: string }[] }).items.map(({ path }) => path);
  assert.ok(paths.includes('Plant/Pump7/Temperature'), 'the alarm of the example is there');
  assert.deepEqual(outside, []);
  assert.deepEqual(complaints, []);
});
