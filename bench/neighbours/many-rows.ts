// Measures single alarms beside work on very many rows of one user, and what a flapping source makes the server store.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { Subject } from '../server.ts';
import { ask } from './site.ts';

const occurrences = 50_000;
/** Of each alarm; one that begins more within a minute chatters. */
const occurrencesEach = 50;
const tags = 20_000;
const commented = 20_000;
const searches = 4;
const aimMs = 250;
const aimBytes = 200;
const placeholder = 42_000;

type Work = () => Promise<unknown>;

/** Sends an alarm of priority 1 every 25 ms while the work is under way and for a while after it; returns the longest wait. */
async function longestWait(subject: Subject, work: Work): Promise<number> {
  const waits: Promise<number>[] = [];
  let isOver = false;
  const sending = (async () => {
    for (let n = 0, after = 0; after < 120; n++) {
      if (isOver) after++;
      const begin = performance.now();
      const sent = ask(subject, 'POST', '/alarms', { path: `Probe/${n}`, priority: 1, alarmMessage: 'too hot' });
      waits.push(sent.then(() => performance.now() - begin));
      await pause(25);
    }
  })();
  await pause(500);
  await work();
  isOver = true;
  await sending;
  return Math.max(...(await Promise.all(waits)));
}

/** Returns the ids of the last list. */
async function sendInLists(subject: Subject, count: number, item: (n: number) => object): Promise<readonly number[]> {
  let ids: readonly number[] = [];
  for (let from = 0; from < count; from += 1_000) {
    const list = Array.from({ length: 1_000 }, (_, n) => item(from + n));
    ids = await ask<readonly number[]>(subject, 'POST', '/alarms/batch', list);
  }
  return ids;
}

async function acknowledgeMany(subject: Subject): Promise<number> {
  const alarms = occurrences / occurrencesEach;
  const alarm = { alarmMessage: 'The door is open', eventCondition: { transitory: true } };
  const ids = await sendInLists(subject, occurrences, (n) => ({ ...alarm, path: `Flapping${n % alarms}` }));
  return longestWait(subject, () => ask(subject, 'POST', '/alarms/acknowledge', { ids }));
}

async function moveMany(subject: Subject): Promise<number> {
  await sendInLists(subject, tags, (n) => ({ path: `Tag${n}`, dataServerId: placeholder, raised: false }));
  const { items } = await ask<{ items: { id: number; placeholder?: object }[] }>(
    subject,
    'GET',
    '/dataservers?limit=1000',
  );
  const from = items.find((server) => server.placeholder !== undefined)?.id;
  const dataServerId = await ask<number>(subject, 'POST', '/dataservers', { name: 'Boilers' });
  return longestWait(subject, () => ask(subject, 'POST', `/dataservers/${from}/move`, { dataServerId }));
}

async function searchMany(subject: Subject): Promise<number> {
  for (let from = 0; from < commented; from += 1_000) {
    const batch = Array.from({ length: 1_000 }, (_, n) => ({ path: `Commented${from + n}`, alarmMessage: 'Pump' }));
    const ids = await ask<number[]>(subject, 'POST', '/alarms/batch', batch);
    await ask(subject, 'POST', '/alarms/acknowledge', { ids, comment: 'seen by the night shift' });
  }
  const path = '/alarms/histories?search=night shift&limit=1000&sort=-id';
  return longestWait(subject, () => Promise.all(Array.from({ length: searches }, () => ask(subject, 'GET', path))));
}

/** With what is still in the write-ahead log, which the connection reads too. */
function sizeOf(folder: string): number {
  const db = new DatabaseSync(join(folder, 'tocsin.db'), { readOnly: true, timeout: 5_000 });
  const { bytes } = db
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .get() as {
    bytes: number;
  };
  db.close();
  return bytes;
}

/** Returns the bytes by which the database file grows with each change of an alarm with a long message. */
async function growth(subject: Subject, folder: string): Promise<number> {
  const path = 'Long';
  await ask(subject, 'POST', '/alarms', { path, alarmMessage: `open ${'x'.repeat(65_000)}`, raised: false });
  const before = sizeOf(folder);
  const changes = 40_000;
  await sendInLists(subject, changes, (n) => ({ path, raised: n % 2 === 0 }));
  return (sizeOf(folder) - before) / changes;
}

/** Prints a line for each work; `folder` is that of a database in a file. */
export async function measureManyRows(subject: Subject, folder: string | undefined): Promise<boolean> {
  const bytes = folder === undefined ? 0 : await growth(subject, folder);
  if (folder !== undefined) console.log(`  a flapping source stores ${bytes.toFixed(0)} bytes with each change`);
  const works: Readonly<Record<string, (subject: Subject) => Promise<number>>> = {
    calm: (calm) => longestWait(calm, () => pause(3_000)),
    [`acknowledging ${occurrences} occurrences`]: acknowledgeMany,
    [`moving ${tags} tags`]: moveMany,
    [`${searches} searches in ${commented} commented entries`]: searchMany,
  };
  let isHeld = bytes <= aimBytes;
  for (const [title, work] of Object.entries(works)) {
    const wait = await work(subject);
    if (wait > aimMs) isHeld = false;
    console.log(`  ${title}: an alarm waits ${wait.toFixed(0)} ms at most${wait > aimMs ? ' MISSED' : ''}`);
  }
  return isHeld;
}
