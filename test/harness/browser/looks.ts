// The console as people look at it: at a desk in each theme, and on a phone; and that it hinders nobody in any of them.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { hindrances, hindrancesOfColours } from './axe.ts';
import { openConsole } from './console.ts';
import type { Plant } from './plant.ts';

export type Looks = { readonly desk: Page; readonly phone: Page };

export async function openLooks(t: TestContext, plant: Plant): Promise<Looks> {
  // Without motion no colour is measured while it changes to another.
  const still = { reducedMotion: 'reduce' } as const;
  const desk = await openConsole(t, plant, still);
  const phone = await openConsole(t, plant, { ...still, viewport: { width: 390, height: 844 }, theme: 'dark' });
  return { desk: desk.page, phone: phone.page };
}

/** Fails for what hinders people on the screen that is open: by all rules, and by those about colours in other themes. */
export async function assertHindersNobody({ desk, phone }: Looks, screen: string): Promise<void> {
  const grounds = new Set<unknown>();
  for (const theme of ['light', 'dark', 'high-contrast']) {
    await desk.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    grounds.add(await desk.evaluate('getComputedStyle(document.documentElement).backgroundColor'));
    const found = theme === 'light' ? await hindrances(desk) : await hindrancesOfColours(desk);
    assert.deepEqual(found, [], `${screen}, ${theme}`);
  }
  assert.equal(grounds.size, 3, 'each theme has its colours');
  await desk.evaluate("document.documentElement.dataset.theme = 'light'");
  assert.equal(await phone.evaluate('document.documentElement.dataset.theme'), 'dark');
  assert.deepEqual(await hindrances(phone), [], `${screen}, phone`);
}
