// Clicks in the list of alarms while others change it: what is acknowledged is what was under the pointer when it went down.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { withoutBrowser } from '../../harness/browser/browser.ts';
import { openConsole } from '../../harness/browser/console.ts';
import { startPlant } from '../../harness/browser/plant.ts';
import { SecondUser } from '../../harness/browser/second-user.ts';
import { type Chance, chanceOf } from '../../harness/chance.ts';
import { testSeed } from '../../harness/seed.ts';
import { isSoak } from '../../harness/soak.ts';
import { until } from '../../harness/until.ts';

/** Runs before the page: keeps the row that was under the pointer when it went down. */
const noteRows = `addEventListener('pointerdown', ({ target }) => {
  const row = target.closest('[role=row][data-id]');
  globalThis.pressed = row === null ? 0 : Number(row.dataset.id);
}, true)`;

/** Runs in the page: the middles of rows on screen that nobody has acknowledged. */
const placesOf = (part: string): string => `[...document.querySelectorAll('[role=row][data-id]')]
  .filter((row) => ['2', '3'].includes(row.dataset.state) && row.dataset.gone === undefined)
  .map((row) => [row, row.querySelector('${part}').getBoundingClientRect()])
  .map(([row, { x, y, width, height }]) => [row, x + width / 2, y + height / 2])
  .filter(([row, x, y]) => row.contains(document.elementFromPoint(x, y)))
  .map(([, x, y]) => [x, y])`;

type Place = readonly [x: number, y: number];
/** How the first user takes an alarm. */
const ways = ['row and key', 'row and button', 'box and key', 'box and button'] as const;
type Way = (typeof ways)[number];

const letGoMs = 4_000;
const restMs = 125_000;

class FirstUser {
  readonly page: Page;
  readonly #other: SecondUser;
  readonly #chance: Chance;
  #open = 0;
  /** What each request asks to acknowledge. */
  readonly sent: (readonly number[])[] = [];

  constructor(page: Page, other: SecondUser, chance: Chance) {
    this.page = page;
    this.#other = other;
    this.#chance = chance;
    page.on('request', (request) => {
      if (!request.url().endsWith('/alarms/acknowledge')) return;
      this.sent.push((request.postDataJSON() as { ids: number[] }).ids);
      this.#open++;
    });
    page.on('requestfinished', (request) => {
      if (request.url().endsWith('/alarms/acknowledge')) this.#open--;
    });
  }

  /** Takes one alarm of those on screen; returns the id of what was under the pointer. */
  async take(way: Way): Promise<number> {
    await this.#linger();
    for (;;) {
      const pressed = await this.#press(way);
      if (pressed !== 0) {
        await this.#acknowledge(way, pressed);
        return pressed;
      }
      // The list was put in order under the pointer before it went down, and there is no row any more.
      await this.rest();
    }
  }

  async #press(way: Way): Promise<number> {
    const { page } = this;
    const [x, y] = await this.#place(way.startsWith('box'));
    const working = this.#other.work();
    await page.mouse.move(x, y);
    await page.mouse.down();
    await working;
    // What the others did is drawn while the button is down.
    await page.clock.fastForward(this.#chance.pick([0, 300]));
    await page.mouse.up();
    return page.evaluate('pressed');
  }

  /** Waits until what was asked is answered, and gives back what is still selected. */
  async rest(): Promise<void> {
    await until(
      () => this.#open,
      (open) => open === 0,
    );
    await this.page.keyboard.press('Escape');
    await this.page.getByRole('toolbar').waitFor({ state: 'detached' });
  }

  /** Now and then the pointer leaves the list, or rests in it until nobody seems to be there. */
  async #linger(): Promise<void> {
    const { clock, mouse } = this.page;
    const what = this.#chance.int(0, 10);
    if (what < 3) await mouse.move(700, 5);
    if (what < 5) await clock.fastForward(what < 3 ? letGoMs : restMs);
    // Without news nothing can be done: what the others do is news.
    await this.#other.work();
    await this.page.locator('[data-stale]').waitFor({ state: 'detached' });
  }

  /** Where a row is now that nobody has acknowledged: in its box, or in its text. */
  async #place(isBox: boolean): Promise<Place> {
    const { page } = this;
    const look = () => page.evaluate<readonly Place[]>(placesOf(isBox ? 'input' : '[class*=message]'));
    let places = await look();
    // All that is on screen is taken: out of the list, until it is put in order with what came since.
    while (places.length === 0) {
      await this.#other.work();
      await page.mouse.move(700, 5);
      await page.clock.fastForward(letGoMs);
      places = await look();
    }
    return this.#chance.pick(places);
  }

  async #acknowledge(way: Way, id: number): Promise<void> {
    const page = this.page;
    const row = page.locator(`[role=row][data-id="${id}"]`);
    await row.and(page.locator(way.startsWith('row') ? '[data-open]' : '[aria-selected=true]')).waitFor();
    if (way.endsWith('key')) return page.keyboard.press('a');
    const place = way.startsWith('row') ? page.getByRole('complementary') : page.getByRole('toolbar');
    await place.getByRole('button', { name: /^Acknowledge/ }).click({ force: true });
  }
}

async function isTaken(page: Page, id: number): Promise<boolean> {
  return (
    (await page
      .locator(`[role=row][data-id="${id}"]:is([data-state="2"], [data-state="3"]):not([data-gone])`)
      .count()) === 0
  );
}

async function begin(
  t: TestContext,
  chance: Chance,
): Promise<{ readonly page: Page; readonly other: SecondUser; readonly first: FirstUser }> {
  const plant = await startPlant(t);
  await plant.call('POST', 'users', { name: 'ana', firstName: 'Ana', role: 'operator', password: plant.password });
  const other = new SecondUser(plant, chance);
  await other.begin();
  const { page } = await openConsole(t, plant, {
    user: 'ana',
    prepare: async (page) => {
      await page.clock.install();
      await page.addInitScript(noteRows);
    },
  });
  await page.locator('[role=row][data-id]').first().waitFor();
  return { page, other, first: new FirstUser(page, other, chance) };
}

test('H2: while a second user raises, acknowledges and masks, the alarm that is acknowledged is the one under the pointer', {
  skip: withoutBrowser(),
}, async (t) => {
  const seed = testSeed ?? Math.floor(Math.random() * 2 ** 31);
  const chance = chanceOf(seed);
  const { page, first } = await begin(t, chance);
  const wrong: string[] = [];
  let sent = 0;
  const clicks = isSoak ? 1_000 : 50;
  for (let click = 0; click < clicks; click++) {
    const before = first.sent.length;
    const way = chance.pick(ways);
    const pressed = await first.take(way);
    // What somebody else took meanwhile is not sent, also if it was raised again since.
    for (let look = 0; look < 100 && first.sent.length === before && !(await isTaken(page, pressed)); look++)
      await pause(5);
    const asked = first.sent.slice(before);
    sent += asked.length;
    await first.rest();
    if (asked.some((ids) => ids.join() !== String(pressed)))
      wrong.push(`${click} ${way}: ${pressed}, sent ${asked.join(' ')}`);
  }
  t.diagnostic(`${clicks} clicks, ${sent} of them sent, ${wrong.length} wrong, seed ${seed}`);
  assert.deepEqual(wrong, []);
  assert.ok(sent > clicks / 2, `only ${sent} were sent`);
});
